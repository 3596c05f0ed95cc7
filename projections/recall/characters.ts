/** What a character is to a word; 0 is none of these. */
export const LOWER = 1;
export const UPPER = 2;
/** of a script that writes no spaces between words */
export const UNSPACED = 3;
/** belongs to the letter before it */
export const MARK = 4;
export const UNDERSCORE = 5;
/** `.`, `-`, `/`: holds the words of a path together */
export const JOINER = 6;
/** the second half of a character of two code units */
export const SECOND = 7;

const UNKNOWN = 255;

/** What each code unit is, found out as characters come by {@link charClass}; ASCII is known. */
export const classes: Uint8Array = new Uint8Array(0x10000).fill(UNKNOWN);

/** What the character at an index is. Letters and digits without a case, and digits, count as small ones. */
export function charClass(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const known = classes[unit] as number;
	if (known !== UNKNOWN) return known;
	if (unit >= 0xd800 && unit < 0xe000) return classOf(String.fromCodePoint(text.codePointAt(at) as number));
	const found = classOf(String.fromCharCode(unit));
	classes[unit] = found;
	return found;
}

const SPACELESS =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

function classOf(char: string): number {
	if (char === "_") return UNDERSCORE;
	if (char === "." || char === "-" || char === "/") return JOINER;
	if (/^\p{M}$/u.test(char)) return MARK;
	// a long vowel mark stands between the letters of its word
	if (char === "\u30fc" || (/^[\p{L}\p{N}]$/u.test(char) && SPACELESS.test(char))) return UNSPACED;
	if (/^[\p{Lu}\p{Lt}]$/u.test(char)) return UPPER;
	return /^[\p{L}\p{N}]$/u.test(char) ? LOWER : 0;
}

for (let unit = 0; unit < 0x80; unit++) classes[unit] = classOf(String.fromCharCode(unit));
