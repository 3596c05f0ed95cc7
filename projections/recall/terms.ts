import { JOINER, LOWER, MARK, SECOND, UNDERSCORE, UNSPACED, UPPER } from "./characters.ts";
import { Units } from "./units.ts";

/** Longest term, characters. */
export const LONGEST_TERM = 64;

/** Told of each term, in the order of the text: from which of the code units in lower case, up to which. */
export type OnTerm = (from: number, to: number) => void;

/** A text as phrases and terms are looked for in it: NFKC. */
export function normalised(text: string): string {
	return isAscii(text) ? text : text.normalize("NFKC");
}

/**
 * Tells every term of a text: words of letters and digits of any script, 2 to 64 characters, in lower case; the parts of
 * `camelCase` and `snake_case` beside the whole; pairs of neighbours where a script writes no spaces, and the last
 * character of such a run by itself; paths whole, and each of their segments that is more than a word. Words beyond 64
 * characters are data and no terms. Gives the number of words.
 */
export function eachTerm(units: Units, onTerm: OnTerm): number {
	const { lower, kinds, length } = units;
	let words = 0;
	let at = 0;
	while (at < length) {
		const kind = kinds[at] as number;
		if (beginsWord(kind)) {
			const from = at;
			let shape = 0;
			for (;;) {
				const start = at;
				let seen = 0;
				for (; at < length; at++) {
					const bit = 1 << (kinds[at] as number);
					if ((bit & OF_WORD) === 0) break;
					seen |= bit;
				}
				words += wordTerms(units, start, at, (seen & COMPOSED) !== 0, onTerm);
				if (at >= length - 1 || kinds[at] !== JOINER || !beginsWord(kinds[at + 1] as number)) break;
				shape |= lower[at] === SLASH ? 1 : 2;
				at += 1;
			}
			if ((shape & 1) !== 0) pathTerms(units, from, at, shape === 3, onTerm);
		} else if (kind === UNSPACED) {
			const from = at;
			while (at < length && ((1 << (kinds[at] as number)) & OF_RUN) !== 0) at += 1;
			words += pairs(kinds, from, at, onTerm);
		} else at += 1;
	}
	return words;
}

/** The distinct terms of a text, in the order of their first appearance. */
export function termsOf(text: string): string[] {
	const terms = new Set<string>();
	const units = new Units();
	units.read(text);
	eachTerm(units, (from, to) => terms.add(textOf(units.lower, from, to)));
	return [...terms];
}

/** Code units as a string. */
export function textOf(units: Uint16Array, from: number, to: number): string {
	return String.fromCharCode.apply(undefined, units.subarray(from, to) as unknown as number[]);
}

const SLASH = 0x2f;
/** capitals or underscores, as bits of what was seen in a word */
const COMPOSED = (1 << UPPER) | (1 << UNDERSCORE);

/** what a word may hold, as the same bits */
const OF_WORD = COMPOSED | (1 << LOWER) | (1 << MARK) | (1 << SECOND);

/** what a run of a script without spaces may */
const OF_RUN = (1 << UNSPACED) | (1 << MARK) | (1 << SECOND);

function isAscii(text: string): boolean {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
	return true;
}

function beginsWord(kind: number): boolean {
	return kind === LOWER || kind === UPPER || kind === UNDERSCORE;
}

function wordTerms(units: Units, start: number, end: number, isComposed: boolean, onTerm: OnTerm): number {
	const { kinds } = units;
	let from = start;
	let to = end;
	if (isComposed) {
		while (from < to && kinds[from] === UNDERSCORE) from += 1;
		while (to > from && kinds[to - 1] === UNDERSCORE) to -= 1;
	}
	if (to - from < 2 || to - from > LONGEST_TERM) return 0;
	onTerm(from, to);
	if (isComposed) partTerms(units, from, to, onTerm);
	return 1;
}

/** The parts of `camelCase`, `HTTPServer` and `snake_case`. */
function partTerms(units: Units, start: number, end: number, onTerm: OnTerm): void {
	const { kinds } = units;
	let from = start;
	let before = kinds[start] as number;
	for (let at = start + 1; at <= end; at++) {
		const kind = at < end ? (kinds[at] as number) : 0;
		if (kind === SECOND) continue;
		const ends =
			kind === 0 ||
			kind === UNDERSCORE ||
			(kind === UPPER && (before === LOWER || (before === UPPER && isHead(units, at, end))));
		if (ends) {
			if (at - from >= 2 && at - from < end - start) onTerm(from, at);
			from = kind === UNDERSCORE ? at + 1 : at;
		}
		before = kind;
	}
}

/** Whether a capital behind a capital begins a word, as the `S` of `HTTPServer`. */
function isHead({ kinds, lower }: Units, at: number, end: number): boolean {
	const next = at + widthAt(kinds, at, end);
	if (next >= end || kinds[next] !== LOWER) return false;
	const unit = lower[next] as number;
	return !(unit >= 0x30 && unit <= 0x39);
}

function pairs(kinds: Uint8Array, start: number, end: number, onTerm: OnTerm): number {
	let count = 1;
	let from = start;
	let second = start + widthAt(kinds, start, end);
	while (second < end) {
		const to = second + widthAt(kinds, second, end);
		onTerm(from, to);
		from = second;
		second = to;
		count += 1;
	}
	onTerm(from, end);
	return count;
}

function pathTerms(
	{ kinds, lower }: Units,
	start: number,
	end: number,
	hasNames: boolean,
	onTerm: OnTerm,
): void {
	if (end - start <= LONGEST_TERM) onTerm(start, end);
	if (!hasNames) return;
	let from = start;
	let isName = false;
	for (let at = start; at <= end; at++) {
		if (at === end || lower[at] === SLASH) {
			if (isName && at - from <= LONGEST_TERM) onTerm(from, at);
			from = at + 1;
			isName = false;
		} else if (kinds[at] === JOINER) isName = true;
	}
}

/** Code units of the character that begins somewhere before the end. */
function widthAt(kinds: Uint8Array, at: number, end: number): number {
	return at + 1 < end && kinds[at + 1] === SECOND ? 2 : 1;
}
