import type { RecallQuery } from "../../../projections/recall/query.ts";
import { comparable } from "./plan.ts";
import type { Candidate } from "./top.ts";

/** Candidates whose texts are looked at: a fourth of a millisecond each at worst. */
const LOOKED_AT = 32;

/** What all of it to the letter is worth beside words alone, which are worth 1. */
const TO_THE_LETTER = 5;

/**
 * What of a query its terms do not tell, as texts are compared with it: words that are more than letters and digits, as
 * `../config.js` or `0.27.0`. What ends a sentence is no part of its last word.
 */
export function lettersOf({ words }: RecallQuery): string[] {
	const bare = words.map((word) => word.replace(/[?!.,:;？！。，]+$/u, ""));
	return [...new Set(bare.filter((word) => /[^\p{L}\p{N}_]/u.test(word)).map(comparable))];
}

/**
 * Candidates as they come, but for the first ones: of these, the more of what was typed stands in a text to the letter, the
 * better it is. `textOf` gives a text in its comparable form, and nothing where it is gone.
 */
export function* toTheLetter(
	candidates: Iterable<Candidate>,
	letters: readonly string[],
	textOf: (document: number) => string | undefined,
): Generator<Candidate> {
	const weighed = ({ document, score }: Candidate): Candidate => {
		const text = textOf(document) ?? "";
		const held = letters.filter((typed) => text.includes(typed)).length / letters.length;
		return { document, score: score * (1 + (TO_THE_LETTER - 1) * held) };
	};
	const rest = candidates[Symbol.iterator]();
	const first: Candidate[] = [];
	while (first.length < LOOKED_AT) {
		const next = rest.next();
		if (next.done) break;
		first.push(weighed(next.value));
	}
	yield* first.sort((a, b) => b.score - a.score || b.document - a.document);
	for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}
