import type { MemoryRecord } from "../../../projections/memory/record.ts";

/** A record as JSON, with a slice of its text. */
export interface ReadRecord {
	/** valid JSON within the bound */
	readonly json: string;
	readonly truncated: boolean;
	/** where the rest of the text begins */
	readonly nextOffset?: number;
}

/** Characters of what a tool of memory gives out, JSON and its escapes included. */
export const OUTPUT_CHARS = 16_000;

/** Characters of a string beside the text. */
const STRING_CHARS = 512;

/** Sources and files that are told, and characters of them. */
const MOST_NAMES = 64;
const NAMES_CHARS = 4_096;

type Fields = { readonly [field: string]: unknown };

/**
 * A record with its text from `offset` on: `limit` characters of it, or as many as there is room for in
 * {@link OUTPUT_CHARS}. At least one is in it, or one that takes two code units, so that whoever reads on gets on. An
 * offset is in UTF-16 code units, at most the text's length.
 */
export function recordJson(record: MemoryRecord, text: string, offset: number, limit: number): ReadRecord {
	const [whole, least] = [fullFields(record), { ...plainFields(record), metadataTruncated: true }];
	const one = wholeChars(text, offset, Math.min(1, text.length - offset));
	const fields = sliced(whole, text, offset, one).json.length <= OUTPUT_CHARS ? whole : least;
	const fits = (chars: number) => sliced(fields, text, offset, chars).json.length <= OUTPUT_CHARS;
	const most = wholeChars(text, offset, Math.min(Math.max(1, limit), text.length - offset));
	if (fits(most)) return sliced(fields, text, offset, most);
	let [known, beyond] = [one, most];
	while (beyond - known > 1) {
		const middle = Math.floor((known + beyond) / 2);
		if (fits(middle)) known = middle;
		else beyond = middle;
	}
	return sliced(fields, text, offset, Math.max(one, wholeChars(text, offset, known)));
}

function fullFields(record: MemoryRecord): Fields {
	const sources = bounded(record.sources);
	const files = bounded(record.files);
	const strings = {
		session: record.session,
		provenance: record.provenance,
		sourceHash: record.sourceHash,
		supersedes: record.supersedes,
		supersededBy: record.supersededBy,
	};
	const { session, ...cut } = mapped(strings);
	const isCut =
		files.omitted > 0 || Object.values(strings).some((value) => (value?.length ?? 0) > STRING_CHARS);
	return {
		...plainFields(record),
		...(session !== undefined && { sessionId: session }),
		...cut,
		...(record.author === "user" && record.proof !== "verified" && { proof: record.proof }),
		...(files.kept.length > 0 && { files: files.kept }),
		sourceEntryIds: sources.kept,
		...(sources.omitted > 0 && { sourceEntryIdsOmitted: sources.omitted }),
		...(isCut && { metadataTruncated: true }),
	};
}

function plainFields(record: MemoryRecord): Fields {
	return {
		id: record.id.slice(0, STRING_CHARS),
		kind: record.kind,
		scope: record.scope,
		status: record.status,
		priority: record.priority,
		author: record.author,
		version: record.version,
		pinned: record.status === "pinned",
		createdAt: new Date(record.createdAt).toISOString(),
		updatedAt: new Date(record.updatedAt).toISOString(),
	};
}

function mapped(strings: { readonly [name: string]: string | undefined }): Fields {
	return Object.fromEntries(
		Object.entries(strings).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value.slice(0, STRING_CHARS)]],
		),
	);
}

function bounded(names: readonly string[]): { readonly kept: readonly string[]; readonly omitted: number } {
	const kept: string[] = [];
	let chars = 0;
	for (const name of names) {
		chars += name.length;
		if (kept.length === MOST_NAMES || chars > NAMES_CHARS || name.length > STRING_CHARS) break;
		kept.push(name);
	}
	return { kept, omitted: names.length - kept.length };
}

function sliced(fields: Fields, text: string, offset: number, chars: number): ReadRecord {
	const end = offset + chars;
	const truncated = end < text.length;
	const json = JSON.stringify({
		...fields,
		content: text.slice(offset, end),
		offset,
		totalChars: text.length,
		truncated,
		...(truncated && { nextOffset: end }),
	});
	return { json, truncated, ...(truncated && { nextOffset: end }) };
}

/** So many code units from an offset on, or one less where the last would be half a character; at least one character. */
function wholeChars(text: string, offset: number, chars: number): number {
	const last = text.charCodeAt(offset + chars - 1);
	const splits = chars > 0 && last >= 0xd800 && last <= 0xdbff && offset + chars < text.length;
	if (!splits) return chars;
	return chars === 1 ? 2 : chars - 1;
}
