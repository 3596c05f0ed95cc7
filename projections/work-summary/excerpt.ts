import { oneLine, shortened } from "../brief/one-line.ts";
import { tellableText } from "../brief/tellable.ts";
import { WITHHELD } from "../secrets.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { EXCERPT_CHARS } from "./evidence.ts";

/** Characters of a text an excerpt is looked for in. */
const REACH = 4000;
/** Characters at each end of a long text that is looked through sentence by sentence. */
const ENDS = 16_000;

/**
 * What an entry says in words, without secrets; of a very long one both ends. Secrets go before it is taken apart, for
 * a sentence or a line of one no longer looks like it.
 */
export function proseOf(entry: TranscriptEntry): string {
	return prose(entry.blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n"));
}

/** The same of any text. */
export function prose(text: string): string {
	if (text.length <= 2 * ENDS) return tellableText(text);
	return tellableText(`${headOf(text, ENDS)}\n${text.slice(-ENDS).replace(/^\S*\s?/, "")}`);
}

/** The beginning of a text on one line, without secrets, terminals' escapes and what could pass for markup; empty for one that says nothing. */
export function excerpt(text: string, room: number = EXCERPT_CHARS): string {
	const line = oneLine(tellableText(headOf(text))).replace(/<(?=[/!?A-Za-z])/g, "‹");
	return line === WITHHELD ? "" : shortened(line, room);
}

/** A path as it is, blanks and all, if it can stand on a line. */
export function pathExcerpt(path: string): string | undefined {
	const isPlain = path !== "" && path.length <= EXCERPT_CHARS && !/[<>]/.test(path);
	return isPlain && excerpt(path) === path ? path : undefined;
}

/** The sentences of a text in their order, without code between fences; a line ends a sentence. */
export function sentencesOf(text: string): string[] {
	return outsideFences(text).flatMap((line) => line.split(/(?<=[.!?])\s+|(?<=[。！？；])/));
}

/** The lines of a text that stand in no code between fences, the longest ones cut short. */
export function outsideFences(text: string): string[] {
	let isCode = false;
	return text
		.split("\n")
		.filter((line) => {
			if (!/^\s*(?:```|~~~)/.test(line)) return !isCode;
			isCode = !isCode;
			return false;
		})
		.map((line) => headOf(line));
}

/** Digest of a text by which one is told from another: 16 hexadecimal digits, not to be trusted against forgery. */
export function looseDigest(text: string): string {
	return fnv(text, 0x811c9dc5) + fnv(text, 0x01000193);
}

/** Fowler, Noll and Vo's hash, variant 1a, over UTF-16 code units from a given start. */
function fnv(text: string, start: number): string {
	let hash = start;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The text as far as it is looked at; what the end cuts through is left out, for half a secret does not look like one. */
function headOf(text: string, reach: number = REACH): string {
	if (text.length <= reach) return text;
	const cut = text.slice(0, reach);
	const end = /\s\S*$/.exec(cut)?.index ?? 0;
	return cut.slice(0, end);
}
