import type { TranscriptEntry } from "../transcript.ts";
import type { Evidence } from "./evidence.ts";
import { excerpt, outsideFences, proseOf, sentencesOf } from "./excerpt.ts";

/** Longest sentence that is taken for a decision, characters. */
const SENTENCE = 240;
/** Most decisions taken from one message. */
const DECISIONS = 4;
/** What a message must say to be a goal, in letters; a sign of a script without spaces counts as three. */
const LETTERS = 12;

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

/** What the user asked for in a message, and what was decided in it. */
export function userEvidence(entry: TranscriptEntry): Evidence[] {
	const text = proseOf(entry);
	const evidence: Evidence[] = [];
	const goal = excerpt(outsideFences(text).join("\n"));
	if (lettersIn(goal) >= LETTERS) evidence.push({ category: "goal", entry: entry.id, text: goal });
	for (const sentence of sentencesOf(text)) {
		if (evidence.length > DECISIONS) break;
		if (sentence.length > SENTENCE || /[?？]\s*$/.test(sentence) || !LASTING.test(sentence)) continue;
		const said = excerpt(sentence);
		if (said.length > 3) evidence.push({ category: "decision", entry: entry.id, text: said });
	}
	return evidence;
}

function lettersIn(text: string): number {
	let letters = 0;
	for (const sign of text) {
		if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(sign)) letters += 3;
		else if (/[\p{L}\p{N}]/u.test(sign)) letters++;
	}
	return letters;
}
