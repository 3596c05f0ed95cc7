import type { PostingList } from "./posting-list.ts";
import { textOf } from "./terms.ts";

/** A term of a table. */
export interface Term {
	readonly text: string;
	/** its place among the terms, in the order they came */
	readonly number: number;
}

/** Fields of a term, one behind the other: they are read together, and mostly from memory that is far away. */
const FIELDS = 8;
const HASH = 0;
/** where it begins among the units, and how many it has */
const START = 1;
const LENGTH = 2;
/** its last posting: the document, how often, and where the one before that lies; -1 where there is none */
const DOCUMENT = 3;
const TIMES = 4;
const BEFORE = 5;
/** postings of it */
const COUNT = 6;

/** Fields of a posting that is not the last of its term: the document, how often, and where the one before lies. */
const POSTING = 3;

/**
 * Terms of a segment that is being gathered, and where they stand. Terms lie one behind the other in one list of code
 * units, found by a hash of them, so that none is made a string, which would keep the text it was cut from. Postings of
 * all of them lie in one list, each telling where the one before it of its term is: lists for each term would keep the
 * collector of memory busy for too long.
 */
export class TermTable {
	/** terms by their hash, with a linear search: one more than their numbers, 0 where there is none */
	#slots = new Int32Array(2048);
	#terms = new Int32Array(FIELDS * 1024);
	#units = new Uint16Array(8192);
	#postings = new Int32Array(POSTING * 4096);
	/** numbers of the terms, by their first two code units */
	readonly #beginnings = new Map<number, number[]>();
	/** how many terms, units and fields of postings there are */
	#count = 0;
	#unitsEnd = 0;
	#postingsEnd = 0;

