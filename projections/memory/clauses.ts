import { formsOf } from "../recall/inflection.ts";
import { termsOf } from "../recall/terms.ts";
import { type Polarity, polarityOf, speaksOfUse, subjectOf } from "./polarity.ts";

/** A part of a text that says one thing. */
export interface Clause {
	/** as it stands in the text */
	readonly text: string;
	readonly polarity: Polarity;
	/** whether something is to be used, or not to be */
	readonly isUse: boolean;
	/** what it is about */
	readonly terms: ReadonlySet<string>;
}

/** Longest clause that is looked at, characters. */
const LONGEST = 400;
/** Most clauses of a text that are looked at. */
const MOST = 100;

/** A line's or a sentence's end; of scripts without spaces a comma ends a clause too. */
const ENDS = /\n+|(?<=[.!?;])\s+|(?<=[。！？；])|[，]/u;
/** Where a sentence may go on with another thing to do. */
const AND_THEN = /\s*[,–—]\s*(?:(?:and|but|und|aber|sondern|et|mais|y|pero|sino)\s+)?/u;

/** The clauses of a text in their order, without questions. */
export function clausesOf(text: string): Clause[] {
	return sentencesIn(text).flatMap((sentence) => parts(sentence).map(clauseOf));
}

/** The sentences of a text in their order, without questions and list marks. */
export function sentencesIn(text: string): string[] {
	return text
		.split(ENDS)
		.map((sentence) => sentence.trim().replace(/^(?:[-*•>#]+|\d{1,3}[.)])\s+/, ""))
		.filter((sentence) => sentence !== "" && sentence.length <= LONGEST && !/[?？]$/.test(sentence))
		.slice(0, MOST);
}

/** What a text is about: its terms without words that stand in every text. */
export function contentTerms(text: string): Set<string> {
	const terms = termsOf(text).filter((term) => !STOP.has(term));
	const long = terms.filter((term) => [...term].length > 1);
	return new Set(long.length > 0 ? long : terms);
}

/** How many terms two sets share, forms of one word counted as one where they are few enough to be told. */
export function sharedTerms(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	const onlyA = [...a].filter((term) => !b.has(term));
	const onlyB = new Set([...b].filter((term) => !a.has(term)));
	let shared = a.size - onlyA.length;
	if (onlyA.length > FEW || onlyB.size > FEW) return shared;
	if (onlyB.size === 0) return shared;
	for (const term of onlyA) {
		if (/\d/.test(term)) continue;
		const isForm = formsOf(term);
		for (const other of onlyB) {
			if (!isForm(other)) continue;
			onlyB.delete(other);
			shared++;
			break;
		}
	}
	return shared;
}

/** Terms left over that are still compared with each other. */
const FEW = 12;

/** A sentence's parts, where both sides of a comma say what to do. */
function parts(sentence: string): string[] {
	const [first = "", ...rest] = sentence.split(AND_THEN);
	const found = [first];
	for (const part of rest) {
		const before = found.at(-1) ?? "";
		if (says(before) && says(part)) found.push(part);
		else found[found.length - 1] = `${before}, ${part}`;
	}
	return found;
}

function says(part: string): boolean {
	return speaksOfUse(part) || polarityOf(part) !== "neither";
}

function clauseOf(text: string, at: number, all: readonly string[]): Clause {
	// `use tabs, not spaces`: the verb stands in the part before
	const goesOn = at > 0 && polarityOf(text) === "forbids" && speaksOfUse(all[at - 1] ?? "");
	return {
		text,
		polarity: polarityOf(text),
		isUse: goesOn || speaksOfUse(text),
		terms: contentTerms(subjectOf(text)),
	};
}

const STOP: ReadonlySet<string> = new Set(
	[
		"the an of to in on at for with and or is are be it this that we you our your my all by from as here so its they them their was were will can",
		"der die das den dem des ein eine einen einem einer und oder ist sind für mit von zu zum zur im auf bei wir ihr sie es hier diesem dieser auch als wird werden",
		"le la les un une des du de et ou est sont pour avec dans ce cet cette ces au aux sur nous vous on il elle en par que qui",
		"el los las una unos unas del es son para con este esta estos por se lo al su sus como",
		"project projekt projet proyecto repo repository",
	].flatMap((list) => list.split(" ")),
);
