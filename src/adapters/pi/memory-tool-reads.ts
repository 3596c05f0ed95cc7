import { recordFor } from "../../../projections/memory/list.ts";
import { searchMemory } from "../../debug/memory/search.ts";
import { shownLine } from "../../debug/screen-text.ts";
import { answered, type MemoryAnswer, refused } from "./memory-answer.ts";
import { STALE } from "./memory-at.ts";
import { recordJson } from "./memory-read-json.ts";
import { searchedPage } from "./memory-search-text.ts";
import type { Asked, ReadArguments, SearchArguments } from "./memory-tools.ts";
import { memoryTroubles } from "./memory-troubles.ts";

/** Records on a page, and characters of a text, unless asked otherwise. */
const PAGE = 8;
const READ_CHARS = 4_000;

/** What `pi_memory_search` answers. */
export function searchRecords(
	{ memory, isCurrent }: Asked,
	{ query = "", status, kind, limit = PAGE, offset = 0 }: SearchArguments,
): MemoryAnswer {
	const { memories, text: textOf } = memory.view();
	const viewing = { session: memory.id, now: Date.now() };
	const filter = { ...(status && { status }), ...(kind && { kind }) };
	const { hits, total } = searchMemory({ memories, textOf, query, limit, offset, ...viewing, ...filter });
	const notes = [...memoryTroubles(memory).map(({ words }) => words), ...(isCurrent ? [] : [STALE])];
	const { text, ...shown } = searchedPage(hits, { total, offset, notes });
	return answered(text, shown);
}

/** What `pi_memory_read` answers: JSON. */
export function readRecord(
	{ memory, isCurrent }: Asked,
	{ recordId, offset = 0, limit = READ_CHARS }: ReadArguments,
): MemoryAnswer {
	const { memories, text: textOf } = memory.view();
	const record = recordFor(memories, recordId, memory.id);
	if (!record)
		return refused(
			`MEMORY_NOT_FOUND: there is no record ${shownLine(recordId.slice(0, 80))}${isCurrent ? "; pi_memory_search finds ids" : `; ${STALE}`}`,
			{
				count: 0,
			},
		);
	const text = textOf(record.body);
	if (text === undefined)
		return refused(
			record.isShredded
				? `MEMORY_SHREDDED: the text of ${record.id} was destroyed`
				: `MEMORY_UNREADABLE: the text of ${record.id} cannot be read as it was stored`,
			{ count: 0 },
		);
	if (offset > 0 && offset >= text.length)
		return refused(`OFFSET_BEYOND_END: ${record.id} has ${text.length} characters, counted from 0`, {
			count: 0,
		});
	const { json, ...shown } = recordJson(record, text, offset, limit);
	return answered(json, { count: 1, ...shown });
}
