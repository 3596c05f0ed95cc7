import { charClass, UNSPACED } from "../../../projections/recall/characters.ts";
import type { RecallQuery } from "../../../projections/recall/query.ts";
import { LONGEST_TERM, normalised, termsOf } from "../../../projections/recall/terms.ts";
import { FUNCTION_WORDS } from "./function-words.ts";

/** A term to look up for a word. */
export interface Unit {
	readonly term: string;
	/** what finding it is worth beside the word itself, which is worth 1 */
	readonly weight: number;
	/** what share of the word it is */
	readonly share: number;
	/** whether its inflections and what begins with it count too */
	readonly expands: boolean;
}

/** A word that is looked for, in whatever parts it is indexed by. */
interface PlannedWord {
	readonly typed: string;
	readonly units: readonly Unit[];
}

/** What a query looks up. */
export interface Plan {
	readonly words: readonly PlannedWord[];
	/** words, as typed, that must all stand in a document before its text is compared with the phrases */
	readonly required: ReadonlySet<string>;
	/** the phrases as texts are compared with them */
	readonly phrases: readonly string[];
}

/** Words looked up at most. */
const MOST_WORDS = 32;

/** What a part of a word is worth beside the whole. */
const PART = 0.4;
/** Of a word found in parts alone, how much counts as found. */
const IN_PARTS = 0.7;

/** Works out what a query looks up. A word given twice counts once. */
export function planOf({ words, phrases }: RecallQuery): Plan {
	// the last character of a run is a term only where the run ends
	const inPhrases = phrases.flatMap((phrase) => termsOf(comparable(phrase)));
	const terms = new Set(inPhrases.filter((term) => [...term].length > 1));
	const byTyped = new Map<string, PlannedWord>();
	for (const typed of telling(words.flatMap(runsOf))) add(typed, byTyped);
	for (const term of terms) add(term, byTyped);
	const planned = [...byTyped.values()].slice(0, MOST_WORDS);
	return {
		words: planned,
		// what is not looked up is found in no document
		required: new Set(planned.flatMap(({ typed }) => (terms.has(typed) ? typed : []))),
		phrases: phrases.map(comparable).filter((phrase) => phrase !== ""),
	};
}

/** A text as phrases are looked for in it: NFKC, lower case, one space where there is any. */
export function comparable(text: string): string {
	return normalised(text).toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** Words without those that only hold a sentence together, where any others are left. */
function telling(words: readonly string[]): readonly string[] {
	const rest = words.filter((word) => !FUNCTION_WORDS.has(word.toLowerCase()));
	return rest.length === 0 ? words : rest;
}

function add(typed: string, words: Map<string, PlannedWord>): void {
	const key = typed.toLowerCase();
	const units = words.has(key) ? [] : unitsOf(key, typed);
	if (units.length > 0) words.set(key, { typed: key, units });
}

function unitsOf(whole: string, typed: string): Unit[] {
	const parts = termsOf(typed).filter((term) => term !== whole);
	const isPairs = [...typed].some((char) => charClass(char, 0) === UNSPACED);
	if (isPairs) {
		// the last character of a run is a term for those who look for it alone
		const pairs = parts.filter((term) => [...term].length > 1);
		if (pairs.length === 0) return [{ term: whole, weight: 1, share: 1, expands: true }];
		return pairs.map((term) => ({ term, weight: 1, share: 1 / pairs.length, expands: false }));
	}
	if (whole.length < 2) return [];
	// a path so long is indexed by its parts alone
	if (whole.length > LONGEST_TERM)
		return parts.map((term) => ({ term, weight: 1 / 2, share: 1 / parts.length, expands: false }));
	return [
		{ term: whole, weight: 1, share: 1, expands: true },
		...parts.map((term) => ({ term, weight: PART, share: IN_PARTS / parts.length, expands: false })),
	];
}

/** What is typed, in runs of what words and paths are made of, without what joins at their ends. */
function runsOf(typed: string): string[] {
	const runs: string[] = [];
	let run = "";
	for (const char of `${normalised(typed)} `) {
		const kind = charClass(char, 0);
		if (kind !== 0) run += char;
		else {
			const trimmed = run.replace(/^[_./-]+|[_./-]+$/g, "");
			if (trimmed !== "") runs.push(trimmed);
			run = "";
		}
	}
	return runs;
}
