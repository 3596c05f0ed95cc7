import type { MemoryDecision } from "../../commands/memory/decision.ts";
import { count } from "../../debug/numbers.ts";
import { shownText } from "../../debug/screen-text.ts";
import { inset } from "./memory-list-words.ts";
import type { FoundTraces } from "./session-traces.ts";
import type { TextInSessions } from "./text-in-sessions.ts";

/** Session files named at most. */
const MOST_FILES = 12;

/** Characters of a text shown before it is destroyed. */
const SHOWN_CHARS = 400;

/** What is destroyed of memory: a text, and the records that say it. */
export function whatGoes({ events, notes }: MemoryDecision, text: string): string[] {
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
		...notes.flatMap((note) => inset(note, 2)),
	];
}

/** What goes of the log of the session that runs; `undefined` where that could not be looked through. */
export function whatGoesOfSession(found: FoundTraces | undefined): string[] {
	if (!found)
		return inset(
			"This session's own log could not be looked through: it is once the session runs again.",
			0,
			2,
		);
	if (found.contents === 0) return [];
	return inset(
		`And out of this session's log: ${count(found.entries, "message")} that tell of it, whole, with what stood for them in the window, ${found.contents} texts in all; its recall index is made again without them.`,
		0,
		2,
	);
}

/** What holds the text and is not ours to change, and what repairs put `aside`, which is not looked into. */
export function whatStays(
	{ found, unread }: TextInSessions,
	{ aside, isOfSession }: { readonly aside: readonly string[]; readonly isOfSession: boolean },
): string[] {
	const logs = isOfSession
		? "So do our logs of forks of this session."
		: "Our logs of other sessions lose what told of it when these run next.";
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
					`What stays: these session files of Pi's hold it, and their messages go on being sent. They are not changed; to be rid of it, delete the sessions. ${logs} The files:`,
					0,
					2,
				)),
		...rows,
		...(aside.length > 0
			? inset(
					`What repairs put aside may hold it, and is not looked into; delete it where it may go: ${aside.join(", ")}`,
					0,
					2,
				)
			: []),
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
