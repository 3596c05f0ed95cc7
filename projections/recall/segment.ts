import { BLOCK_TERMS, BlockWriter, type FoundTerm } from "./blocks.ts";
import type { RecallDocument, RecallKind } from "./document.ts";
import { PostingList } from "./posting-list.ts";
import { blockKey, documentsKey, encodeJson, encodeParts, firstsKey, type TermSpace } from "./rows.ts";
import { type Term, TermTable } from "./term-table.ts";
import { eachTerm, normalised, textOf } from "./terms.ts";
import { Units } from "./units.ts";

/** What the index keeps of a document beside its terms. */
export interface RecallRecord extends Omit<RecallDocument, "text" | "thinking"> {
	/** how many words its text has */
	readonly words: number;
	/** a digest of how its text begins: two of the same begin alike */
	readonly beginning: number;
}

/** Characters of texts and thoughts at which a segment closes, behind the document that reaches them. */
export const SEGMENT_CHARS = 4_000_000;

/** Characters looked at in one step: a millisecond or so. */
const STEP_CHARS = 32_768;

/** Records written down in one step. */
const STEP_RECORDS = 256;

/** Characters of a text that count for {@link RecallRecord.beginning}. */
const BEGINNING = 240;

/**
 * Documents gathered until there are enough to be written down. Segments are cut by what the documents hold alone, so the
 * same documents in the same order give the same rows, however they came.
 */
export class Segment {
	readonly number: number;
	/** number of its first document */
	readonly first: number;
	readonly records: RecallRecord[] = [];
	readonly #terms: { readonly [S in TermSpace]: TermTable } = { t: new TermTable(), h: new TermTable() };
	readonly #isWanted: ((term: string) => boolean) | undefined;
	readonly #units = new Units();
	#chars = 0;

	/** `isWanted` picks the terms to be kept; all of them unless given. */
	constructor(number: number, first: number, isWanted?: (term: string) => boolean) {
		this.number = number;
		this.first = first;
		this.#isWanted = isWanted;
	}

	/** Whether it holds as much as a segment does. */
	get isFull(): boolean {
		return this.#chars >= SEGMENT_CHARS;
	}

	/** Takes a document in, in steps: whoever iterates may do something else between them, but not ask the segment. */
	*add({ text, thinking, ...document }: RecallDocument): Generator<void> {
		let words = 0;
		for (const piece of piecesOf(text)) {
			words += this.#count("t", piece);
			yield;
		}
		for (const piece of piecesOf(thinking)) {
			this.#count("h", piece);
			yield;
		}
		const { id, at, kinds, tools, role, sourceClass, files } = document;
		const beginning = beginningOf(text);
		this.records.push({ id, at, kinds, tools, role, sourceClass, files, words, beginning });
		this.#chars += text.length + thinking.length;
	}

	/** A term, where it is there. */
	find(space: TermSpace, text: string): readonly FoundTerm[] {
		const terms = this.#terms[space];
		const number = terms.numberOf(text);
		return number === -1 ? [] : [this.#found(terms, { text, number })];
	}

	/** Terms that begin so, in the order they came. */
	*findFrom(space: TermSpace, prefix: string): Generator<FoundTerm> {
		const terms = this.#terms[space];
		for (const term of terms.termsFrom(prefix)) yield this.#found(terms, term);
	}

	/** Its rows: blocks of terms, the first term of each block, then the documents. `undefined` only gives others a turn. */
	*rows(): Generator<readonly [key: Uint8Array, value: Uint8Array] | undefined> {
		for (const space of ["t", "h"] as const) {
			const terms = this.#terms[space];
			const firsts: string[] = [];
			const block = new BlockWriter();
			const list = new PostingList();
			for (const run of terms.inOrder()) {
				yield undefined;
				for (const { text, number } of run) {
					if (block.count === 0) firsts.push(text);
					list.length = 0;
					terms.addPostings(number, 0, list);
					block.add(text, list);
					if (block.count === BLOCK_TERMS)
						yield [blockKey(space, this.number, firsts.length - 1), block.take()];
				}
			}
			if (block.count > 0) yield [blockKey(space, this.number, firsts.length - 1), block.take()];
			yield [firstsKey(space, this.number), encodeJson(firsts)];
		}
		yield [documentsKey(this.number), yield* encodeParts(this.#recordRows())];
	}

	/** Rows of the records, a few hundred at a time. */
	*#recordRows(): Generator<Row[]> {
		for (let from = 0; from < this.records.length; from += STEP_RECORDS)
			yield this.records.slice(from, from + STEP_RECORDS).map(rowOf);
	}

	#found(terms: TermTable, { text, number }: Term): FoundTerm {
		return { term: text, addTo: (list) => terms.addPostings(number, this.first, list) };
	}

	#count(space: TermSpace, text: string): number {
		const terms = this.#terms[space];
		const document = this.records.length;
		const isWanted = this.#isWanted;
		const units = this.#units;
		units.read(text);
		const { lower } = units;
		return eachTerm(units, (from, to) => {
			if (terms.note(lower, from, to, document)) return;
			if (isWanted?.(textOf(lower, from, to)) !== false) terms.begin(lower, from, to, document);
		});
	}
}

type Row = readonly [
	id: string,
	at: number,
	kinds: readonly RecallKind[],
	tools: readonly string[],
	role: string,
	isDerived: 0 | 1,
	files: readonly string[],
	words: number,
	beginning: number,
];

/** The records in a row of documents. */
export function recordsIn(row: unknown): RecallRecord[] {
	return (row as readonly Row[]).map(([id, at, kinds, tools, role, isDerived, files, words, beginning]) => ({
		id,
		at,
		kinds,
		tools,
		role,
		sourceClass: isDerived === 1 ? "derived" : "primary",
		files,
		words,
		beginning,
	}));
}

function rowOf(record: RecallRecord): Row {
	const { id, at, kinds, tools, role, sourceClass, files, words, beginning } = record;
	return [id, at, kinds, tools, role, sourceClass === "derived" ? 1 : 0, files, words, beginning];
}

/** A text in pieces of about a step, cut where a line or a word ends. */
function* piecesOf(text: string): Generator<string> {
	let from = 0;
	while (text.length - from > STEP_CHARS) {
		let to = from + STEP_CHARS;
		while (to < from + 2 * STEP_CHARS && to < text.length && !isSpace(text.charCodeAt(to))) to += 1;
		if (isLowSurrogate(text.charCodeAt(to))) to += 1;
		yield text.slice(from, to);
		from = to;
	}
	if (from < text.length) yield text.slice(from);
}

function isSpace(unit: number): boolean {
	return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

function isLowSurrogate(unit: number): boolean {
	return unit >= 0xdc00 && unit < 0xe000;
}

/** A digest of how a text begins, whatever its capitals and spaces: FNV-1a over code units, in two runs of 26 bits. */
function beginningOf(text: string): number {
	// spaces that do not count must not make the rest too short
	const start = normalised(text.slice(0, 4 * BEGINNING)).toLowerCase();
	let a = 0x811c9dc5;
	let b = 0x01000193;
	let isAfterSpace = true;
	for (let at = 0, count = 0; at < start.length && count < BEGINNING; at++) {
		const unit = start.charCodeAt(at);
		const space = isSpace(unit);
		if (space && isAfterSpace) continue;
		isAfterSpace = space;
		const counted = space ? 0x20 : unit;
		a = Math.imul(a ^ counted, 0x01000193);
		b = Math.imul(b ^ counted, 0x85ebca6b);
		count += 1;
	}
	return (a >>> 6) * 0x4000000 + (b >>> 6);
}
