import { decodePostings, type OnPosting } from "./postings.ts";

/**
 * Blocks of a segment's terms, in the order of their code units. Of each term a block holds how many bytes of its UTF-8
 * it shares with the one before, how many follow, these, how long its postings are, and the postings: a row for each
 * term would weigh twice as much.
 */

/** Terms in a block. */
export const BLOCK_TERMS = 64;

/** A term and its encoded postings. */
export type TermPostings = readonly [term: string, postings: Uint8Array];

/** Encodes a block. Terms are at most 192 bytes of UTF-8. */
export function encodeBlock(terms: readonly TermPostings[]): Uint8Array {
	const most = terms.reduce((sum, [term, postings]) => sum + 3 * term.length + postings.length + 7, 0);
	const bytes = new Uint8Array(most);
	let at = 0;
	let last = new Uint8Array(256);
	let key = new Uint8Array(256);
	let before = 0;
	for (const [term, postings] of terms) {
		const { written: length } = encoder.encodeInto(term, key);
		let shared = 0;
		while (shared < before && shared < length && last[shared] === key[shared]) shared += 1;
		bytes[at++] = shared;
		bytes[at++] = length - shared;
		for (let from = shared; from < length; from++) bytes[at++] = key[from] as number;
		let left = postings.length;
		for (; left >= 0x80; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80;
		bytes[at++] = left;
		bytes.set(postings, at);
		at += postings.length;
		[last, key] = [key, last];
		before = length;
	}
	return bytes.slice(0, at);
}

/** A term found in a block; `each` tells its postings. */
export interface BlockTerm {
	readonly term: string;
	each(onPosting: OnPosting): void;
}

/**
 * The terms of a block that are `wanted`, or with `asPrefix` begin so; `first` is the number of the segment's first
 * document.
 */
export function findInBlock(
	block: Uint8Array,
	wanted: string,
	asPrefix: boolean,
	first: number,
): BlockTerm[] {
	const sought = encoder.encode(wanted);
	const found: BlockTerm[] = [];
	/** the last term found, or as much of it as is sought */
	const key = new Uint8Array(256);
	if (sought.length > key.length) return found;
	key.set(sought);
	let at = 0;
	/** bytes of the term at hand that are those sought, from its start */
	let same = 0;
	while (at < block.length) {
		const shared = block[at] as number;
		// terms only grow: one that has less of what is sought than the one before stands behind all that have it
		if (shared < same) break;
		const text = at + 2;
		const length = shared + (block[at + 1] as number);
		at = text + length - shared;
		let size = 0;
		let byte = 0x80;
		for (let shift = 0; byte >= 0x80; shift += 7) {
			byte = block[at++] as number;
			size |= (byte & 0x7f) << shift;
		}
		const from = at;
		at += size;
		// it differs where the one before did
		if (shared > same && same < sought.length) continue;
		const start = text - shared;
		while (same < length && same < sought.length && block[start + same] === sought[same]) same += 1;
		if (same < sought.length) {
			const next = sought[same] as number;
			if (same < length && next < IN_ORDER && (block[start + same] as number) > next) break;
			continue;
		}
		if (length > sought.length && !asPrefix) break;
		for (let to = shared; to < length; to++) key[to] = block[start + to] as number;
		const term = length === sought.length ? wanted : decoder.decode(key.subarray(0, length));
		const to = at;
		found.push({ term, each: (onPosting) => decodePostings(block, first, onPosting, from, to) });
	}
	return found;
}

/** Bytes below this stand in UTF-8 in the order of the code units they are made from. */
const IN_ORDER = 0xee;

/**
 * Which blocks may hold a term, or one that begins so, given the first term of each: from the first of these numbers up
 * to the second.
 */
export function blocksFor(
	firsts: readonly string[],
	term: string,
	asPrefix: boolean,
): [from: number, to: number] {
	const from = Math.max(0, countUpTo(firsts, (first) => first <= term) - 1);
	const to = asPrefix ? countUpTo(firsts, (first) => first <= term || first.startsWith(term)) - 1 : from;
	return [from, Math.min(to, firsts.length - 1)];
}

/** How many of a list are so, where those that are come first. */
function countUpTo(list: readonly string[], isSo: (item: string) => boolean): number {
	let low = 0;
	let high = list.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (isSo(list[middle] as string)) low = middle + 1;
		else high = middle;
	}
	return low;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
