import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import { decideForget, decideRestore, decideShred } from "../../commands/memory/forget.ts";
import type { OfRecord } from "../../commands/memory/keep.ts";
import { count } from "../../debug/numbers.ts";
import { shownText } from "../../debug/screen-text.ts";
import type { LiveMemory } from "./live-memory.ts";
import { MEMORY_OFF, type MemoryContext, memoryAt } from "./memory-at.ts";
import { forgetCompletions } from "./memory-completions.ts";
import { inset } from "./memory-list-words.ts";
import { memoryRefusal } from "./memory-refusals.ts";
import { logHolding, viewOf, written } from "./memory-write.ts";
import type { Clock } from "./patience.ts";
import { say } from "./say.ts";
import { type TextInSessions, textInSessions } from "./text-in-sessions.ts";
import { type TypedForget, typedForget } from "./typed-memories.ts";

const USAGE =
	"/forget takes an ID: it leaves the lists, and the model is told so no more; undo:ID brings it back, shred:ID destroys its text for good";

const BY = { actor: "user", cause: "/forget" } as const;

/** How long session files are looked through before a text is destroyed, ms. */
const LOOK_THROUGH_MS = 15_000;

/** Session files named at most. */
const MOST_FILES = 12;

/** Characters of a text shown before it is destroyed. */
const SHOWN_CHARS = 400;

/** Puts `/forget` into a host. It starts no turn. */
export function registerForgetCommand(pi: ExtensionAPI, context: MemoryContext): void {
	pi.registerCommand("forget", {
		description: "Forget what is remembered: ID; undo:ID brings it back, shred:ID destroys its text",
		getArgumentCompletions: forgetCompletions(pi, context),
		handler: async (args, ctx) => {
			const typed = typedForget(args);
			const memory = await memoryAt(ctx, context);
			if (!memory) return say(ctx, MEMORY_OFF, "warning");
			const { ids, unknown } = typed;
			if (ids.length === 0 || unknown.length > 0) {
				const what = unknown.length > 0 ? `${unknown.join(" ")} is no record's id; ` : "";
				return say(ctx, `${what}${USAGE}`, unknown.length > 0 ? "warning" : "info");
			}
			for (const id of ids) {
				try {
					if (typed.does === "shred") await shred(ctx, memory, id, typed, context.clock);
					else await forget(ctx, memory, id, typed.does);
				} catch (error) {
					say(ctx, memoryRefusal(error), "warning");
				}
			}
		},
	});
}

async function forget(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	id: string,
	does: "forget" | "undo",
): Promise<void> {
	const log = await logHolding(memory, id);
	const command = { id, session: memory.id, now: Date.now() };
	const decide = does === "forget" ? decideForget : decideRestore;
	const { events, notes } = await written(memory, log, BY, (view) => decide(view, command));
	const status = log.memory.records.get(id)?.status;
	const done =
		does === "forget" ? `${id} is forgotten; /forget undo:${id} brings it back` : `${id} is back: ${status}`;
	say(ctx, [...(events.length > 0 ? [done] : [id]), ...notes].join("\n  "), "info");
}

/** Destroys a text, once the user was told what goes and what of it is not ours, and said yes. */
async function shred(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	id: string,
	{ isSure }: TypedForget,
	clock: Clock,
): Promise<void> {
	const log = await logHolding(memory, id);
	const command: OfRecord = { id, session: memory.id, now: Date.now() };
	const decide = (view: MemoryView): MemoryDecision => decideShred(view, command);
	const planned = decide(viewOf(memory, log));
	if (planned.events.length === 0) return say(ctx, [id, ...planned.notes].join("\n  "), "info");
	const text = log.text(log.memory.records.get(id)?.body ?? "") ?? "";
	const end = clock.now() + LOOK_THROUGH_MS;
	const elsewhere = await textInSessions(ctx.sessionManager.getSessionDir(), text, () => clock.now() < end);
	const about = [
		...whatGoes(planned, text),
		...planned.notes.flatMap((note) => inset(note, 2)),
		...whatStays(elsewhere),
	];
	if (!ctx.hasUI && !isSure) {
		const insist = `nothing was destroyed; /forget shred:${id} yes destroys it`;
		return say(ctx, [`${id} would be destroyed for good`, ...about, insist].join("\n"), "warning");
	}
	const question = [...about, "", "Destroy it? This cannot be undone."].join("\n");
	if (!isSure && !(await ctx.ui.confirm(`Palimpsest: destroy the text of ${id}`, question)))
		return say(ctx, "nothing was destroyed", "info");
	await written(memory, log, BY, decide);
	say(ctx, [`the text of ${id} is destroyed`, ...whatStays(elsewhere)].join("\n"), "info");
}

function whatGoes({ events }: MemoryDecision, text: string): string[] {
	const records = events.flatMap((event) => (event.type === "payload/shredded" ? event.data.records : []));
	const of =
		records.length === 1
			? "its text"
			: `the text of ${count(records.length, "record")} that say it, ${records.join(", ")}`;
	const shown =
		text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}… (${text.length} characters)`;
	return [
		...inset(`What goes, out of every file of memory's store: ${of}:`, 0, 2),
		...inset(shownText(shown), 4),
	];
}

/** What holds the text and is not memory's. */
function whatStays({ found, unread }: TextInSessions): string[] {
	const rows = found.slice(0, MOST_FILES).flatMap(({ path, lines, total }) => {
		const more = total > lines.length ? ` and ${total - lines.length} more` : "";
		return inset(
			`${path}: ${lines.length === 1 && total === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`,
			2,
			4,
		);
	});
	return [
		...(found.length === 0
			? inset("No session file of Pi's in this folder holds it.", 0)
			: inset(
					"What stays: these session files of Pi's hold it, and so do the logs of these sessions, which keep every message. They are not changed; to be rid of it, delete the sessions:",
					0,
					2,
				)),
		...rows,
		...(found.length > MOST_FILES ? [`  and ${count(found.length - MOST_FILES, "file")} more`] : []),
		...(unread.length > 0
			? inset(
					`Not looked through: ${unread.slice(0, MOST_FILES).join(", ")}, ${count(unread.length, "file")} in all`,
					0,
					2,
				)
			: []),
	];
}
