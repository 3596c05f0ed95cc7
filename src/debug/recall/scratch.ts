import { PostingList } from "../../../projections/recall/posting-list.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import type { RecallSource } from "../../engine/recall-index.ts";

/**
 * What a search writes down of each document while it looks words up: lists as long as there are documents, made once
 * for an index and cleared where they were written to. A search holds them from its start to its end, without a pause.
 */
export interface Scratch {
	/** documents whose lengths and classes are known */
	filled: number;
	/** words of each document */
	readonly lengths: Float64Array;
	/** 1 for those whose text tells again what stands elsewhere */
	readonly derived: Uint8Array;
	/** of the term at hand: what it is worth, and how near it comes to what was asked for */
	readonly worth: Float64Array;
	readonly nearness: Float64Array;
	/** of the word at hand: how much of it the document holds */
	readonly share: Float64Array;
	/** of all words so far */
	readonly score: Float64Array;
	readonly cover: Float64Array;
	/** terms of phrases that the document holds */
	readonly required: Uint8Array;
	/** of the terms that are looked up at once */
	readonly postings: PostingList;
	/** documents that hold the term at hand, the word at hand, any word: only their beginnings are in use */
	readonly found: Int32Array;
	readonly touched: Int32Array;
	readonly seen: Int32Array;
	/** what the documents `seen` are worth in all, in their order */
	readonly scores: Float64Array;
}

const scratches = new WeakMap<RecallSource, Scratch>();

/** The lists of an index, at least as long as it has documents. */
export function scratchOf(source: RecallSource): Scratch {
	const { records } = source;
	let scratch = scratches.get(source);
	const known = scratch?.lengths.length ?? 0;
	if (scratch === undefined || known < records.length) {
		scratch = scratchFor(Math.ceil(records.length * 1.25) + 64);
		scratches.set(source, scratch);
	}
	for (; scratch.filled < records.length; scratch.filled++) {
		const { words, sourceClass } = records[scratch.filled] as RecallRecord;
		scratch.lengths[scratch.filled] = words;
		scratch.derived[scratch.filled] = sourceClass === "derived" ? 1 : 0;
	}
	return scratch;
}

/** Drops the lists of an index, which a search that did not come to its end has left as they were. */
export function forgetScratch(source: RecallSource): void {
	scratches.delete(source);
}

function scratchFor(size: number): Scratch {
	const list = () => new Float64Array(size);
	const documents = () => new Int32Array(size);
	return {
		filled: 0,
		lengths: list(),
		worth: list(),
		nearness: list(),
		share: list(),
		score: list(),
		cover: list(),
		required: new Uint8Array(size),
		derived: new Uint8Array(size),
		postings: new PostingList(),
		found: documents(),
		touched: documents(),
		seen: documents(),
		scores: list(),
	};
}
