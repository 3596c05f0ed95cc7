import { oneLine } from "../brief/one-line.ts";
import type { TranscriptEntry } from "../transcript.ts";
import type { Evidence } from "./evidence.ts";
import { excerpt, outsideFences, proseOf, sentencesOf } from "./excerpt.ts";
import { isRequest, isShortRule } from "./short-requests.ts";

/** Longest sentence that is taken for a decision, characters. */
const SENTENCE = 240;
/** Most decisions taken from one message. */
const DECISIONS = 4;
/** Words by which a user says what holds from now on. Latin ones stand alone, others anywhere. */
const LASTING = new RegExp(
	`(?<![\\p{L}\\p{N}])(?:${[
		"prefer(?:red|ably)?|by default|always|never|must(?: not|n't)?|do not|don['’]?t|from now on|make sure",
		"in this (?:project|repo|repository)|we (?:use|decided|agreed)|decided|instead of|only use|no longer|rather than",
		"immer|nie|niemals|standardm(?:ä|ae)(?:ß|ss)ig|bevorzugt?|in diesem projekt|ab jetzt|ab sofort|nicht mehr|darf(?:st)? nicht|(?:muss|musst|müssen)|bitte (?:kein|nicht)\\p{L}*|wir (?:nutzen|verwenden|nehmen)|entschieden|statt(?:dessen)?|nur noch",
		"toujours|jamais|par défaut|dans ce projet|désormais|ne pas",
		"siempre|nunca|por defecto|en este proyecto|a partir de ahora",
	].join("|")})(?![\\p{L}\\p{N}])|${[
		"以后|始终|总是|默认|优先|偏好|不要|别用|禁止|必须|不准|不得|本项目|这个项目|统一用|决定|改用|从现在起|一律|以後|預設|必須",
		"常に|必ず|このプロジェクト|今後は|しないで|禁止",
		"항상|절대|반드시|기본적으로|이 프로젝트|하지 ?마",
	].join("|")}`,
	"iu",
);

/** Words by which something is denied. */
const DENYING =
	/(?<!\p{L})(?:not|(?:do|must|should|ca)n['’]?t|never|no longer|nicht|kein\p{L}*|nie|niemals|ne|jamais|nunca|no)(?!\p{L})|不要|别用|禁止|不准|不得|しないで|하지 ?마/iu;
/** What stands behind an excerpt that the text goes on after. */
const CUT = " …";

/** What the user asked for in a message, and what was decided in it. */
export function userEvidence(entry: TranscriptEntry): Evidence[] {
	const text = proseOf(entry);
	const evidence: Evidence[] = [];
	const goal = excerpt(outsideFences(text).join("\n"));
	if (isRequest(goal)) evidence.push({ category: "goal", entry: entry.id, text: goal });
	for (const [sentence, next] of outsideFences(text).flatMap(inPairs)) {
		if (evidence.length > DECISIONS) break;
		if (!isDecision(sentence)) continue;
		const said = excerpt(wholeSaid(sentence, next));
		if (said.length > 3) evidence.push({ category: "decision", entry: entry.id, text: said });
	}
	return evidence;
}

/** The sentences of a line, each with the one behind it. */
function inPairs(line: string): [sentence: string, next: string | undefined][] {
	return sentencesOf(line).map((sentence, at, all) => [sentence, all[at + 1]?.trim() || undefined]);
}

function isDecision(sentence: string): boolean {
	if (sentence.length > SENTENCE || /[?？]\s*$/.test(sentence)) return false;
	return LASTING.test(sentence) || isShortRule(sentence);
}

/** A sentence that denies something, with the next, which may tell what holds instead; a sign where that has no room. */
function wholeSaid(sentence: string, next: string | undefined): string {
	if (next === undefined || !DENYING.test(sentence) || isDecision(next)) return sentence;
	const both = `${sentence.trim()} ${next.trim()}`;
	return oneLine(both).length <= SENTENCE ? both : `${sentence.trim()}${CUT}`;
}

/** An excerpt without the sign that the text goes on. */
export function withoutCut(text: string): string {
	return text.endsWith(CUT) ? text.slice(0, -CUT.length) : text;
}
