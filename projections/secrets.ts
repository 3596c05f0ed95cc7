/** What stands where a secret was left out. */
export const WITHHELD = "[withheld]";

/** Shortest run of letters and digits that may be a secret by its looks alone, characters. */
const LONG = 24;
/** Shortest run of hexadecimal digits that may be one, characters: digests of 128 bits and more. */
const LONG_HEX = 32;

const NAMED =
	"(?:passw(?:or)?d|passwort|kennwort|pwd|passphrase|secret|token(?!s[\"'`]?\\s{0,4}[:=]\\s{0,4}\\d)|api[_-]?key|private[_-]?key|credentials?|contraseña|mot de passe|密码|口令|密钥|令牌|パスワード|비밀번호)";
const VALUE = "(?:\"[^\"]*\"|'[^']*'|`[^`]*`|[^\\s\"'`,;]+)";

/** What a run is called that looks like a secret by its letters and digits alone. */
export const RANDOM_RUN = "a long run of letters and digits that looks random";

/** Each pattern with what is left of what it finds, and what that is called. */
const PATTERNS: readonly (readonly [RegExp, rest: string, kind: string])[] = [
	[
		/-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z\d ]{0,40}-----|$)/g,
		WITHHELD,
		"a private key",
	],
	[
		// from the colon on, where it is found fast, to the last `@`, for a password may have one in it
		/:\/\/(?<=[a-z][a-z\d+.-]{1,20}:\/\/)[^\s/"'`]{1,200}@/gi,
		`://${WITHHELD}@`,
		"a URL with a user name or a password in it",
	],
	[/(?<![\w-])eyJ[\w-]{5,2000}\.[\w-]{5,}(?:\.[\w-]*)?/g, WITHHELD, "a signed web token"],
	[/\b(?:AKIA|ASIA)[A-Z\d]{8,}/g, WITHHELD, "a cloud access key"],
	[/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|AIza)[\w-]{8,}/g, WITHHELD, "an access token"],
	[/\b(?:sk|pk|rk)[-_](?=[\w-]{0,200}[\dA-Z])[\w-]{8,}/g, WITHHELD, "an API key"],
	[/\bxox[a-z]-[\w-]{4,}/g, WITHHELD, "an access token"],
	[/\b(bearer|basic)\s+[\w+/.=-]{8,}/gi, `$1 ${WITHHELD}`, "the value of an authorization header"],
	[
		new RegExp(`(--?(?:${NAMED})[= ])${VALUE}`, "gi"),
		`$1${WITHHELD}`,
		"an option that gives a password, token or key",
	],
	[
		new RegExp(`(${NAMED}[\\w-]{0,40}["'\`]?\\s{0,4}(?::|=|：)\\s{0,4})${VALUE}`, "gi"),
		`$1${WITHHELD}`,
		"a value that is named as a password, token or key",
	],
	[
		// JSON within a string of JSON
		new RegExp(`(${NAMED}[\\w-]{0,40}\\\\"\\s{0,4}:\\s{0,4}\\\\")[^"\\\\]+`, "gi"),
		`$1${WITHHELD}`,
		"a value that is named as a password, token or key",
	],
];

/** A name of a field that says so of what it holds, and how that begins. */
const FIELD = new RegExp(`${NAMED}[\\w-]{0,40}: `, "i");
/** Numbers by which things are told apart, and times: nobody keeps those to himself. */
const HARMLESS = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{4}-\d{2}-\d{2}(?:T[\d-]+Z?)?/gi;

/**
 * A text with everything taken out that may be a secret: private keys, tokens of known shapes, values that a word such as
 * `password` names, user names and passwords in URLs, long runs that look random. Whoever cuts a text short does so
 * afterwards, for half a secret no longer looks like one.
 */
export function withoutSecrets(text: string): string {
	let left = text;
	for (const [pattern, rest] of PATTERNS) left = left.replace(pattern, rest);
	let kept = "";
	let done = 0;
	eachRun(left, (run, at) => {
		if (!looksRandom(run)) return;
		kept += left.slice(done, at) + WITHHELD;
		done = at + run.length;
	});
	return kept + left.slice(done);
}

/** Whether a field that is called so, as in the arguments of a call, holds a secret. */
export function namesSecret(field: string, value: string | number): boolean {
	return FIELD.test(`${field}: ${/^\d/.test(String(value)) ? 1 : "x"}`);
}

/**
 * What kind of secret a text seems to hold, in a few words that do not tell it; `undefined` where it holds none. Here
 * someone is refused, so what only begins like one and goes on in plain words (`basic authentication`) is none.
 */
export function secretKindIn(text: string): string | undefined {
	for (const [pattern, , kind] of PATTERNS) {
		for (const [found] of text.matchAll(pattern)) if (!isPlain(found)) return kind;
	}
	let isRandom = false;
	eachRun(text, (run) => {
		isRandom ||= looksRandom(run);
	});
	return isRandom ? RANDOM_RUN : undefined;
}

/**
 * Calls `visit` with every run of at least `LONG` letters, digits and what base64 and its kin put between them, with the
 * `=` behind it. Looks at one character in so many first, for no run fits between two of those: ten times as fast as a
 * pattern.
 */
function eachRun(text: string, visit: (run: string, at: number) => void): void {
	for (let i = LONG - 1; i < text.length; i += LONG) {
		if (!isRunPart(text, i)) continue;
		let from = i;
		while (from > 0 && isRunPart(text, from - 1)) from--;
		let to = i + 1;
		while (isRunPart(text, to)) to++;
		const length = to - from;
		for (let padded = 0; padded < 2 && text[to] === "="; padded++) to++;
		if (length >= LONG) visit(text.slice(from, to), from);
		i = Math.max(i, to - 1);
	}
}

function isRunPart(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return kindOf(code) !== 0 || code === 43 || code === 45 || code === 95;
}

/** Whether a find is made of words alone, as no token of such a shape is. */
function isPlain(found: string): boolean {
	return /^(?:bearer|basic|npm_|hf_)/i.test(found) && !/\d|[a-z][A-Z]|[+=]/.test(found);
}

/** Digests and keys: long hexadecimal, or letters and digits that change kind as only chance makes them. */
function looksRandom(found: string): boolean {
	const run = found.replace(HARMLESS, "");
	if (!/\d/.test(run)) return false;
	if (run.length >= LONG_HEX && /^[\da-f]+$/i.test(run)) return /[a-f]/i.test(run);
	let changes = 0;
	let counted = 0;
	let before = 0;
	for (let i = 0; i < run.length; i++) {
		const kind = kindOf(run.charCodeAt(i));
		if (kind === 0) continue;
		counted++;
		if (before !== 0 && kind !== before) changes++;
		before = kind;
	}
	const isMixed = /[a-z]/.test(run) && /[A-Z]/.test(run);
	return counted >= LONG - 4 && changes * (isMixed ? 5 : 6) >= counted * 2;
}

/** 1 lower case, 2 upper case, 3 a digit, 0 what stands between. */
function kindOf(code: number): number {
	if (code >= 97 && code <= 122) return 1;
	if (code >= 65 && code <= 90) return 2;
	return code >= 48 && code <= 57 ? 3 : 0;
}
