import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isExpired } from "../../../projections/memory/list.ts";
import type { MemoryRecord, MemoryStatus } from "../../../projections/memory/record.ts";
import { count, whole } from "../../debug/numbers.ts";
import { shownLine, shownText } from "../../debug/screen-text.ts";
import { pathsBroken } from "./labelled-rows.ts";
import { agoWords } from "./memory-numbers.ts";

/** A record with its text, where that is there. */
export interface WithText {
	readonly record: MemoryRecord;
	readonly text: string | undefined;
	/** whether the text is a part of what is remembered */
	readonly isClipped?: boolean;
	/** whether it would be told to the model by itself and has no room there */
	readonly isUntold?: boolean;
}

/** Columns a list keeps to. */
const COLUMNS = 78;

/** Lines of a text in a list. */
const MOST_LINES = 5;

/** Lines of the files a record is about, in a list. */
const MOST_FILE_LINES = 2;

const HEADINGS: { readonly [status in MemoryStatus]: string } = {
	pinned: "pinned",
	active: "active",
	provisional: "provisional: /remember confirm:ID makes one yours, /forget ID drops it",
	superseded: "superseded: another version stands instead",
	resolved: "resolved: /forget undo:ID brings one back",
};

/** Records under a heading for each status, in their order; `now` is in ms since the epoch. */
export function recordGroups(rows: readonly WithText[], now: number): string {
	const lines: string[] = [];
	let status: MemoryStatus | undefined;
	for (const row of rows) {
		if (row.record.status !== status) lines.push("", HEADINGS[row.record.status]);
		status = row.record.status;
		lines.push(recordText(row, now, "brief"));
	}
	return lines.join("\n");
}

/** Records one below the other, each with its status. */
export function recordRows(rows: readonly WithText[], now: number): string {
	return rows.map((row) => `\n${recordText(row, now, "brief", true)}`).join("\n");
}

/** All there is to tell of a record, its text whole. */
export function recordWhole(row: WithText, now: number): string {
	const { sources, provenance, supersedes, supersededBy, why, createdAt, sourceHash } = row.record;
	const facts = [
		`made ${timeWords(createdAt)} by ${shownLine(provenance)}`,
		...(supersedes === undefined ? [] : [`takes the place of ${supersedes}`]),
		...(supersededBy === undefined ? [] : [`its place is ${supersededBy}'s`]),
		...(why === undefined ? [] : [`resolved by ${shownLine(why)}`]),
		...(sources.length === 0 ? [] : [`drawn from ${sources.map(shownLine).join(" ")}`]),
		...(sourceHash === undefined ? [] : [`their hash ${sourceHash}`]),
	];
	return [recordText(row, now, "whole", true), ...facts.map((fact) => inset(fact, 4).join("\n"))].join("\n");
}

function recordText(
	{ record, text, isClipped, isUntold }: WithText,
	now: number,
	how: "brief" | "whole",
	hasStatus = false,
): string {
	const { id, kind, priority, scope, version, status, updatedAt, files, isShredded } = record;
	const head = [
		...(hasStatus ? [status] : []),
		kind,
		...(priority === "normal" ? [] : [priority]),
		authorWords(record),
		...(scope === "session" ? ["this session"] : []),
		...(version > 1 ? [`v${version}`] : []),
		agoWords(updatedAt, now),
		...(isUntold ? ["not told by itself: no room"] : []),
		...(isExpired(record, now) ? ["left the lists: 30 days without a word"] : []),
	].join(", ");
	const named = files.length === 0 ? [] : inset(`about ${files.map(shownLine).join(", ")}`, 4);
	const body =
		isShredded || text === undefined
			? [`    (its text ${isShredded ? "was destroyed" : "cannot be read"})`]
			: inset(shownText(text), 4);
	const more = `    … cut here, ${whole(record.chars)} characters in all: /memories ${id}`;
	return [
		...inset(`${id}  ${head}`, 2, 4),
		...(how === "whole"
			? named
			: cut(named, MOST_FILE_LINES, `    … and more: ${count(files.length, "file")}`)),
		...(how === "whole"
			? body
			: isClipped
				? [...body.slice(0, MOST_LINES), more]
				: cut(body, MOST_LINES, more)),
	].join("\n");
}

/** The first lines, and a line that says that there are more; one more line rather than that. */
function cut(lines: readonly string[], most: number, more: string): string[] {
	return lines.length <= most + 1 ? [...lines] : [...lines.slice(0, most), more];
}

function authorWords({ author, proof }: MemoryRecord): string {
	if (author === "model") return "by the model";
	if (author === "rule") return "by a rule";
	return proof === "verified" ? "yours" : `said to be yours, ${proof}`;
}

/** A text in lines of at most 78 columns, set in; a path that is longer is broken behind the name of a folder. */
export function inset(text: string, columns: number, others = columns): string[] {
	const room = COLUMNS - Math.max(columns, others);
	return text
		.split("\n")
		.flatMap((line) => pathsBroken(line, room).split("\n"))
		.flatMap((line) => wrapTextWithAnsi(line, room))
		.map((line, index) => `${" ".repeat(index === 0 ? columns : others)}${line}`.trimEnd())
		.filter((line) => visibleWidth(line) <= COLUMNS || line !== "");
}

function timeWords(at: number): string {
	return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
