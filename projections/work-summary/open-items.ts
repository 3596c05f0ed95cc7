import type { JsonValue, TranscriptEntry } from "../transcript.ts";
import type { Evidence } from "./evidence.ts";
import { excerpt, outsideFences, sentencesOf } from "./excerpt.ts";

/** Most things to do taken from the prose of one reply. */
const SENTENCES = 3;
/** Most things of a list that are joined. */
const ITEMS = 12;

/** Words by which a reply says what is not done yet. Latin ones stand alone, others anywhere. */
const LEFT = new RegExp(
	`(?<![\\p{L}\\p{N}])(?:${[
		"next(?: steps?| up)?\\s*[:,]|next steps?|next,? (?:i|we|you)|remain(?:s|ing)|still (?:need|to do|open|missing|fail)\\p{L}*|not (?:yet|done)|to be done|left to do|to-?dos?|open (?:items?|questions?|points?)|follow-?ups?|outstanding|(?:is|are|still) pending|unfinished",
		"als nächstes|nächster? schritte?|noch (?:offen|zu tun|nicht|ausstehend|zu erledigen)|offen(?:e|er)? (?:punkte?|fragen?)|verbleib\\p{L}*|ausstehend\\p{L}*|übrig|fehlt noch",
		"prochaines? étapes?|reste à|próximos? pasos?|pendientes?|falta por",
	].join("|")})(?![\\p{L}\\p{N}])|${[
		"下一步|接下来|剩余|剩下|待办|待完成|还需要|还需|尚未|未完成|仍需|仍然需要|下一步|剩餘|待辦|尚需",
		"次のステップ|残り|残って|未完了|今後の課題",
		"다음 단계|남은|미완료",
	].join("|")}`,
	"iu",
);

const BOX = /^\s*(?:[-*+]|\d+[.)])?\s*\[([ xX~-])\]\s*(\S.*)$/;
const BULLET = /^\s*(?:[-*+•]|\d+[.)、])\s*(\S.*)$/;

/** What a final reply says is still to do: its sentences about that, each with the list it opens. */
export function openSentences(entry: TranscriptEntry, text: string): Evidence[] {
	const lines = outsideFences(text);
	const found: Evidence[] = [];
	for (const [at, line] of lines.entries()) {
		if (BOX.test(line)) continue;
		for (const sentence of sentencesOf(line)) {
			if (found.length === SENTENCES) return found;
			if (!LEFT.test(sentence) || /[?？]\s*$/.test(sentence)) continue;
			const list = /[:：]\s*(?:\*{1,2})?\s*$|^\s*#/.test(line) ? bulletsBelow(lines, at) : [];
			const said = excerpt(`${sentence.replace(/^\s*#+\s*|\*\*|__/g, "")} ${list.join("; ")}`);
			if (said.length > 8) found.push({ category: "open", entry: entry.id, text: said });
		}
	}
	return found;
}

/**
 * A list of boxes to tick, in a text that gives the whole of it: what is not ticked. Nothing where the text holds no such
 * list. `of` is what keeps the list, so that its next state takes the place of this one.
 */
export function openBoxes(entry: string, of: string, text: string): Evidence | undefined {
	const boxes = outsideFences(text).flatMap((line) => {
		const [, tick, item] = BOX.exec(line) ?? [];
		return item === undefined ? [] : [{ item, isOpen: tick !== "x" && tick !== "X" }];
	});
	if (boxes.length === 0) return undefined;
	return listed(
		entry,
		of,
		boxes.flatMap(({ item, isOpen }) => (isOpen ? item : [])),
	);
}

/** A list of things to do among a call's arguments: what is neither done nor dropped. */
export function openTodos(entry: string, of: string, args: JsonValue): Evidence | undefined {
	if (args === null || typeof args !== "object" || Array.isArray(args)) return undefined;
	for (const [key, list] of Object.entries(args)) {
		if (!/^(?:todos?|items|tasks|plan|steps)$/i.test(key) || !Array.isArray(list)) continue;
		const items = list.flatMap((item) => todoOf(item) ?? []);
		if (items.length === 0 && list.length > 0) continue;
		return listed(
			entry,
			of,
			items.flatMap(({ text, isOpen }) => (isOpen ? text : [])),
		);
	}
	return undefined;
}

function listed(entry: string, of: string, open: readonly string[]): Evidence {
	const told = open
		.slice(0, ITEMS)
		.map((item) => excerpt(item, 80))
		.filter((item) => item !== "");
	const count = open.length > 1 ? `${open.length} open: ` : "";
	return {
		category: "open",
		entry,
		of,
		text: told.length === 0 ? "" : excerpt(`${count}${told.join("; ")}`),
	};
}

function todoOf(item: JsonValue): { text: string; isOpen: boolean } | undefined {
	if (item === null || typeof item !== "object" || Array.isArray(item)) return undefined;
	const fields = item as { readonly [key: string]: JsonValue };
	const text = [fields.content, fields.text, fields.title, fields.task, fields.step, fields.description].find(
		(value) => typeof value === "string",
	);
	const state = fields.status ?? fields.state ?? fields.done ?? fields.completed;
	if (typeof text !== "string" || state === undefined) return undefined;
	return {
		text,
		isOpen: state !== true && !/^(?:completed?|done|cancell?ed|finished|closed)$/i.test(String(state)),
	};
}

/** The list that stands below a line, blank lines passed over. */
function bulletsBelow(lines: readonly string[], at: number): string[] {
	const bullets: string[] = [];
	for (const line of lines.slice(at + 1)) {
		if (line.trim() === "") continue;
		const bullet = BULLET.exec(line)?.[1];
		if (bullet === undefined || bullets.length === ITEMS) break;
		bullets.push(bullet.replace(/\*\*|__/g, ""));
	}
	return bullets;
}
