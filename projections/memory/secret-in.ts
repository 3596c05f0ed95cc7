import { RANDOM_RUN, secretKindIn } from "../secrets.ts";

/** Words for what proves who someone is, as people say them. */
const NAMED =
	"(?:pass(?:word|phrase|code|wd)|passwort|kennwort|passphrase|pwd?|pin|(?:api|access|secret) (?:key|token)|contraseña|clave|mot de passe)";

/** What people write beside such a word, and is no value of it. */
const PLAIN =
	"(?:sha-?\\d+|md5|oauth\\d?|auth0|bcrypt|argon2\\w*|pbkdf2|base64|utf-?8|v\\d[\\d.]*|ed25519|rfc-?\\d+|k8s|s3|1password|x509)(?![\\w-])";

/** Words with which a sentence about a password goes on that does not tell it. */
const GOES_ON =
	"(?:not|never|no|always|only|also|already|still|too|so|very|stored|kept|saved|held|hashed|encrypted|rotated|managed|required|needed|optional|set|read|loaded|given|taken|passed|sent|used|wrong|empty|missing|expired|shared|provided|generated|defined|checked|validated|known|in|on|at|from|under|inside|to|by|for|the|a|an|our|your|what|where|ours)(?![\\w-])";

/** A word with a letter and a digit in it, as passwords are made. */
const MADE = `(?!${PLAIN})(?=[^\\s]*[a-z])(?=[^\\s]*\\d)[^\\s"'\`,;$<{/]{5,}`;

const SPOKEN: readonly RegExp[] = [
	// `my password is hunter2`
	new RegExp(`(?<![\\p{L}\\p{N}_-])${NAMED} (?:is|was|=|ist|lautet|est|es) ["'\`]?${MADE}`, "iu"),
	// `use password hunter2`
	new RegExp(
		`(?<![\\p{L}\\p{N}_-])(?:pass(?:word|phrase|wd)|passwort|kennwort|contraseña)[ :]\\s{0,4}["'\`]?${MADE}`,
		"iu",
	),
	new RegExp(`(?<![\\p{L}\\p{N}])${NAMED} (?:is|ist|lautet|est|es) ["'\`]`, "iu"),
	// `my passphrase is correct horse`
	new RegExp(
		`(?<![\\p{L}\\p{N}])(?:my|our|mein|unser|mon|notre|mi|nuestra) (?:[\\p{L}\\p{N}-]+ )?${NAMED} (?:is|ist|lautet|est|es) (?!${GOES_ON})[\\p{L}\\p{N}]`,
		"iu",
	),
	// `DB_PASS=x`, `pw: x`
	/(?<![\p{L}\p{N}])(?:\w+[_-])(?:pass|pw|passphrase|pin|auth)\s{0,4}[=:]\s{0,4}(?![$<{]|true\b|false\b)[^\s"',;]/iu,
	/(?<![\p{L}\p{N}_-])pw\s{0,4}[=:]\s{0,4}(?![$<{])[^\s"',;]/iu,
	new RegExp(`(?<![\\p{L}\\p{N}_-])pass\\s{0,4}[=:]\\s{0,4}["'\`]?${MADE}`, "iu"),
	/(?:密码|密碼|口令|密钥|令牌|パスワード|비밀번호)(?:是|为|為|就是|は|는|은|:|：|=)?\s{0,4}["'“「]?(?=[!-~]*\d)[!-~]{5,}/u,
	/(?<![\w-])(?:curl|wget|https?)(?![\w-])[^\n]{0,200}?\s(?:-u|--user)[= ]?\s{0,4}["']?(?![$<{])[^\s:"']{1,80}:(?![$<{])[^\s"']/iu,
];

/** A digest of 160 or 256 bits that stands by itself. */
const DIGEST = /(?<![\w+/-])(?:[\da-f]{64}|[\da-f]{40})(?![\w+/=-])/gi;
/** What makes a secret of what stands behind it. */
const OF_A_SECRET =
	/(?:pass|pwd|\bpw\b|secret|token|\bkey|schlüssel|credential|seed|bearer|basic|kennwort|clave|密|令牌)[^.!?\n]{0,40}$/i;

/**
 * What kind of secret a text to be remembered seems to hold, in a few words that do not tell it; `undefined` where it holds
 * none. Beside what looks like one, what people say of one. A user may name commits and checksums: `mayNameDigests`.
 */
export function secretIn(text: string, mayNameDigests: boolean): string | undefined {
	const left = mayNameDigests
		? text.replace(DIGEST, (digest, at: number) =>
				OF_A_SECRET.test(text.slice(Math.max(0, at - 60), at)) ? digest : "",
			)
		: text;
	const kind = secretKindIn(left);
	if (kind !== undefined) return kind;
	return SPOKEN.some((spoken) => spoken.test(left)) ? "a password that is told" : undefined;
}

/** The same of the name of a file, which may be as long and as random as it likes. */
export function secretInName(name: string): string | undefined {
	const kind = secretIn(name, true);
	return kind === RANDOM_RUN ? undefined : kind;
}
