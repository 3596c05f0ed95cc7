import { commonStem, isInflected } from "../../../projections/recall/inflection.ts";
import type { TermSpace } from "../../../projections/recall/rows.ts";
import type { FoundTerm, RecallSource } from "../../engine/recall-index.ts";
import type { Unit } from "./plan.ts";

/** Rows read for what may be a form of a word, or begin with it. */
const MOST_ROWS = 1000;

/** What a form of a word, and a word that begins with it, count beside the word itself. */
const INFLECTED = 0.75;
const BEGINS = 0.4;

/** Shortest term whose beginnings are looked for, characters; of a script without spaces one will do. */
const SHORTEST_PREFIX = 3;

/**
 * BM25's constants: how soon more of the same adds little, and how much long documents are held back. The second is usually
 * 0.75; here long ones are mostly whole files, and at 0.4 more of what was asked for is found (`recall eval`).
 */
const K1 = 1.2;
const B = 0.4;

/** Where a term stands, and what that is worth. */
export interface UnitMatches {
	/** documents, ascending within a segment */
	readonly documents: readonly number[];
	/** by document: how much the term counts there, rarity left out */
	readonly worth: Float64Array;
	/** by document: how near the word comes to what was asked for, up to 1 */
	readonly nearness: Float64Array;
	/** documents that hold the word or a form of it */
	readonly frequency: number;
}

/** Looks a term up in the spaces, with its forms where it is to be expanded. */
export async function matchesOf(
	source: RecallSource,
	unit: Unit,
	spaces: readonly TermSpace[],
): Promise<UnitMatches> {
	const count = source.records.length;
	const mean = source.words / Math.max(1, count);
	const documents: number[] = [];
	const worth = new Float64Array(count);
	const nearness = new Float64Array(count);
	let frequency = 0;
	const take = (found: readonly FoundTerm[], near: number) => {
		const counts = near > BEGINS || frequency === 0;
		for (const { each } of found) {
			each((document, times) => {
				// one that is being taken in has no record yet
				if (document >= count) return;
				if (nearness[document] === 0) {
					documents.push(document);
					if (counts) frequency += 1;
				}
				const length = (source.records[document]?.words ?? 0) / mean;
				const value = (near * times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
				if (value > (worth[document] as number)) worth[document] = value;
				if (near > (nearness[document] as number)) nearness[document] = near;
			});
		}
	};
	for (const space of spaces) {
		const [exact, others] = await Promise.all([source.find(space, unit.term), formsOf(source, space, unit)]);
		take(exact, 1);
		take(
			others.filter(({ term }) => isInflected(unit.term, term)),
			INFLECTED,
		);
		take(
			others.filter(({ term }) => !isInflected(unit.term, term)),
			BEGINS,
		);
	}
	return { documents, worth, nearness, frequency };
}

/** Terms beside the unit's own that are forms of it or begin with it. */
async function formsOf(
	source: RecallSource,
	space: TermSpace,
	{ term, expands }: Unit,
): Promise<FoundTerm[]> {
	const isShort = [...term].length < SHORTEST_PREFIX && /^[\x20-\x7e]*$/.test(term);
	if (!expands || isShort) return [];
	const found = await source.find(space, commonStem(term), { most: MOST_ROWS });
	return found.filter(
		(each) => each.term !== term && (each.term.startsWith(term) || isInflected(term, each.term)),
	);
}
