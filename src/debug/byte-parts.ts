/** Bytes that are read where they are asked for, so that what they are part of need not be held whole. */
export interface BytePart {
	readonly bytes: number;
	/** the bytes from `from` up to, not including, `to`; never more */
	readonly read: (from: number, to: number) => Uint8Array;
}

/** Bytes that are there already. */
export function partOf(bytes: Uint8Array): BytePart {
	return { bytes: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}

/** Parts behind each other, with a line end between two. */
export function onLines(parts: readonly BytePart[]): BytePart {
	return behindEachOther(parts.flatMap((part, index) => (index > 0 ? [NEWLINE, part] : [part])));
}

/** Parts behind each other. Only those that a reading reaches are read. */
export function behindEachOther(parts: readonly BytePart[]): BytePart {
	const starts: number[] = [];
	let bytes = 0;
	for (const part of parts) {
		starts.push(bytes);
		bytes += part.bytes;
	}
	const read = (from: number, to: number): Uint8Array => {
		const found: Uint8Array[] = [];
		for (let at = lastAtMost(starts, from); at < parts.length; at++) {
			const [part, start = 0] = [parts[at], starts[at]];
			if (!part || start >= to) break;
			found.push(part.read(Math.max(0, from - start), Math.min(part.bytes, to - start)));
		}
		return Buffer.concat(found);
	};
	return { bytes, read };
}

/** The whole characters of some bytes in UTF-8, from `offset` on, at most `bytes` of them. */
export function textOf(
	part: BytePart,
	offset: number,
	bytes: number,
): { start: number; end: number; text: string } {
	const start = boundary(part, Math.min(offset, part.bytes));
	const end = boundary(part, Math.min(start + bytes, part.bytes));
	return { start, end, text: Buffer.from(part.read(start, end)).toString("utf8") };
}

const NEWLINE = partOf(Buffer.from("\n"));

/** Bytes of a character in UTF-8 at most, behind its first. */
const REST = 3;

/**
 * The nearest place at or before `at` where a character begins; `at` itself where there is none, for not all bytes are
 * text.
 */
function boundary(part: BytePart, at: number): number {
	if (at >= part.bytes) return at;
	const before = Math.min(REST, at);
	const near = part.read(at - before, at + 1);
	for (let back = 0; back <= before; back++) {
		if (((near[before - back] ?? 0) & 0xc0) !== 0x80) return at - back;
	}
	return at;
}

/** Index of the last of some ascending numbers that is at most `most`; 0 where none is. */
function lastAtMost(ascending: readonly number[], most: number): number {
	let [low, high] = [0, ascending.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((ascending[middle] ?? 0) <= most) low = middle;
		else high = middle - 1;
	}
	return low;
}
