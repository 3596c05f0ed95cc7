import type { CompactionEntry } from "@earendil-works/pi-coding-agent";
import type { CheckpointDetails } from "../../src/commands/checkpoint-details.ts";
import { BILLED, type Host, type HostOptions, QUICK_SETTINGS, type Sandbox } from "./sandbox.ts";
import { type Logged, logOf } from "./session-log.ts";

/** The tools of its model. */
export const TOOLS = ["fetch", "pi_fold_context"];
/** A host whose requests have a price. */
export const OPTIONS: HostOptions = { models: BILLED, tools: TOOLS };
/** The host compacts at 38,000 tokens, and nothing is folded. */
export const UNFOLDED: HostOptions = {
	...OPTIONS,
	settings: { ...QUICK_SETTINGS, policy: "off" },
	compaction: { reserveTokens: 2_000, keepRecentTokens: 2_000 },
};

/** Has a host read about topics. */
export async function worked(host: Host, ...topics: readonly string[]): Promise<Host> {
	for (const topic of topics) await host.work(topic);
	return host;
}

/** The last compaction on the path, with what ours say of theirs. */
export function lastCompaction(host: Host): CompactionEntry<CheckpointDetails> {
	const entry = host.session.sessionManager.getEntry(host.path("compaction").at(-1) ?? "");
	if (entry?.type !== "compaction") throw new Error("nothing was compacted");
	return entry as CompactionEntry<CheckpointDetails>;
}

/** What the log says of compactions, in order. The host has quit. */
export async function told(sandbox: Sandbox, host: Host): Promise<Logged[]> {
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	return events.filter(({ type }) => type.startsWith("compaction/"));
}

/** The same in a word each. */
export const kinds = (events: readonly Logged[]) => events.map(({ type }) => type.replace("compaction/", ""));
