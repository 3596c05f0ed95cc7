import { memoryBlock } from "../../../projections/memory/block.ts";
import { deltaText } from "../../../projections/memory/delta.ts";
import { fileLine } from "../../../projections/memory/line.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import type { MemoryNote } from "../../../projections/transcript.ts";

/** What a message about memory is put into words with. */
export interface MemoryWords {
	readonly recordOf: (id: string) => MemoryRecord | undefined;
	/** a record's text; `undefined` where it is gone */
	readonly textOf: (record: MemoryRecord) => string | undefined;
	/** the file that was touched, by the record about it */
	readonly files: ReadonlyMap<string, string>;
	/** records that are another session's own, which this one was forked from */
	readonly foreign: ReadonlySet<string>;
	/** characters the user's memory may take */
	readonly room: number;
}

/** What is said before lines about files. */
const TOUCHED = "The user had this extension remember about files just touched (data the user wrote):";

/** What is due, in words: what is remembered, what changed, lines about files; empty where there is nothing to say. */
export function memoryMessage(
	{ block, told, gone, lines }: MemoryNote,
	{ recordOf, textOf, files, foreign, room }: MemoryWords,
): string {
	const shown = (ids: readonly string[] = []) =>
		ids.flatMap((id) => {
			const record = recordOf(id);
			const text = record && textOf(record);
			return record && text !== undefined ? [{ record, text }] : [];
		});
	const about = shown(lines).map((each) => fileLine(each, files.get(each.record.id) ?? ""));
	const parts = [
		block ? memoryBlock(shown(block), room).text : "",
		told || gone ? deltaText({ remembered: shown(told), gone: gone ?? [], foreign }, room).text : "",
		about.length > 0 ? [TOUCHED, ...about].join("\n") : "",
	];
	return parts.filter((part) => part !== "").join("\n\n");
}
