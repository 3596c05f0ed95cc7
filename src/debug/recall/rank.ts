import type { RecallQuery } from "../../../projections/recall/query.ts";
import type { TermSpace } from "../../../projections/recall/rows.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { matchesOf } from "./lookup.ts";
import type { Plan, Unit } from "./plan.ts";
import { rarityOf } from "./rarity.ts";
import { forgetScratch, type Scratch, scratchOf } from "./scratch.ts";
import { type Candidate, inOrder } from "./top.ts";

/** What a text that tells again what stands elsewhere counts beside one that told it first. */
const DERIVED = 0.2;

/** Of a word found in another form, what counts as found beside its parts. */
const REST = 0.3;

/** Documents that match, and how good they are. */
export interface Ranked {
	readonly total: number;
	/** in order, worked out as far as it is asked for */
	best(): Iterable<Candidate>;
}

/**
 * Ranks what holds any of the words and all the terms of phrases: BM25, times the fourth power of how much of the words
 * a document holds; there a rare word counts more than a common one, by the root of how much more it says. What is given
 * is to be read before the next search of the index. Throws what looking up and `isAllowed` throw.
 */
export function rank(...asked: Parameters<typeof ranked>): Ranked {
	try {
		return ranked(...asked);
	} catch (error) {
		// the lists are not cleared, and would hide from the next search what this one had seen
		forgetScratch(asked[0]);
		throw error;
	}
}

function ranked(
	source: RecallSource,
	plan: Plan,
	query: RecallQuery,
	isAllowed: (document: number) => boolean,
): Ranked {
	const scratch = scratchOf(source);
	const { cover, share, touched, seen } = scratch;
	const spaces: TermSpace[] = query.thinking ? ["t", "h"] : ["t"];
	let total = 0;
	let most = 0;
	for (const { typed, units } of plan.words) {
		let count = 0;
		let rarity = 0;
		for (const unit of units) {
			const { count: matches, frequency } = matchesOf(source, unit, spaces, scratch);
			const unitRarity = unit.weight * rarityOf(frequency, source.records.length);
			rarity = Math.max(rarity, unitRarity);
			const so = { unit, unitRarity, isRequired: unit.term === typed && plan.required.has(typed), matches };
			if (units.length === 1) total = addWord(scratch, so, total);
			else count = addUnit(scratch, so, count);
		}
		const weight = Math.sqrt(rarity);
		most += weight;
		for (let at = 0; at < count; at++) {
			const document = touched[at] as number;
			if (cover[document] === 0) seen[total++] = document;
			cover[document] = (cover[document] as number) + weight * Math.min(1, share[document] as number);
			share[document] = 0;
		}
	}
	const allowed = settle(scratch, plan, { total, most, isAllowed });
	return { total: allowed, best: () => inOrder(seen.subarray(0, allowed), scratch.scores) };
}

/** A term that was looked up. */
interface UnitFound {
	readonly unit: Unit;
	readonly unitRarity: number;
	/** whether it is a word that a phrase holds */
	readonly isRequired: boolean;
	/** how many documents are `found` */
	readonly matches: number;
}

/** Adds what was found of a term to the word it is of; tells how many documents hold any of the word now. */
function addUnit(
	{ worth, nearness, share, score, required, found, touched }: Scratch,
	{ unit, unitRarity, isRequired, matches }: UnitFound,
	before: number,
): number {
	let count = before;
	for (let at = 0; at < matches; at++) {
		const document = found[at] as number;
		const near = nearness[document] as number;
		if (share[document] === 0) touched[count++] = document;
		share[document] = (share[document] as number) + unit.share * (near === 1 ? 1 : REST * near);
		score[document] = (score[document] as number) + unitRarity * (worth[document] as number);
		if (isRequired && near === 1) required[document] = (required[document] as number) + 1;
		nearness[document] = 0;
		worth[document] = 0;
	}
	return count;
}

/** Adds what was found of the only term of a word; tells how many documents hold any word now. */
function addWord(
	{ worth, nearness, cover, score, required, found, seen }: Scratch,
	{ unit, unitRarity, isRequired, matches }: UnitFound,
	before: number,
): number {
	const weight = Math.sqrt(unitRarity);
	let total = before;
	for (let at = 0; at < matches; at++) {
		const document = found[at] as number;
		const near = nearness[document] as number;
		if (cover[document] === 0) seen[total++] = document;
		cover[document] = (cover[document] as number) + weight * Math.min(1, unit.share * near);
		score[document] = (score[document] as number) + unitRarity * (worth[document] as number);
		if (isRequired && near === 1) required[document] = (required[document] as number) + 1;
		nearness[document] = 0;
		worth[document] = 0;
	}
	return total;
}

/** Works out what each document seen is worth in all, and leaves of them those that are allowed; tells how many. */
function settle(
	{ score, cover, required, derived, seen, scores }: Scratch,
	plan: Plan,
	so: { readonly total: number; readonly most: number; readonly isAllowed: (document: number) => boolean },
): number {
	const { total, most, isAllowed } = so;
	const needed = plan.required.size;
	let allowed = 0;
	for (let at = 0; at < total; at++) {
		const document = seen[at] as number;
		if ((required[document] as number) >= needed && isAllowed(document)) {
			// by multiplication alone, which every machine does alike
			const covered = (cover[document] as number) / most;
			const square = covered * covered;
			const weight = square * square * (derived[document] === 1 ? DERIVED : 1);
			seen[allowed] = document;
			scores[allowed++] = weight * (score[document] as number);
		}
		score[document] = 0;
		cover[document] = 0;
		required[document] = 0;
	}
	return allowed;
}
