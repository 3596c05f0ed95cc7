import type { RECALL_ERROR_CODES } from "./recall-error.ts";
import type { RawSlice } from "./request.ts";

/** An entry's JSON as the host writes it; another program may have spelt it another way in the session's file. */
export interface RawEntryJson {
	readonly id: string;
	readonly json: string;
}

/** JSON that keeps within a budget. */
export interface RawText {
	/** valid JSON, or nothing where there is no room for any */
	readonly text: string;
	/** entries that are in it, whole or in part */
	readonly count: number;
	/** whether something that was asked for is not */
	readonly truncated: boolean;
	/** where the rest of the one entry begins */
	readonly nextOffset?: number;
}

/**
 * Entries as `{"entries": […], "omitted": [ids]}`: those that fit, whole, in order. `more` is put beside them. O(entries²)
 * at worst.
 */
export function rawEntries(
	entries: readonly RawEntryJson[],
	budget: number,
	more: { readonly [field: string]: unknown } = {},
): RawText {
	const shown = new Set<RawEntryJson>();
	const omitted = () => entries.filter((entry) => !shown.has(entry)).map(({ id }) => id);
	const tail = () => JSON.stringify({ omitted: omitted(), ...more }).slice(1);
	let chars = 0;
	const length = () => '{"entries":[],'.length + chars + Math.max(0, shown.size - 1) + tail().length;
	for (const entry of entries) {
		shown.add(entry);
		chars += entry.json.length;
		if (length() <= budget) continue;
		shown.delete(entry);
		chars -= entry.json.length;
	}
	const truncated = shown.size < entries.length;
	if (length() > budget) return { text: noRoom(budget), count: 0, truncated: true };
	const text = `{"entries":[${[...shown].map(({ json }) => json).join()}],${tail()}`;
	return { text, count: shown.size, truncated };
}

/**
 * One entry: whole where that is wanted and fits, else `{entryId, offset, limit, totalChars, truncated, nextOffset?, body}`
 * with as much of its JSON from the offset on as there is room for. Bodies one behind the other give all of it.
 */
export function rawEntry({ id, json }: RawEntryJson, slice: RawSlice | undefined, budget: number): RawText {
	if (!slice && json.length <= budget) return { text: json, count: 1, truncated: false };
	const { offset, limit = Number.MAX_SAFE_INTEGER } = slice ?? { offset: 0 };
	const left = Math.max(0, json.length - offset);
	const most = Math.min(limit, left);
	const of = (chars: number) => envelope(id, json, offset, wholeChars(json, offset, chars));
	const fits = (chars: number) => of(chars).text.length <= budget;
	// what ends with the entry is shorter by what points on
	if (fits(most)) return of(most);
	let [least, beyond] = [0, most];
	while (beyond - least > 1) {
		const middle = Math.floor((least + beyond) / 2);
		if (fits(middle)) least = middle;
		else beyond = middle;
	}
	const found = of(least);
	// a slice that goes nowhere would be asked for again and again
	if (found.nextOffset === offset || !fits(least))
		return { text: noRoom(budget, id), count: 0, truncated: true };
	return found;
}

/** What is said where there is no room for what was asked: an error, or less than that. */
export function noRoom(budget: number, id?: string): string {
	const error: keyof typeof RECALL_ERROR_CODES = "RECALL_NO_ROOM";
	const said = [...(id === undefined ? [] : [{ error, entryId: id }]), { error }, {}];
	return said.map((words) => JSON.stringify(words)).find((text) => text.length <= budget) ?? "";
}

function envelope(id: string, json: string, offset: number, chars: number): RawText {
	const end = offset + chars;
	const truncated = end < json.length;
	const text = JSON.stringify({
		entryId: id,
		offset,
		limit: chars,
		totalChars: json.length,
		truncated,
		...(truncated && { nextOffset: end }),
		body: json.slice(offset, end),
	});
	return { text, count: 1, truncated, ...(truncated && { nextOffset: end }) };
}

/** So many code units from an offset on, or one less where the last would be half a character; at least one character. */
function wholeChars(json: string, offset: number, chars: number): number {
	const splits = isHalf(json.charCodeAt(offset + chars - 1)) && chars > 0 && offset + chars < json.length;
	if (!splits) return chars;
	return chars === 1 ? 2 : chars - 1;
}

function isHalf(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
