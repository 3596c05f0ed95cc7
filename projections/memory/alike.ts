import { contentTerms, sharedTerms } from "./clauses.ts";
import { polarityOf, subjectOf } from "./polarity.ts";

/** A text of a record that stands. */
export interface StandingText {
	readonly id: string;
	readonly text: string;
}

/** A record that something is to be said of, and what, in a few words. */
export interface Finding {
	readonly id: string;
	readonly why: string;
}

/** Fewest terms of a text that is compared by its terms. */
const FEWEST = 3;

/** Whether two texts say the same but for spacing and how letters are composed. */
export function saysTheSame(a: string, b: string): boolean {
	return a === b || flattened(a) === flattened(b);
}

/**
 * The records that say nearly the same as a text, in their order: the same but for capitals and punctuation, four terms of
 * five shared, or one of them said wholly within the other. Texts that differ in a number are not alike.
 */
export function alike(text: string, standing: readonly StandingText[]): Finding[] {
	const { terms, forbids } = subject(text);
	const bare = bared(text);
	return standing.flatMap(({ id, text: other }) => {
		if (bare !== "" && bare === bared(other)) return { id, why: "says the same" };
		const others = subject(other);
		const why = forbids === others.forbids ? whyAlike(terms, others.terms) : undefined;
		return why === undefined ? [] : { id, why };
	});
}

/** What a text is about, and whether it forbids anything: what one demands and the other forbids is not alike. */
function subject(text: string): { readonly terms: ReadonlySet<string>; readonly forbids: boolean } {
	return { terms: contentTerms(subjectOf(text)), forbids: polarityOf(text) === "forbids" };
}

function whyAlike(terms: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined {
	const [less, more] = terms.size < others.size ? [terms, others] : [others, terms];
	// as much as could be shared at best
	if (less.size < FEWEST || !sameNumbers(less, more)) return undefined;
	const isNear = less.size * 5 >= more.size * 4;
	if (!isNear && less.size < 2 * FEWEST) return undefined;
	const shared = sharedTerms(less, more);
	const all = less.size + more.size - shared;
	if (shared * 5 >= all * 4) return `shares ${shared} of ${all} terms`;
	if (shared < less.size || less.size < 2 * FEWEST) return undefined;
	return less === terms ? "says this and more" : "is said in this, with more";
}

/** Whether the shorter text has no number that the longer one lacks, and the other way round where both have one. */
function sameNumbers(less: ReadonlySet<string>, more: ReadonlySet<string>): boolean {
	const numbers = [...more].filter((term) => /\d/.test(term));
	const ofLess = [...less].filter((term) => /\d/.test(term));
	return ofLess.every((term) => more.has(term)) && (ofLess.length === 0 || numbers.length === ofLess.length);
}

function flattened(text: string): string {
	return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

function bared(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}+#]+/gu, " ")
		.trim();
}
