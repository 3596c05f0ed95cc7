import type { CompactionEntry, SessionEntry } from "@earendil-works/pi-coding-agent";
import { failCompaction, settleCompaction } from "../../commands/checkpoint.ts";
import { readDetails } from "../../commands/checkpoint-details.ts";
import type { Engine } from "../../engine/engine.ts";
import { hashText } from "./hash-text.ts";

/** What an interception that a process before left behind came to. */
const ENDED = "the process ended before the host had said what came of it";

/**
 * Records what the compactions among entries came to, each once: whether the host said so just now, says it again, or
 * said it to a process that did not live to record it. `isFirst`: what was handed over before and is not among them came
 * to nothing.
 */
export async function settleCompactions(
	engine: Engine,
	entries: readonly SessionEntry[],
	{
		hashAt,
		isFirst,
	}: { readonly hashAt: (position: number) => string | undefined; readonly isFirst: boolean },
): Promise<void> {
	for (const entry of entries) {
		if (entry.type !== "compaction" || engine.states.compactions.byEntry.has(entry.id)) continue;
		const events = settleCompaction(engine.states.compactions, factsOf(entry, hashAt));
		await engine.note(events, Date.now(), "host");
	}
	if (!isFirst || !engine.states.compactions.open) return;
	const events = failCompaction(engine.states.compactions, { aborted: false, why: ENDED });
	await engine.note(events, Date.now(), "runtime");
}

function factsOf(
	{ id, firstKeptEntryId, summary = "", fromHook, details: given }: CompactionEntry,
	hashAt: (position: number) => string | undefined,
): Parameters<typeof settleCompaction>[1] {
	const details = readDetails(given, hashText);
	const { position, hash } = details?.ours ?? {};
	return {
		id,
		boundary: firstKeptEntryId === id ? null : (firstKeptEntryId ?? null),
		chars: summary.length,
		text: hashText(summary),
		fromExtension: fromHook === true,
		details,
		isKnown: position !== undefined && hashAt(position) === hash,
	};
}
