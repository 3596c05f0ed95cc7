/**
 * Postings of one term in one segment: documents that hold it, ascending, each with how often. On the wire each is the
 * distance from the document before it (the first: from the segment's first) and whether it stands there once, in one
 * varint: `distance * 2`, or `distance * 2 + 1` with how often in a second.
 */

/** Told of each posting. */
export type OnPosting = (document: number, times: number) => void;

/** Encodes postings given as `document, times, document, times, …`, documents counted from the segment's first. */
export function encodePostings(pairs: readonly number[]): Uint8Array {
	const bytes: number[] = [];
	let last = 0;
	for (let at = 0; at < pairs.length; at += 2) {
		const document = pairs[at] as number;
		const times = pairs[at + 1] as number;
		putNumber(bytes, (document - last) * 2 + (times === 1 ? 0 : 1));
		if (times !== 1) putNumber(bytes, times);
		last = document;
	}
	return new Uint8Array(bytes);
}

/**
 * Tells the postings in bytes that {@link encodePostings} gave, those of `bytes` from `from` up to `to`; `first` is the
 * number of the segment's first document.
 */
export function decodePostings(
	bytes: Uint8Array,
	first: number,
	onPosting: OnPosting,
	from = 0,
	to = bytes.length,
): void {
	let at = from;
	let document = first;
	// numbers are read in place: a function for it would have to share where it stands
	while (at < to) {
		let step = 0;
		let byte = 0x80;
		for (let scale = 1; byte >= 0x80; scale *= 0x80) {
			if (at >= to) throw new RangeError(CUT_SHORT);
			byte = bytes[at++] as number;
			step += (byte & 0x7f) * scale;
		}
		document += Math.floor(step / 2);
		let times = 1;
		if (step % 2 === 1) {
			times = 0;
			byte = 0x80;
			for (let scale = 1; byte >= 0x80; scale *= 0x80) {
				if (at >= to) throw new RangeError(CUT_SHORT);
				byte = bytes[at++] as number;
				times += (byte & 0x7f) * scale;
			}
		}
		onPosting(document, times);
	}
}

const CUT_SHORT = "postings end within a number";

function putNumber(bytes: number[], number: number): void {
	let left = number;
	while (left >= 0x80) {
		bytes.push((left % 0x80) + 0x80);
		left = Math.floor(left / 0x80);
	}
	bytes.push(left);
}
