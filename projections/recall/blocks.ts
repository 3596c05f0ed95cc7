import type { PostingList } from "./posting-list.ts";
import { decodePostings, encodePostings, POSTING_BYTES } from "./postings.ts";

/**
 * Blocks of a segment's terms, in the order of their code units. Of each term a block holds how many bytes of its UTF-8
 * it shares with the one before, how many follow, these, how long its postings are, and the postings: a row for each
 * term would weigh twice as much.
 */

/** Terms in a block. */
export const BLOCK_TERMS = 64;

/** Bytes of UTF-8 that there is room for: a term has 192 at most. */
const LONGEST_KEY = 256;

/** Most bytes that a term takes, with how many there are and how long its postings are. */
const TERM_BYTES = 192 + 7;

/** Writes a block, term by term in order. */
export class BlockWriter {
	/** terms in it */
	count = 0;
	#bytes = new Uint8Array(4096);
	#end = 0;
	/** the UTF-8 of the term before, and of the one at hand */
	#last = new Uint8Array(LONGEST_KEY);
	#key = new Uint8Array(LONGEST_KEY);
	#before = 0;
	#postings = new Uint8Array(1024);

	/** Adds a term of at most 192 bytes of UTF-8, and its postings, documents counted from the segment's first. */
	add(term: string, list: PostingList): void {
		const key = this.#key;
		const last = this.#last;
		const length = putText(term, key);
		let shared = 0;
		while (shared < this.#before && shared < length && last[shared] === key[shared]) shared += 1;
		const most = list.length * POSTING_BYTES;
		if (this.#postings.length < most) this.#postings = new Uint8Array(2 * most);
		const size = encodePostings(list, this.#postings, 0);
		this.#reserve(TERM_BYTES + size);
		const bytes = this.#bytes;
		let at = this.#end;
		bytes[at++] = shared;
		bytes[at++] = length - shared;
		for (let from = shared; from < length; from++) bytes[at++] = key[from] as number;
		let left = size;
		for (; left >= 0x80; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80;
		bytes[at++] = left;
		for (let from = 0; from < size; from++) bytes[at++] = this.#postings[from] as number;
		this.#end = at;
		this.#last = key;
		this.#key = last;
		this.#before = length;
		this.count += 1;
	}

	/** The block; the next one begins empty. */
	take(): Uint8Array {
		const block = this.#bytes.slice(0, this.#end);
		this.#end = 0;
		this.#before = 0;
		this.count = 0;
		return block;
	}

	#reserve(more: number): void {
		if (this.#end + more <= this.#bytes.length) return;
		const larger = new Uint8Array(2 * (this.#end + more));
		larger.set(this.#bytes.subarray(0, this.#end));
		this.#bytes = larger;
	}
}

/** Writes a term's UTF-8, and tells how long it is. */
function putText(term: string, bytes: Uint8Array): number {
	for (let at = 0; at < term.length; at++) {
		const unit = term.charCodeAt(at);
		if (unit > 0x7f) return encoder.encodeInto(term, bytes).written;
		bytes[at] = unit;
	}
	return term.length;
}

/** A term that was found. */
export interface FoundTerm {
	readonly term: string;
	/** Adds its postings to a list. */
	readonly addTo: (list: PostingList) => void;
}

/** What is looked for in blocks. */
export interface Sought {
	/** a term, or with `asPrefix` what it begins with */
	readonly text: string;
	readonly asPrefix: boolean;
	/** the UTF-8 of the text */
	readonly bytes: Uint8Array;
}

/** A term to look for, or with `asPrefix` what terms begin with. */
export function soughtOf(text: string, asPrefix: boolean): Sought {
	return { text, asPrefix, bytes: encoder.encode(text) };
}

/** The terms of a block that are looked for; `first` is the number of the segment's first document. */
export function findInBlock(
	block: Uint8Array,
	{ text: wanted, asPrefix, bytes: sought }: Sought,
	first: number,
): FoundTerm[] {
	const found: FoundTerm[] = [];
	/** the last term found, or as much of it as is sought; made once one is */
	let key: Uint8Array | undefined;
	if (sought.length > LONGEST_KEY) return found;
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
		let term = wanted;
		if (length > sought.length) {
			key ??= keyFor(sought);
			for (let to = shared; to < length; to++) key[to] = block[start + to] as number;
			term = decoder.decode(key.subarray(0, length));
		}
		const to = at;
		found.push({ term, addTo: (list) => decodePostings(block, first, list, from, to) });
	}
	return found;
}

function keyFor(sought: Uint8Array): Uint8Array {
	const key = new Uint8Array(LONGEST_KEY);
	key.set(sought);
	return key;
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
