import type { PostingList } from "./posting-list.ts";

/**
 * Postings of one term in one segment: documents that hold it, ascending, each with how often. On the wire each is the
 * distance from the document before it (the first: from the segment's first) and whether it stands there once, in one
 * varint: `distance * 2`, or `distance * 2 + 1` with how often in a second.
 */

/** Most bytes that a posting takes. */
export const POSTING_BYTES = 10;

/** Writes postings, documents counted from the segment's first, into bytes from `at` on; tells where they end. */
export function encodePostings(
	{ documents, times, length }: PostingList,
	bytes: Uint8Array,
	at: number,
): number {
	let end = at;
	let last = 0;
	for (let index = 0; index < length; index++) {
		const document = documents[index] as number;
		const often = times[index] as number;
		end = putNumber(bytes, end, (document - last) * 2 + (often === 1 ? 0 : 1));
		if (often !== 1) end = putNumber(bytes, end, often);
		last = document;
	}
	return end;
}

/**
 * Adds the postings in bytes that {@link encodePostings} wrote, those of `bytes` from `from` up to `to`, to a list;
 * `first` is the number of the segment's first document.
 */
export function decodePostings(
	bytes: Uint8Array,
	first: number,
	list: PostingList,
	from = 0,
	to = bytes.length,
): void {
	list.reserve(to - from);
	const { documents, times } = list;
	let at = from;
	let document = first;
	let { length } = list;
	// numbers are read in place: a function for it would have to share where it stands
	while (at < to) {
		let step = bytes[at++] as number;
		if (step >= 0x80) {
			step &= 0x7f;
			let byte = 0x80;
			for (let shift = 7; byte >= 0x80; shift += 7) {
				if (at >= to) throw new RangeError(CUT_SHORT);
				byte = bytes[at++] as number;
				step |= (byte & 0x7f) << shift;
			}
		}
		let often = 1;
		if ((step & 1) === 1) {
			if (at >= to) throw new RangeError(CUT_SHORT);
			often = bytes[at++] as number;
			if (often >= 0x80) {
				often &= 0x7f;
				let byte = 0x80;
				for (let shift = 7; byte >= 0x80; shift += 7) {
					if (at >= to) throw new RangeError(CUT_SHORT);
					byte = bytes[at++] as number;
					often |= (byte & 0x7f) << shift;
				}
			}
		}
		document += step >>> 1;
		documents[length] = document;
		times[length++] = often;
	}
	list.length = length;
}

const CUT_SHORT = "postings end within a number";

function putNumber(bytes: Uint8Array, at: number, number: number): number {
	let end = at;
	let left = number;
	for (; left >= 0x80; left >>>= 7) bytes[end++] = (left & 0x7f) | 0x80;
	bytes[end++] = left;
	return end;
}
