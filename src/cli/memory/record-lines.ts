import type { MemoryRecord, Suspect } from "../../../projections/memory/record.ts";
import { shownLine, shownText } from "../../debug/screen-text.ts";
import { wrapped } from "../table.ts";
import { outputColumns } from "../terminal.ts";
import { cutShort } from "./cut-short.ts";

const INDENT = "    ";

/** A record as the command line shows it: how it stands and whose it is, its text, what it came from. */
export function recordLines(record: MemoryRecord, text: string | undefined): string[] {
	const { id, status, kind, priority, version, scope, files, supersedes, supersededBy, why } = record;
	const width = outputColumns() - INDENT.length;
	const standing = [
		id,
		status,
		kind,
		...(priority === "normal" ? [] : [priority]),
		authorOf(record),
		...(scope === "session" ? ["this session"] : []),
		...(version > 1 ? [`v${version}`] : []),
	].join("  ");
	const links = [
		...(files.length > 0 ? [`files: ${files.join(", ")}`] : []),
		...(supersedes === undefined ? [] : [`in place of ${supersedes}`]),
		...(supersededBy === undefined ? [] : [`replaced by ${supersededBy}`]),
		...(why === undefined ? [] : [`resolved: ${why}`]),
		changes(record),
	].join("; ");
	return [
		...wrapped(standing, width, INDENT),
		...textLines(record, text, width),
		...wrapped(links, width, "").map((line) => INDENT + line),
	];
}

/** An event that claims to be a user's and is not proved to be, in two lines: what it is, and the text it would have stand. */
export function suspectLines({ position, at, type, id, proof }: Suspect, text: string | undefined): string[] {
	const line = `${String(position).padStart(6)}  ${timeOf(at)}  ${type}  ${id}  ${proof}`;
	if (text === undefined) return [line];
	return [line, cutShort(`        ${shownLine(text)}`, outputColumns())];
}

/** A time as a person reads it: ISO 8601, to the second. */
function timeOf(at: number): string {
	return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().replace(/\.\d+Z$/, "Z") : `${at} ms`;
}

function authorOf({ author, proof }: MemoryRecord): string {
	return author === "user" ? `user, ${proof}` : author;
}

function changes({ createdAt, updatedAt }: MemoryRecord): string {
	return updatedAt === createdAt ? timeOf(createdAt) : `${timeOf(createdAt)}, changed ${timeOf(updatedAt)}`;
}

function textLines({ isShredded }: MemoryRecord, text: string | undefined, width: number): string[] {
	if (text === undefined) return [`${INDENT}(its text ${isShredded ? "was destroyed" : "cannot be read"})`];
	return shownText(text)
		.split("\n")
		.flatMap((line) => wrapped(line, width, "").map((part) => INDENT + part));
}
