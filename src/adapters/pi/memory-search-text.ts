import { oneLine } from "../../../projections/brief/one-line.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import type { MemoryHit } from "../../debug/memory/search.ts";
import { count } from "../../debug/numbers.ts";
import { OUTPUT_CHARS } from "./memory-read-json.ts";

/** A page of records for the model. */
export interface SearchedPage {
	readonly text: string;
	/** records that are on it */
	readonly count: number;
	/** whether something that was found is not on it, or not whole */
	readonly truncated: boolean;
	/** how many to pass over for the next page; absent on the last */
	readonly nextOffset?: number;
}

/** Characters of the names of files on a page. */
const FILES_CHARS = 200;

/** Characters of a note behind a page. */
const NOTE_CHARS = 400;

/** Room for the line that says what is left, characters. */
const LAST_CHARS = 160;

/**
 * Records as the model reads them, in order, whole, their texts set in, as many as there is room for; the first one in any case, so that
 * whoever asks for the next page gets on. `total` is how many were found, `offset` how many
 * of them were passed over, and `notes` are said behind it.
 */
export function searchedPage(
	hits: readonly MemoryHit[],
	{
		total,
		offset,
		notes,
	}: { readonly total: number; readonly offset: number; readonly notes: readonly string[] },
): SearchedPage {
	const noted = notes.map((note) => `[${cut(note, NOTE_CHARS)}]`);
	if (hits.length === 0) {
		const none =
			total === 0 ? "nothing was found" : `nothing behind ${offset}: ${count(total, "record")} in all`;
		return { text: [none, ...noted].join("\n\n"), count: 0, truncated: false };
	}
	const blocks: string[] = [];
	let isClipped = false;
	const room = OUTPUT_CHARS - LAST_CHARS - noted.join("\n\n").length;
	let left = room;
	for (const hit of hits) {
		const block = recordBlock(hit);
		left -= block.length + 2;
		if (left < 0 && blocks.length > 0) break;
		blocks.push(cut(block, room));
		isClipped ||= hit.isClipped || block.length > room;
	}
	const next = offset + blocks.length;
	const isMore = next < total;
	const last = [
		...(isMore ? [`${count(total - next, "record")} more: offset ${next}`] : []),
		...(isClipped ? ["pi_memory_read has texts whole"] : []),
	].join("; ");
	return {
		text: [...blocks, ...(last === "" ? [] : [`[${last}]`]), ...noted].join("\n\n"),
		count: blocks.length,
		truncated: isMore || isClipped,
		...(isMore && { nextOffset: next }),
	};
}

function recordBlock({ record, excerpt, isClipped }: MemoryHit): string {
	const gone = record.isShredded ? "was destroyed" : "cannot be read";
	const text = record.isShredded || excerpt === "" ? `(its text ${gone})` : excerpt;
	const left = isClipped ? `\n[${record.chars} characters in all]` : "";
	// set in, so that no text can pass for the head of another record
	return `[${record.id}] ${fieldsOf(record).join(" ")}\n${text.replace(/^/gm, "  ")}${left}`;
}

function fieldsOf({
	status,
	kind,
	priority,
	author,
	proof,
	scope,
	version,
	files,
	supersededBy,
}: MemoryRecord) {
	return [
		status,
		kind,
		...(priority === "normal" ? [] : [`priority=${priority}`]),
		author === "user" && proof !== "verified" ? `author=${proof}` : `author=${author}`,
		...(scope === "session" ? ["scope=session"] : []),
		...(version > 1 ? [`v${version}`] : []),
		...(supersededBy === undefined ? [] : [`supersededBy=${supersededBy}`]),
		...(files.length === 0 ? [] : [`files=${cut(oneLine(files.join(",")), FILES_CHARS)}`]),
	];
}

function cut(text: string, most: number): string {
	return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