	/**
	 * Notes that a document holds the term in `units` from `from` up to `to` once more; the last document noted, or one
	 * behind it. False for a new term.
	 */
	note(units: Uint16Array, from: number, to: number, document: number): boolean {
		const number = this.#find(units, from, to);
		if (number === -1) return false;
		const term = FIELDS * number;
		if (this.#terms[term + DOCUMENT] !== document) this.#keepLast(term, document);
		(this.#terms[term + TIMES] as number)++;
		return true;
	}

	/** Begins a term with the document that holds it first. */
	begin(units: Uint16Array, from: number, to: number, document: number): void {
		if (2 * this.#count >= this.#slots.length) this.#rehash();
		const number = this.#count++;
		const term = FIELDS * number;
		if (term === this.#terms.length) this.#terms = grown(this.#terms);
		const start = this.#unitsEnd;
		this.#unitsEnd += to - from;
		if (this.#unitsEnd > this.#units.length) {
			const larger = new Uint16Array(2 * this.#units.length);
			larger.set(this.#units);
			this.#units = larger;
		}
		this.#units.set(units.subarray(from, to), start);
		const terms = this.#terms;
		terms[term + HASH] = hashOf(units, from, to);
		terms[term + START] = start;
		terms[term + LENGTH] = to - from;
		terms[term + DOCUMENT] = document;
		terms[term + TIMES] = 1;
		terms[term + BEFORE] = -1;
		terms[term + COUNT] = 1;
		this.#fill(number);
		const beginning = beginningOf(units, from, to);
		const known = this.#beginnings.get(beginning);
		if (known) known.push(number);
		else this.#beginnings.set(beginning, [number]);
	}

	/** The number of a term; -1 where it is not there. */
	numberOf(text: string): number {
		const units = unitsOf(text);
		return this.#find(units, 0, units.length);
	}

	/** Adds the postings of a term to a list, documents counted from `first`. */
	addPostings(number: number, first: number, list: PostingList): void {
		const term = FIELDS * number;
		const terms = this.#terms;
		const count = terms[term + COUNT] as number;
		list.reserve(count);
		list.length += count;
		const { documents, times } = list;
		let end = list.length - 1;
		documents[end] = first + (terms[term + DOCUMENT] as number);
		times[end] = terms[term + TIMES] as number;
		const postings = this.#postings;
		for (let at = terms[term + BEFORE] as number; at !== -1; at = postings[at + 2] as number) {
			end -= 1;
			documents[end] = first + (postings[at] as number);
			times[end] = postings[at + 1] as number;
		}
	}

	/** Terms that begin so, in the order they came. O(terms) where that is less than two code units. */
	*termsFrom(prefix: string): Generator<Term> {
		const sought = unitsOf(prefix);
		const isShort = sought.length < 2;
		const numbers = isShort ? undefined : (this.#beginnings.get(beginningOf(sought, 0, 2)) ?? []);
		const count = numbers?.length ?? this.#count;
		for (let at = 0; at < count; at++) {
			const number = numbers ? (numbers[at] as number) : at;
			const term = FIELDS * number;
			const start = this.#terms[term + START] as number;
			const isLonger = (this.#terms[term + LENGTH] as number) >= sought.length;
			if (isLonger && isSame(this.#units, start, sought, 0, sought.length))
				yield { text: this.#textOf(term), number };
		}
	}

	/** All terms by their code units, in runs of those whose first two are the same. */
	*inOrder(): Generator<Term[]> {
		for (const [, numbers] of [...this.#beginnings].sort(([a], [b]) => a - b)) {
			const run = numbers.map((number) => ({ text: this.#textOf(FIELDS * number), number }));
			yield run.sort((a, b) => (a.text < b.text ? -1 : 1));
		}
	}

	#textOf(term: number): string {
		const start = this.#terms[term + START] as number;
		return textOf(this.#units, start, start + (this.#terms[term + LENGTH] as number));
	}

	#find(units: Uint16Array, from: number, to: number): number {
		const hash = hashOf(units, from, to);
		const length = to - from;
		const slots = this.#slots;
		const terms = this.#terms;
		const most = slots.length - 1;
		for (let slot = hash & most; ; slot = (slot + 1) & most) {
			const number = (slots[slot] as number) - 1;
			if (number === -1) return -1;
			const term = FIELDS * number;
			if (terms[term + HASH] !== hash || terms[term + LENGTH] !== length) continue;
			if (isSame(this.#units, terms[term + START] as number, units, from, length)) return number;
		}
	}

	/** Puts the last posting of a term with the others, and begins another. */
	#keepLast(term: number, document: number): void {
		const terms = this.#terms;
		const at = this.#postingsEnd;
		if (at === this.#postings.length) this.#postings = grown(this.#postings);
		this.#postings[at] = terms[term + DOCUMENT] as number;
		this.#postings[at + 1] = terms[term + TIMES] as number;
		this.#postings[at + 2] = terms[term + BEFORE] as number;
		this.#postingsEnd = at + POSTING;
		terms[term + DOCUMENT] = document;
		terms[term + TIMES] = 0;
		terms[term + BEFORE] = at;
		(terms[term + COUNT] as number)++;
	}

	#fill(number: number): void {
		const slots = this.#slots;
		const most = slots.length - 1;
		let slot = (this.#terms[FIELDS * number + HASH] as number) & most;
		while (slots[slot] !== 0) slot = (slot + 1) & most;
		slots[slot] = number + 1;
	}

	#rehash(): void {
		this.#slots = new Int32Array(2 * this.#slots.length);
		for (let number = 0; number < this.#count; number++) this.#fill(number);
	}
}

/** FNV-1a over code units, its upper bits brought down to where slots are counted. */
function hashOf(units: Uint16Array, from: number, to: number): number {
	let hash = 0x811c9dc5;
	for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
	return hash ^ (hash >>> 15);
}

function isSame(a: Uint16Array, fromA: number, b: Uint16Array, fromB: number, length: number): boolean {
	for (let at = 0; at < length; at++) if (a[fromA + at] !== b[fromB + at]) return false;
	return true;
}

function unitsOf(text: string): Uint16Array {
	const units = new Uint16Array(text.length);
	for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
	return units;
}

/** The first two code units of a term, as a number in their order. */
function beginningOf(units: Uint16Array, from: number, to: number): number {
	return (units[from] as number) * 0x10000 + (to > from + 1 ? (units[from + 1] as number) : 0);
}

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
	const larger = new Int32Array(2 * list.length);
	larger.set(list);
	return larger;
}
