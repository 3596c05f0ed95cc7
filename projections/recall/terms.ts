import { charClass, classes, JOINER, LOWER, MARK, UNDERSCORE, UNSPACED, UPPER } from "./characters.ts";

/** Longest term, characters. */
export const LONGEST_TERM = 64;

/** Told of each term, in the order of the text. */
export type OnTerm = (term: string) => void;

/** A text as terms are looked for in it: NFKC, with its capitals, which tell the parts of `camelCase`. */
export function normalised(text: string): string {
	return isAscii(text) ? text : text.normalize("NFKC");
}

/**
 * Tells every term of a normalised text: words of letters and digits of any script, 2 to 64 characters, in lower case;
 * the parts of `camelCase` and `snake_case` beside the whole; pairs of neighbours where a script writes no spaces, and
 * the last character of such a run by itself; paths whole, and each of their segments that is more than a word. Words
 * beyond 64 characters are data and no terms. Gives the number of words.
 */
export function eachTerm(text: string, onTerm: OnTerm): number {
	const lower = text.toLowerCase();
	// a letter that grows in lower case would shift all behind it; without capitals only parts are lost
	const cased = lower.length === text.length ? text : lower;
	const { length } = lower;
	let words = 0;
	let at = 0;
	while (at < length) {
		const unit = cased.charCodeAt(at);
		const kind = unit < 0x80 ? (classes[unit] as number) : charClass(cased, at);
		if (kind === LOWER || kind === UPPER || kind === UNDERSCORE) {
			const from = at;
			let shape = 0;
			for (;;) {
				const start = at;
				let seen = 0;
				for (; at < length; at++) {
					const unit = cased.charCodeAt(at);
					const bit = 1 << (unit < 0x80 ? (classes[unit] as number) : charClass(cased, at));
					if ((bit & OF_WORD) === 0) break;
					seen |= bit;
					if (unit >= 0xd800 && widthAt(cased, at) === 2) at += 1;
				}
				words += wordTerms(cased, lower, start, at, (seen & COMPOSED) !== 0, onTerm);
				if (at >= length - 1 || classes[cased.charCodeAt(at)] !== JOINER || !beginsWord(cased, at + 1)) break;
				shape |= cased.charCodeAt(at) === SLASH ? 1 : 2;
				at += 1;
			}
			if ((shape & 1) !== 0) pathTerms(lower.slice(from, at), shape === 3, onTerm);
		} else if (kind === UNSPACED) {
			const from = at;
			at = unspacedEnd(cased, at);
			words += pairs(lower.slice(from, at), onTerm);
		} else at += unit >= 0xd800 ? widthAt(cased, at) : 1;
	}
	return words;
}

/** The distinct terms of a text, in the order of their first appearance. */
export function termsOf(text: string): string[] {
	const terms = new Set<string>();
	eachTerm(normalised(text), (term) => terms.add(term));
	return [...terms];
}

const SLASH = 0x2f;
const BAR = 0x5f;
/** capitals or underscores, as bits of what was seen in a word */
const COMPOSED = (1 << UPPER) | (1 << UNDERSCORE);

/** what a word may hold, as the same bits */
const OF_WORD = COMPOSED | (1 << LOWER) | (1 << MARK);

function isAscii(text: string): boolean {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
	return true;
}

function beginsWord(text: string, at: number): boolean {
	const kind = charClass(text, at);
	return kind === LOWER || kind === UPPER || kind === UNDERSCORE;
}

function widthAt(text: string, at: number): number {
	return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

function unspacedEnd(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		const kind = charClass(text, at);
		if (kind !== UNSPACED && !(kind === MARK && at > from)) return at;
		at += widthAt(text, at);
	}
	return at;
}

function wordTerms(
	cased: string,
	lower: string,
	start: number,
	end: number,
	isComposed: boolean,
	onTerm: OnTerm,
): number {
	let from = start;
	let to = end;
	if (isComposed) {
		while (from < to && cased.charCodeAt(from) === BAR) from += 1;
		while (to > from && cased.charCodeAt(to - 1) === BAR) to -= 1;
	}
	if (to - from < 2 || to - from > LONGEST_TERM) return 0;
	onTerm(lower.slice(from, to));
	if (isComposed) partTerms(cased, lower, from, to, onTerm);
	return 1;
}

/** The parts of `camelCase`, `HTTPServer` and `snake_case`. */
function partTerms(cased: string, lower: string, start: number, end: number, onTerm: OnTerm): void {
	let from = start;
	let before = charClass(cased, start);
	for (let at = start + 1; at <= end; at++) {
		const kind = at < end ? charClass(cased, at) : 0;
		const ends =
			kind === 0 ||
			kind === UNDERSCORE ||
			(kind === UPPER && (before === LOWER || (before === UPPER && isHead(cased, at, end))));
		if (ends) {
			if (at - from >= 2 && at - from < end - start) onTerm(lower.slice(from, at));
			from = kind === UNDERSCORE ? at + 1 : at;
		}
		before = kind;
	}
}

/** Whether a capital behind a capital begins a word, as the `S` of `HTTPServer`. */
function isHead(cased: string, at: number, end: number): boolean {
	if (at + 1 >= end) return false;
	const next = cased.charCodeAt(at + 1);
	return charClass(cased, at + 1) === LOWER && !(next >= 0x30 && next <= 0x39);
}

function pairs(run: string, onTerm: OnTerm): number {
	const chars = [...run];
	for (let at = 0; at + 1 < chars.length; at++) onTerm(`${chars[at]}${chars[at + 1]}`);
	onTerm(chars.at(-1) as string);
	return chars.length;
}

function pathTerms(path: string, hasNames: boolean, onTerm: OnTerm): void {
	if (path.length <= LONGEST_TERM) onTerm(path);
	if (!hasNames) return;
	for (const segment of path.split("/")) {
		if (segment.length <= LONGEST_TERM && /[.-]/.test(segment)) onTerm(segment);
	}
}
