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
	return Uint8Array.from(bytes);
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
	const next = () => {
		let value = 0;
		let scale = 1;
		while (at < to) {
			const byte = bytes[at++] as number;
			value += (byte & 0x7f) * scale;
			if (byte < 0x80) return value;
			scale *= 0x80;
		}
		throw new RangeError("postings end within a number");
	};
	while (at < to) {
		const byte = bytes[at] as number;
		// most are a byte long
		if (byte < 0x80) at += 1;
		const step = byte < 0x80 ? byte : next();
		document += Math.floor(step / 2);
		onPosting(document, step % 2 === 0 ? 1 : next());
	}
}

function putNumber(bytes: number[], number: number): void {
	let left = number;
	while (left >= 0x80) {
		bytes.push((left % 0x80) + 0x80);
		left = Math.floor(left / 0x80);
	}
	bytes.push(left);
}
