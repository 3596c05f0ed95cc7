/**
 * The keys of the index's rows. All begin with `i`:
 *
 * | then | then | holds |
 * | --- | --- | --- |
 * | `m` | | {@link IndexMeta} |
 * | `d` | segment, 4 bytes | its documents, as JSON |
 * | `t` | term, UTF-8; 0; segment, 4 bytes | postings of the term in texts |
 * | `h` | term, UTF-8; 0; segment, 4 bytes | postings of the term in what was thought |
 *
 * Numbers are big-endian.
 */

/** Where a term stands: in the texts, or in what the model thought. */
export type TermSpace = "t" | "h";

/** Version of terms, documents and rows. Rows of another are dropped and made again. */
export const INDEX_VERSION = 1;

/** How far the rows reach. */
export interface IndexMeta {
	readonly version: number;
	/** segments whose rows are all there */
	readonly segments: number;
	/** documents in them */
	readonly documents: number;
	/** events of the stream they were made from: where the next segment begins */
	readonly covers: number;
}

/** Keys from `gte` up to, not including, `lt`. */
export interface RowRange {
	readonly gte: Uint8Array;
	readonly lt: Uint8Array;
}

/** Every row of the index. */
export const INDEX_ROWS: RowRange = { gte: Uint8Array.of(0x69), lt: Uint8Array.of(0x6a) };

/** Where {@link IndexMeta} stands. */
export const META_KEY: Uint8Array = Uint8Array.of(0x69, 0x6d);

/** Key of a segment's documents. */
export function documentsKey(segment: number): Uint8Array {
	const key = Uint8Array.of(0x69, 0x64, 0, 0, 0, 0);
	new DataView(key.buffer).setUint32(2, segment);
	return key;
}

/** Key of a term's postings in a segment. */
export function termKey(space: TermSpace, term: string, segment: number): Uint8Array {
	const bytes = encoder.encode(term);
	const key = new Uint8Array(bytes.length + 7);
	key[0] = 0x69;
	key[1] = space.charCodeAt(0);
	key.set(bytes, 2);
	new DataView(key.buffer).setUint32(bytes.length + 3, segment);
	return key;
}

/** The term and the segment that a key of postings names. */
export function parseTermKey(key: Uint8Array): { readonly term: string; readonly segment: number } {
	const end = key.length - 5;
	const segment = new DataView(key.buffer, key.byteOffset + end + 1, 4).getUint32(0);
	return { term: decoder.decode(key.subarray(2, end)), segment };
}

/** Keys of one term's postings, in every segment. */
export function termRows(space: TermSpace, term: string): RowRange {
	return between(space, encoder.encode(`${term}\0`), encoder.encode(`${term}\x01`));
}

/** Keys of the postings of every term that begins so. */
export function prefixRows(space: TermSpace, prefix: string): RowRange {
	const bytes = encoder.encode(prefix);
	const end = new Uint8Array(bytes.length + 1);
	end.set(bytes);
	end[bytes.length] = 0xff;
	return between(space, bytes, end);
}

/** Bytes of a row's JSON. */
export function encodeJson(value: unknown): Uint8Array {
	return encoder.encode(JSON.stringify(value));
}

/** What {@link encodeJson} encoded. */
export function decodeJson(bytes: Uint8Array): unknown {
	return JSON.parse(decoder.decode(bytes));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function between(space: TermSpace, from: Uint8Array, to: Uint8Array): RowRange {
	const [gte, lt] = [from, to].map((bytes) => {
		const key = new Uint8Array(bytes.length + 2);
		key[0] = 0x69;
		key[1] = space.charCodeAt(0);
		key.set(bytes, 2);
		return key;
	}) as [Uint8Array, Uint8Array];
	return { gte, lt };
}
