import { oneLine, shortened } from "../brief/one-line.ts";
import { contentTerms, sentencesIn, sharedTerms } from "./clauses.ts";
import { isConstraint, polarityOf, subjectOf } from "./polarity.ts";
import { valuesIn } from "./values.ts";

/** Most constraints that are named, and the longest quotation of one, characters. */
const CONSTRAINTS = 4;
const QUOTED = 160;
/** Most values that are named. */
const VALUES = 6;

/**
 * What a text that takes another's place would lose, in words: sentences that say what must or must not be, and values
 * such as names in backticks and numbers. A sentence said anew in most of its words is not lost.
 */
export function lossesOf(old: string, text: string): string[] {
	const constraints = lostConstraints(old, text).slice(0, CONSTRAINTS);
	const kept = new Set(valuesIn(text));
	const bare = text.normalize("NFKC").toLowerCase();
	const values = valuesIn(old)
		.filter((value) => !kept.has(value) && !standsIn(value.toLowerCase(), bare))
		.slice(0, VALUES);
	return [
		...constraints.map((line) => `the constraint “${shortened(oneLine(line), QUOTED)}”`),
		...values.map((value) => `the value ${value}`),
	];
}

function lostConstraints(old: string, text: string): string[] {
	const sentences = sentencesIn(text).map((sentence) => ({
		polarity: polarityOf(sentence),
		isConstraint: isConstraint(sentence),
		terms: contentTerms(subjectOf(sentence)),
		bare: bared(sentence),
	}));
	return sentencesIn(old).filter((line) => {
		if (!isConstraint(line)) return false;
		const terms = contentTerms(subjectOf(line));
		const polarity = polarityOf(line);
		const bare = bared(line);
		return !sentences.some(
			(sentence) =>
				sentence.bare.includes(bare) ||
				(sentence.isConstraint &&
					sentence.polarity === polarity &&
					sharedTerms(terms, sentence.terms) * 3 >= terms.size * 2),
		);
	});
}

/** Whether a value stands in a text as a whole. */
function standsIn(value: string, text: string): boolean {
	for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
		const before = text[at - 1] ?? " ";
		const behind = text[at + value.length] ?? " ";
		if (!isOfWord(before, value[0] ?? "") && !isOfWord(behind, value.at(-1) ?? "")) return true;
	}
	return false;
}

/** Whether a character goes on with the word or number that begins or ends beside it. */
function isOfWord(beside: string, edge: string): boolean {
	if (/\d/.test(edge)) return /[\d]/.test(beside);
	return /[A-Za-z\d_]/.test(edge) && /[A-Za-z\d_]/.test(beside);
}

function bared(sentence: string): string {
	return sentence
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
		.trim();
}
