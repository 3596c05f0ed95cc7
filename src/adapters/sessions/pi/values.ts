import type { TextPiece } from "./pieces.ts";
import { flawOf, type Judge, salvage } from "./salvage.ts";

/** A stretch of a piece: a whole JSON value, or bytes that are none. White space between them is left out. */
export type Stretch =
	| { readonly whole: true; readonly value: unknown; readonly bytes: Buffer; readonly offset: number }
	| {
			readonly whole: false;
			readonly reason: "bad-escape" | "truncated" | "malformed" | "unterminated";
			readonly bytes: Buffer;
			readonly offset: number;
	  };

/**
 * Reads a piece: one JSON value as a rule, else what can be salvaged and what lies between, in order.
 * `judge` knows what an entry of this session looks like.
 */
export function valuesOf(piece: TextPiece, judge: Judge): Stretch[] {
	const { bytes, offset } = piece;
	const [start, end] = trim(bytes, 0, bytes.length);
	if (start === end) return [];
	try {
		const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
		return [{ whole: true, value, bytes: bytes.subarray(start, end), offset: offset + start }];
	} catch {
		return brokenValues(piece, judge, start, end);
	}
}

function brokenValues(piece: TextPiece, judge: Judge, start: number, end: number): Stretch[] {
	const { bytes, offset, opensLine, end: followedBy } = piece;
	const stretches: Stretch[] = [];
	let done = start;
	function lose(upTo: number): void {
		const [from, to] = trim(bytes, done, upTo);
		if (from === to) return;
		const lost = bytes.subarray(done, upTo);
		const flaw = flawOf(lost);
		const reason = flaw === "truncated" && followedBy === "file" && upTo === end ? "unterminated" : flaw;
		stretches.push({ whole: false, reason, bytes: lost, offset: offset + done });
	}
	for (const found of salvage(bytes, opensLine, judge)) {
		lose(found.start);
		const slice = bytes.subarray(found.start, found.end);
		stretches.push({ whole: true, value: found.raw, bytes: slice, offset: offset + found.start });
		done = found.end;
	}
	lose(end);
	return stretches;
}

function trim(bytes: Buffer, from: number, to: number): [number, number] {
	let start = from;
	let end = to;
	while (start < end && isSpace(bytes[start])) start++;
	while (end > start && isSpace(bytes[end - 1])) end--;
	return [start, end];
}

function isSpace(byte: number | undefined): boolean {
	return byte === 32 || byte === 9 || byte === 13;
}
