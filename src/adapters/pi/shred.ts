import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import { decideShred } from "../../commands/memory/forget.ts";
import type { OfRecord } from "../../commands/memory/keep.ts";
import { count } from "../../debug/numbers.ts";
import { isAgreed } from "./ask-first.ts";
import type { LiveMemory } from "./live-memory.ts";
import { logHolding, viewOf, written } from "./memory-write.ts";
import type { Clock } from "./patience.ts";
import { damagedBeside } from "./put-aside.ts";
import { say } from "./say.ts";
import { SessionTraces } from "./session-traces.ts";
import { textInSessions } from "./text-in-sessions.ts";
import type { TypedForget } from "./typed-memories.ts";

const BY = { actor: "user", cause: "/forget" } as const;

/** How long session files are looked through before a text is destroyed, ms. */
const LOOK_THROUGH_MS = 15_000;

/**
 * Destroys a text in memory and in the log of the session that runs, once the user was told what goes and what of it is not
 * ours, and said yes. The session's log comes first: what is left of that by a failure can be found again as long as the
 * text is there.
 */
export async function shred(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	id: string,
	{ isSure }: TypedForget,
	clock: Clock,
): Promise<void> {
	const log = logHolding(memory, id);
	const command: OfRecord = { id, session: memory.id, now: Date.now() };
	const decide = (view: MemoryView): MemoryDecision => decideShred(view, command);
	const planned = decide(viewOf(memory, log));
	if (planned.events.length === 0) return say(ctx, [id, ...planned.notes].join("\n  "), "info");
	const text = log.text(log.memory.records.get(id)?.body ?? "") ?? "";
	const traces = new SessionTraces(memory.session, {
		records: shreddedIn(planned),
		texts: text === "" ? [] : [text],
	});
	const isLooked = await traces.look();
	const end = clock.now() + LOOK_THROUGH_MS;
	const elsewhere = await textInSessions(ctx.sessionManager.getSessionDir(), text, () => clock.now() < end);
	const aside = await damagedBeside([memory.workspace.directory, traces.directory]);
	const isOfSession = log === memory.session;
	const stays = { aside, isOfSession };
	const { whatGoes, whatGoesOfSession, whatStays } = await import("./shred-words.ts");
	const about = [
		...whatGoes(planned, text),
		...whatGoesOfSession(isLooked ? traces.found : undefined),
		...whatStays(elsewhere, stays),
	];
	if (!ctx.hasUI && !isSure) {
		const insist = `nothing was destroyed; /forget shred:${id} yes destroys it`;
		return say(ctx, [`${id} would be destroyed for good`, ...about, insist].join("\n"), "warning");
	}
	const question = [...about, "", "Destroy it? This cannot be undone."].join("\n");
	if (!isSure && !(await isAgreed(ctx, `Palimpsest: destroy the text of ${id}`, question)))
		return say(ctx, "nothing was destroyed", "info");
	let contents = 0;
	const decideHere = (view: MemoryView) => {
		contents = traces.found.contents;
		return traces.withTraces(isOfSession ? decide(view) : undefined);
	};
	if (isOfSession || isLooked)
		await written(memory, memory.session, BY, decideHere, { before: traces.before });
	if (!isOfSession) await written(memory, log, BY, decide);
	const here = contents > 0 ? `, and ${count(contents, "text")} of this session's log with it` : "";
	say(ctx, [`the text of ${id} is destroyed${here}`, ...whatStays(elsewhere, stays)].join("\n"), "info");
}

function shreddedIn({ events }: MemoryDecision): string[] {
	return events.flatMap((event) => (event.type === "payload/shredded" ? event.data.records : []));
}
