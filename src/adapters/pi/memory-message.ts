import { memoryBlock } from "../../../projections/memory/block.ts";
import { deltaText } from "../../../projections/memory/delta.ts";
import { fileLine } from "../../../projections/memory/line.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import type { MemoryNote } from "../../../projections/transcript.ts";
import type { MemoryDue } from "./memory-due.ts";

/** What a message about memory is put into words with. */
export interface MemoryWords {
	readonly recordOf: (id: string) => MemoryRecord | undefined;
	/** a record's text; `undefined` where it is gone */
	readonly textOf: (record: MemoryRecord) => string | undefined;
	/** the file that was touched, by the record about it */
	readonly files: ReadonlyMap<string, string>;
	/** characters the user's memory may take */
	readonly room: number;
}

/** A message about memory: its text, what it tells, and every record that this is about. */
export interface MemoryMessage {
	readonly content: string;
	readonly tells: MemoryNote;
	readonly records: string[];
}

/** What is due, in words: memory, lines about files, the work so far; `undefined` where there is nothing to say. */
export function memoryMessage(
	{ note, summary }: MemoryDue,
	{ recordOf, textOf, files, room }: MemoryWords,
): MemoryMessage | undefined {
	const { block, told, gone, lines } = note;
	const shown = (ids: readonly string[] = []) =>
		ids.flatMap((id) => {
			const record = recordOf(id);
			return record ? [{ record, text: textOf(record) }] : [];
		});
	const parts = [
		block ? memoryBlock(shown(block), room).text : "",
		told || gone ? deltaText({ remembered: shown(told), gone: gone ?? [] }, room).text : "",
		shown(lines)
			.map((each) => fileLine(each, files.get(each.record.id) ?? ""))
			.join("\n"),
		summary ?? "",
	].filter((part) => part !== "");
	if (parts.length === 0) return undefined;
	const { summary: _asked, ...records } = note;
	return {
		content: parts.join("\n\n"),
		tells: { ...records, ...(summary !== undefined && { summary: true }) },
		records: [block, told, gone, lines].flatMap((ids) => ids ?? []),
	};
}
