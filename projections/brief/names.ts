/**
 * Names: the words of a transcript that a later reply may need to the letter. Paths, file names, URLs, identifiers
 * that look like code, error codes, numbers of three digits or more and quoted strings, each of 5 to 120 characters.
 * Briefs keep them and the measures count them, so both must find the same ones.
 */

/** Shortest name, characters. */
export const MIN_NAME = 5;
/** Longest name, characters: what a brief may carry of a tool's words on one line. */
export const MAX_NAME = 120;
/** Longest path whose parts are looked at, characters; beyond are data in base64. */
const LONGEST_PATH = 1000;
/** Longest quoted string with blanks in it that counts as a name, characters. */
const MAX_PHRASE = 60;

/** Characters that move a cursor, hide or reorder text; no name and no quotation has them. */
// biome-ignore format: a suppression holds for the next line
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
export const UNPRINTABLE: RegExp = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

const CHUNK = /https?:\/\/[^\s"'`<>()[\]{}|\\,;]+|[\w$@~%+/.-]+/g;
const TOKEN = /^(?:https?:\/\/\S+|[\w$@~%+/.-]+)$/;
const QUOTED = /(?<![\w\\])(["'`])([^"'`\n\\]{5,120})\1(?!\w)/g;
const FILE =
	/^[\w$@+-][\w$@+.-]*\.(?:[cm]?[jt]sx?|jsonl?|md|txt|py|rs|go|c|h|cc|cpp|hpp|java|kt|rb|sh|bash|ya?ml|toml|lock|html?|css|scss|svg|png|jpe?g|gif|pdf|sql|csv|tsv|env|log|xml|ini|cfg|conf|vue|svelte|swift|php|diff|patch|zip|tar|gz|tgz|mp[34]|webp|ipynb)$/i;
const CODE_WORD = /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]|[A-Za-z]\d|\d[A-Za-z]|^[A-Z]+$|\$/;
const KEBAB = /^[A-Za-z\d]+(?:-[A-Za-z\d]+){2,}$|^(?=.*\d)[A-Za-z]+(?:-[A-Za-z\d]+)+$/;
const NUMBER = /^v?\d[\d.]*\d$/;

/** Calls `visit` with every name in `text`, in order, repeats included; `index` is where its token begins. */
export function eachName(text: string, visit: (name: string, index: number) => void): void {
	for (const match of text.matchAll(CHUNK)) namesInChunk(match[0], match.index, text, visit);
	for (const match of text.matchAll(QUOTED)) {
		const phrase = quotedName(match[2] as string);
		if (phrase !== undefined) visit(phrase, match.index + 1);
	}
}

/** The distinct names in `text`, in order of first occurrence. */
export function namesIn(text: string): string[] {
	const names = new Set<string>();
	eachName(text, (name) => names.add(name));
	return [...names];
}

/**
 * Everything in `text` that a name could be matched with as a whole: its names, every word, and every run of segments of
 * a path. A text names `name` if and only if this holds it.
 */
export function tokensIn(text: string, tokens: Set<string> = new Set()): Set<string> {
	const seen = new Set<string>();
	for (const match of text.matchAll(CHUNK)) {
		const chunk = match[0];
		if (chunk.length < MIN_NAME || seen.has(chunk)) continue;
		seen.add(chunk);
		tokensInChunk(chunk, tokens);
	}
	for (const match of text.matchAll(QUOTED)) {
		const phrase = quotedName(match[2] as string);
		if (phrase !== undefined) tokens.add(phrase);
	}
	return tokens;
}

function namesInChunk(
	raw: string,
	at: number,
	text: string,
	visit: (name: string, index: number) => void,
): void {
	const chunk = trimmed(raw);
	if (chunk.length < MIN_NAME) return;
	if (isPath(chunk)) {
		if (chunk.length <= MAX_NAME) visit(chunk, at);
		return;
	}
	if (
		FILE.test(chunk) ||
		KEBAB.test(chunk) ||
		isNumber(chunk) ||
		(raw.startsWith("--") && chunk.includes("-"))
	) {
		if (chunk.length <= MAX_NAME) visit(chunk, at);
		return;
	}
	const called = text.charCodeAt(at + raw.length) === 40;
	let last = 0;
	for (const word of chunk.split(/[^\w$]+/)) {
		last = chunk.indexOf(word, last);
		const end = last + word.length;
		if (word.length >= MIN_NAME && word.length <= MAX_NAME) {
			if (isNumber(word) || CODE_WORD.test(word) || (called && end === chunk.length && !/\d/.test(word))) {
				if (!/^\d+$/.test(word) || isNumber(word)) visit(word, at + last);
			}
		}
		last = end;
	}
}

function tokensInChunk(raw: string, tokens: Set<string>): void {
	const chunk = trimmed(raw);
	tokens.add(chunk);
	if (chunk.includes("/") && chunk.length <= LONGEST_PATH) for (const run of runsOf(chunk)) tokens.add(run);
	for (const word of chunk.split(/[^\w$]+/)) if (word.length >= MIN_NAME) tokens.add(word);
	if (chunk.includes("-"))
		for (const part of chunk.split(/[^\w$-]+/)) if (part.length >= MIN_NAME) tokens.add(trimmed(part));
}

/** Whether a name is a quoted string rather than a single token. */
export function isPhrase(name: string): boolean {
	return !TOKEN.test(name);
}

/** Every run of whole segments of a path, itself included, that is long enough for a name: `a/b/c` also names `b/c`. */
export function runsOf(path: string): string[] {
	const segments = path.split("/");
	const runs: string[] = [];
	for (let from = 0; from < segments.length; from++) {
		let run = segments[from] as string;
		if (run.length >= MIN_NAME) runs.push(run);
		for (let to = from + 1; to < segments.length; to++) {
			run = `${run}/${segments[to]}`;
			if (run.length > MAX_NAME) break;
			if (run.length >= MIN_NAME) runs.push(run);
		}
	}
	return runs;
}

/** A token without the punctuation that clings to it. By hand: a pattern takes quadratic time on a long run of it. */
function trimmed(chunk: string): string {
	let from = 0;
	let to = chunk.length;
	while (from < to && (LEADING.includes(chunk[from] as string) || isLoneDot(chunk, from))) from++;
	while (to > from && TRAILING.includes(chunk[to - 1] as string)) to--;
	return chunk.slice(from, to);
}

const LEADING = "-+%";
const TRAILING = "-+%.~@/:?!&=#";

/** A dot that begins no relative path and no hidden file. */
function isLoneDot(chunk: string, at: number): boolean {
	return chunk[at] === "." && !/[/.\w]/.test(chunk[at + 1] ?? " ");
}

function isNumber(chunk: string): boolean {
	return NUMBER.test(chunk) && chunk.replace(/[^\d]/g, "").length >= 3;
}

/** A path has a slash and something a pair of plain words (`and/or`) has not. */
function isPath(chunk: string): boolean {
	const slash = chunk.indexOf("/");
	if (slash < 0) return false;
	if (!/[A-Za-z]/.test(chunk)) return false;
	return slash === 0 || /^[~.@]|[\d_.$]|\/.*\/|[a-z][A-Z]/.test(chunk);
}

function quotedName(inside: string): string | undefined {
	const phrase = inside.trim();
	if (phrase.length < MIN_NAME || !/[A-Za-z\d]/.test(phrase)) return undefined;
	if (TOKEN.test(phrase)) {
		const chunk = trimmed(phrase);
		return chunk.length >= MIN_NAME && /[A-Za-z]|\d{3}/.test(chunk) ? chunk : undefined;
	}
	if (phrase.length > MAX_PHRASE || UNPRINTABLE.test(phrase) || !phrase.isWellFormed()) return undefined;
	if (!/[A-Za-z]{3}|\d{3}/.test(phrase) || /\w\(/.test(phrase)) return undefined;
	return holdsName(phrase) ? undefined : phrase;
}

/** Code between quotes is named by what it holds; only plain words are a name as they stand. */
function holdsName(phrase: string): boolean {
	let found = false;
	for (const match of phrase.matchAll(CHUNK))
		namesInChunk(match[0], match.index, phrase, () => {
			found = true;
		});
	return found;
}
