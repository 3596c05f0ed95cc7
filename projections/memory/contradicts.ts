import { oneLine, shortened } from "../brief/one-line.ts";
import type { Finding, StandingText } from "./alike.ts";
import { type Assignment, assignmentsIn } from "./assignments.ts";
import { type Clause, clausesOf, contentTerms, sharedTerms } from "./clauses.ts";
import { subjectOf } from "./polarity.ts";
import { preferenceIn } from "./preferences.ts";

/** Longest quotation in a finding, characters. */
const QUOTED = 80;
/** Terms that one of two sentences on the use of a thing may have beyond the other. */
const BEYOND = 4;

/** Something that is to be, or is not to be. */
interface Stance {
	readonly isFor: boolean;
	/** whether a word says so */
	readonly isMarked: boolean;
	readonly isUse: boolean;
	readonly terms: ReadonlySet<string>;
	/** the first and the last of them */
	readonly ends: readonly [string | undefined, string | undefined];
	/** the clause it stands in */
	readonly text: string;
}

/** What a text asks for and gives, taken apart once. */
interface Claims {
	readonly stances: readonly Stance[];
	readonly values: readonly (Assignment & { readonly text: string })[];
}

/**
 * The records that a text contradicts, in their order, each with the first thing it says otherwise: it demands what the
 * other forbids, drops what the other would have, or gives another value. By words alone: it points out, and may be wrong.
 */
export function contradicted(text: string, standing: readonly StandingText[]): Finding[] {
	const claims = claimsOf(text);
	const terms = contentTerms(text);
	return standing.flatMap(({ id, text: other }) => {
		// most records are about something else, which costs less to see than what they ask for
		if (![...contentTerms(other)].some((term) => terms.has(term))) return [];
		const why = conflict(claims, claimsOf(other));
		return why === undefined ? [] : { id, why };
	});
}

function claimsOf(text: string): Claims {
	const clauses = clausesOf(text);
	return {
		stances: clauses.flatMap(stancesOf),
		values: clauses.flatMap(({ text }) => assignmentsIn(text).map((value) => ({ ...value, text }))),
	};
}

function stancesOf({ text, polarity, isUse, terms }: Clause): Stance[] {
	const preference = preferenceIn(text);
	if (!preference) {
		const isMarked = polarity !== "neither" || isUse;
		return [stance(polarity !== "forbids", terms, text, { isMarked, isUse })];
	}
	const { chosen, dropped } = preference;
	// `not npm but pnpm` denies only what it drops; `do not use a instead of b` turns both
	const isTurned = /^(?:never|do not|don['’]t|nie|niemals|nunca|no\s|ne\s)/i.test(text);
	const how = { isMarked: true, isUse: true };
	return [
		stance(!isTurned, contentTerms(subjectOf(chosen)), text, how),
		stance(isTurned, contentTerms(subjectOf(dropped)), text, how),
	];
}

function stance(
	isFor: boolean,
	terms: ReadonlySet<string>,
	text: string,
	how: Pick<Stance, "isMarked" | "isUse">,
): Stance {
	const all = [...terms];
	return { isFor, terms, ends: [all[0], all.at(-1)], text, ...how };
}

function conflict(mine: Claims, theirs: Claims): string | undefined {
	for (const stance of mine.stances) {
		const other = theirs.stances.find((other) => isOpposite(stance, other));
		if (other) return `says the opposite: ${quoted(other.text)}`;
	}
	for (const value of mine.values) {
		const other = otherValue(value, mine, theirs);
		if (other) return `has ${value.key} ${other.value}, not ${value.value}: ${quoted(other.text)}`;
	}
	return undefined;
}

function isOpposite(a: Stance, b: Stance): boolean {
	if (a.isFor === b.isFor || a.terms.size === 0 || b.terms.size === 0) return false;
	if (a.isUse && b.isUse) return isSameUse(a, b);
	// they could share no more than this, nor be about less
	if (Math.min(a.terms.size, b.terms.size) * 4 < Math.max(a.terms.size, b.terms.size) * 3) return false;
	const shared = sharedTerms(a.terms, b.terms);
	const all = a.terms.size + b.terms.size - shared;
	if (all === 1) return (a.isMarked && b.isMarked) || a.isUse || b.isUse;
	return shared * 4 >= all * 3;
}

/** Whether two are about the use of one thing, and not each in a place of its own. */
function isSameUse(a: Stance, b: Stance): boolean {
	if (Math.abs(a.terms.size - b.terms.size) > BEYOND) return false;
	// the thing stands behind the verb, or before it; what stands between is where and what for
	if (a.ends[0] !== b.ends[0] && a.ends[1] !== b.ends[1]) return false;
	const [less, more] = a.terms.size < b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
	return [...less].every((term) => more.has(term));
}

function otherValue(
	{ key, value, rest }: Assignment,
	mine: Claims,
	theirs: Claims,
): Claims["values"][number] | undefined {
	const sameKey = theirs.values.filter((other) => other.key === key);
	const known = new Set(mine.values.flatMap((each) => (each.key === key ? each.value : [])));
	// a value they share: what differs is of something else
	if (sameKey.some((other) => known.has(other.value))) return undefined;
	return sameKey.find((other) => {
		const shared = sharedTerms(rest, other.rest);
		return other.value !== value && shared * 2 >= rest.size + other.rest.size - shared;
	});
}

function quoted(text: string): string {
	return `“${shortened(oneLine(text), QUOTED)}”`;
}
