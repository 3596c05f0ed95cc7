import { contentTerms } from "./clauses.ts";
import { subjectOf } from "./polarity.ts";

/** A value that a clause gives something: `3000` to `port`. */
export interface Assignment {
	/** in lower case */
	readonly key: string;
	/** in lower case, without quotes */
	readonly value: string;
	/** what else the clause is about */
	readonly rest: ReadonlySet<string>;
}

/** The values a clause gives: numbers beside a word, `KEY=value`, and what stands alone behind a colon or `is`. */
export function assignmentsIn(clause: string): Assignment[] {
	const lower = clause.normalize("NFKC").toLowerCase().replace(DATE, " ").replace(SEAM, " ");
	return [...numbersIn(lower), ...namedIn(lower)];
}

/** Dates, and numbers of things that are told apart by them. */
const DATE = /\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?|#\d+/g;
/** Between a script without spaces and what else there is. */
const SEAM =
	/(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])(?=[a-z\d])|(?<=[a-z\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;
/** Words, numbers, and signs between a key and its value. */
const TOKEN =
	/v?\d+(?:[.:]\d+)*(?![\p{L}\p{N}_-])|\d+(?:ms|s|m|h|kb|mb|gb|px|%)(?![\p{L}\p{N}_-])|[\p{L}_][\p{L}\p{M}\p{N}_-]*|[=:]/gu;
/** Words that may stand between a key and its value. */
const LINKS =
	/^(?:[=:]|is|are|to|of|at|set|equals|must|be|auf|ist|von|soll|sein|est|de|à|doit|être|es|en|a|debe|ser|der|den|the|max|min|maximum|minimum)$/;
/** Words that count or tell apart, so that many may hold at once. */
const ORDINAL =
	/^(?:step|phase|part|chapter|section|page|line|item|issue|pr|ticket|bug|error|status|http|code|figure|table|test|tests|day|days|week|year|level|point|note|rule|task|version|option|case|example|no|number|schritt|teil|kapitel|seite|zeile|fehler|tag|regel|fall|étape|partie|chapitre|ligne|erreur|règle|cas|paso|parte|capítulo|página|línea|regla|caso|第|步骤|规则|例|手順|ルール|created|updated|since|copyright|released|january|february|march|april|may|june|july|august|september|october|november|december|utf|sha|base|ipv|es|iso)$/;
/** What a run of a script without spaces may end with between a key and its value. */
const SPACELESS_LINK = /(?:设置为|設定為|設為|设为|为|為|是|应为|は|を|が|として)$/u;
/** What such a run may begin with. */
const SPACELESS_VERB = /^(?:使用|监听|監聽|用)/u;
/** What has one value, in whose case `is` gives it. */
const SLOT =
	/(?:branch|manager|database|framework|language|editor|license|version|region|environment|runner|linter|formatter|bundler|encoding|timezone|host|url|domain|compiler|runtime|shell|port|registry|sprache|datenbank|lizenz|branche|langue|licence|rama|idioma|gestor|lenguaje|分支|数据库|語言|语言|包管理器|框架|言語|ブランチ|データベース)$/u;
/** Words that stand before a colon and name nothing. */
const LABEL =
	/^(?:note|todo|rule|important|warning|reminder|remember|hint|tip|example|why|how|see|hinweis|wichtig|regel|achtung|remarque|important|attention|nota|importante|regla|ojo|注意|规则|重要|提示|ルール|fact|preference|constraint|decision|file|command|tests|https?|file)$/;

function numbersIn(lower: string): Assignment[] {
	const tokens = lower.match(TOKEN) ?? [];
	const found: Assignment[] = [];
	for (const [at, token] of tokens.entries()) {
		if (!/^v?\d/.test(token)) continue;
		const key = keyBefore(tokens, at) ?? keyBehind(tokens, at);
		if (key === undefined || ORDINAL.test(key)) continue;
		found.push({ key, value: token.replace(/^v/, ""), rest: restOf(lower, key, token) });
	}
	return found;
}

function keyBefore(tokens: readonly string[], at: number): string | undefined {
	let from = at - 1;
	while (from >= 0 && from >= at - 3 && LINKS.test(tokens[from] ?? "")) from--;
	return keyIn(tokens[from]);
}

/** `2 spaces`: the word behind, where none stands before. */
function keyBehind(tokens: readonly string[], at: number): string | undefined {
	return keyIn(tokens[at + 1]);
}

function keyIn(token: string | undefined): string | undefined {
	if (token === undefined || /^(?:v?\d|[=:])/.test(token)) return undefined;
	const bare = token.replace(SPACELESS_LINK, "").replace(SPACELESS_VERB, "");
	const key = subjectOf(bare);
	return contentTerms(key).size === 0 ? undefined : key;
}

function namedIn(lower: string): Assignment[] {
	const found: Assignment[] = [];
	for (const [, key = "", value = ""] of lower.matchAll(/([\p{L}_][\p{L}\p{N}_.-]{0,60})=([^\s,;]{1,80})/gu))
		add(found, key, value);
	const colon = /^([^:=]{1,40}?)\s*:\s+(\S{1,80})$/u.exec(lower);
	if (colon) add(found, colon[1] ?? "", colon[2] ?? "");
	const is = /^(.{1,60}?)\s*(?:\s(?:is|ist|est|es)\s|是|は)\s*(\S{1,60}?)(?:です|だ)?[.。]?$/u.exec(lower);
	if (is && (SLOT.test(is[1] ?? "") || /^[`"']/.test(is[2] ?? ""))) add(found, is[1] ?? "", is[2] ?? "");
	return found;
}

function add(found: Assignment[], typed: string, given: string): void {
	const key = [...contentTerms(subjectOf(typed))].join(" ");
	const value = given.replace(/^[`"'「“]+|[`"'」”.,;]+$/g, "");
	if (key === "" || ORDINAL.test(key) || value === "" || value.startsWith("//") || LABEL.test(typed.trim()))
		return;
	// numbers are told already
	if (/^v?\d/.test(value)) return;
	found.push({ key, value, rest: new Set() });
}

function restOf(lower: string, key: string, value: string): ReadonlySet<string> {
	const without = subjectOf(lower.replace(value, " ")).replace(key, " ");
	return new Set([...contentTerms(without)].filter((term) => !LINKS.test(term) && term !== key));
}
