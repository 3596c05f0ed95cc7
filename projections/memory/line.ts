import { oneLine, shortened } from "../brief/one-line.ts";
import type { MemoryRecord } from "./record.ts";

/** A record with its text; nothing of one that is gone. */
export interface RecordText {
	readonly record: Pick<MemoryRecord, "id" | "kind" | "priority"> & Partial<Pick<MemoryRecord, "files">>;
	readonly text: string | undefined;
}

/** Longest line that is surfaced for a file, characters, and the longest part of it that names files. */
export const FILE_LINE_CHARS = 240;
const FILE_CHARS = FILE_LINE_CHARS / 3;

/** Longest line of a record that is told among others and is not pinned, characters. */
export const LINE_CHARS = 480;

/** What is said where a text was cut or a record left out. */
export const MORE = "There is more: pi_memory_search finds it.";

/** A text on one line as the model is shown it: nothing that hides or moves a cursor, nothing that could pass for markup. */
export function harmless(text: string): string {
	return oneLine(text).replace(/<(?=[/!?A-Za-z])/g, "‹");
}

/** A record as the memory block lists it, in at most so many characters; of its text what there is room for. */
export function recordLine({ record, text }: RecordText, room: number = Number.POSITIVE_INFINITY): string {
	const { id, kind, priority, files = [] } = record;
	const name = `- [${harmless(id)}]`;
	const bare = `${name} ${kind} prio=${priority}`;
	const head = files.length === 0 ? bare : `${bare} on ${cut(harmless(files.join(", ")), FILE_CHARS)}:`;
	if (head.length + 2 > room) return cut(name, room);
	const said = harmless(text ?? "");
	return said === "" ? head : `${head} ${cut(said, room - head.length - 1)}`;
}

/** The line that is surfaced when one of a record's files is touched, at most {@link FILE_LINE_CHARS} characters. */
export function fileLine({ record, text }: RecordText, file: string): string {
	const { id, kind } = record;
	const of = cut(harmless(file), FILE_CHARS);
	return cut(`[${harmless(id)}] ${kind} on ${of}: ${harmless(text ?? "")}`.trimEnd(), FILE_LINE_CHARS);
}

/** A line within so many characters; never more, however few they are. */
export function cut(line: string, room: number): string {
	if (line.length <= room) return line;
	return room < 1 ? "" : shortened(line, room);
}
