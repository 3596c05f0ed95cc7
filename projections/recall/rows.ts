/**
 * The keys of the index's rows. All begin with `i`:
 *
 * | then | then | holds |
 * | --- | --- | --- |
 * | `m` | | {@link IndexMeta} |
 * | `d` | segment, 4 bytes | its documents, as JSON |
 * | `f` | `t` or `h`; segment, 4 bytes | the first term of each block, as JSON |
 * | `b` | `t` or `h`; segment, 4; block, 4 | a block of terms: of texts, or of what was thought |
 *
 * Numbers are big-endian.
 */

/** Where a term stands: in the texts, or in what the model thought. */
export type TermSpace = "t" | "h";

/** Version of terms, documents and rows. Rows of another are dropped and made again. */
export const INDEX_VERSION = 3;

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
interface RowRange {
	readonly gte: Uint8Array;
	readonly lt: Uint8Array;
}

/** Every row of the index. */
export const INDEX_ROWS: RowRange = { gte: Uint8Array.of(0x69), lt: Uint8Array.of(0x6a) };

/** Where {@link IndexMeta} stands. */
export const META_KEY: Uint8Array = Uint8Array.of(0x69, 0x6d);

/** Key of a segment's documents. */
export function documentsKey(segment: number): Uint8Array {
	return keyOf("id", segment);
}

/** Key of the first terms of a segment's blocks. */
export function firstsKey(space: TermSpace, segment: number): Uint8Array {
	return keyOf(`if${space}`, segment);
}

/** Key of a block. */
export function blockKey(space: TermSpace, segment: number, block: number): Uint8Array {
	return keyOf(`ib${space}`, segment, block);
}

/** The segment that a row is of; `undefined` where it is of none. */
export function segmentOf(key: Uint8Array): number | undefined {
	const place = PLACES.get(key[1]);
	if (place?.length !== key.length) return undefined;
	return numberAt(key, place.segment);
}

/** What a row holds, in words. */
export function rowName(key: Uint8Array): string {
	const segment = segmentOf(key);
	const of = key[2] === 0x68 ? "what was thought" : "texts";
	if (segment === undefined)
		return key[1] === META_KEY[1] && key.length === META_KEY.length
			? "how far it reaches"
			: "which is of no kind";
	if (key[1] === 0x64) return `the entries of segment ${segment}`;
	if (key[1] === 0x66) return `the first words of blocks of ${of} in segment ${segment}`;
	return `block ${numberAt(key, 7)} of ${of} in segment ${segment}`;
}

/** By the letter behind `i`: where a key names its segment, and its length. */
const PLACES: ReadonlyMap<number | undefined, { readonly segment: number; readonly length: number }> =
	new Map([
		[0x64, { segment: 2, length: 6 }],
		[0x66, { segment: 3, length: 7 }],
		[0x62, { segment: 3, length: 11 }],
	]);

function numberAt(key: Uint8Array, at: number): number {
	return new DataView(key.buffer, key.byteOffset, key.length).getUint32(at);
}

/** Bytes of a row's JSON. */
export function encodeJson(value: unknown): Uint8Array {
	return encoder.encode(JSON.stringify(value));
}

/** The same of a list, given in parts one after the other: others may have a turn after each but the last. */
export function* encodeParts(parts: Iterable<readonly unknown[]>): Generator<undefined, Uint8Array> {
	const texts: string[] = [];
	for (const part of parts) {
		if (part.length > 0) texts.push(JSON.stringify(part).slice(1, -1));
		yield undefined;
	}
	return encoder.encode(`[${texts.join(",")}]`);
}

/** What {@link encodeJson} encoded. */
export function decodeJson(bytes: Uint8Array): unknown {
	return JSON.parse(decoder.decode(bytes));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function keyOf(kind: string, ...numbers: readonly number[]): Uint8Array {
	const key = new Uint8Array(kind.length + 4 * numbers.length);
	encoder.encodeInto(kind, key);
	const view = new DataView(key.buffer);
	for (const [index, number] of numbers.entries()) view.setUint32(kind.length + 4 * index, number);
	return key;
}
