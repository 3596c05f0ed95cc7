import type { FoundTerm } from "../../../projections/recall/blocks.ts";
import { commonStem, formsOf } from "../../../projections/recall/inflection.ts";
import type { TermSpace } from "../../../projections/recall/rows.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import type { Unit } from "./plan.ts";
import type { Scratch } from "./scratch.ts";

/** What a form of a word, and a word that begins with it, count beside the word itself. */
const INFLECTED = 0.8;
const BEGINS = 0.4;

/** Shortest term whose beginnings are looked for, characters; of a script without spaces one will do. */
const SHORTEST_PREFIX = 3;

/**
 * BM25's constants: how soon more of the same adds little, and how much long documents are held back. Usually they are 1.2
 * and 0.75; here long ones are mostly whole files, and those that say a word often are not the ones meant. At these more
 * of what was asked for is found (`npm run bench -- recall-eval`).
 */
const K1 = 0.8;
const B = 0.25;

/** Where a term stands. */
export interface UnitMatches {
	/** how many documents hold the term, a form of it, or what begins with it */
	readonly count: number;
	/** documents that hold the word or a form of it; where there are none, those that hold what begins with it */
	readonly frequency: number;
}

/**
 * Looks a term up in the spaces, with its forms where it is to be expanded, and writes down which documents were found,
 * and by document what it is worth there and how near it comes, for the caller to clear.
 */
export function matchesOf(
	source: RecallSource,
	unit: Unit,
	spaces: readonly TermSpace[],
	{ lengths, worth, nearness, found, postings }: Scratch,
): UnitMatches {
	const count = source.records.length;
	const perWord = (K1 * B * count) / Math.max(1, source.words);
	let matches = 0;
	let frequency = 0;
	const take = (terms: readonly FoundTerm[], near: number) => {
		postings.length = 0;
		for (const { addTo } of terms) addTo(postings);
		const { documents, times, length } = postings;
		for (let at = 0; at < length; at++) {
			const document = documents[at] as number;
			// one that is being taken in has no record yet
			if (document >= count) continue;
			const often = times[at] as number;
			const value =
				(near * often * (K1 + 1)) / (often + K1 * (1 - B) + perWord * (lengths[document] as number));
			if (nearness[document] === 0) found[matches++] = document;
			if (value > (worth[document] as number)) worth[document] = value;
			if (near > (nearness[document] as number)) nearness[document] = near;
		}
	};
	for (const space of spaces) {
		const { exact, forms, longer } = termsFor(source, space, unit);
		take(exact, 1);
		take(forms, INFLECTED);
		frequency = matches;
		take(longer, BEGINS);
	}
	return { count: matches, frequency: frequency === 0 ? matches : frequency };
}

interface TermsFor {
	readonly exact: readonly FoundTerm[];
	/** other forms of the word */
	readonly forms: readonly FoundTerm[];
	/** what begins with it */
	readonly longer: readonly FoundTerm[];
}

function termsFor(source: RecallSource, space: TermSpace, { term, expands }: Unit): TermsFor {
	const isShort = [...term].length < SHORTEST_PREFIX && /^[\x20-\x7e]*$/.test(term);
	if (!expands || isShort) return { exact: source.find(space, term), forms: [], longer: [] };
	const exact: FoundTerm[] = [];
	const forms: FoundTerm[] = [];
	const longer: FoundTerm[] = [];
	const isFormOf = formsOf(term);
	const known = new Map<string, boolean>();
	for (const found of source.find(space, term, commonStem(term))) {
		if (found.term === term) {
			exact.push(found);
			continue;
		}
		let isForm = known.get(found.term);
		if (isForm === undefined) {
			isForm = isFormOf(found.term);
			known.set(found.term, isForm);
		}
		if (isForm) forms.push(found);
		else if (found.term.startsWith(term)) longer.push(found);
	}
	return { exact, forms, longer };
}
