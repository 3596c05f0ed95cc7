import type { RecallRecord } from "../../../projections/recall/segment.ts";

/** An entry as it is shown to whoever asked. */
export interface RecallBlock
	extends Pick<RecallRecord, "id" | "at" | "kinds" | "tools" | "sourceClass" | "files"> {
	/** the fold in the window that stands for it */
	readonly fold?: string;
	/** what of its text is shown */
	readonly text: string;
}

/** A page of blocks. */
export interface RecallPage {
	readonly text: string;
	/** blocks that are on it */
	readonly count: number;
	readonly truncated: boolean;
}

/** Characters of an entry that is read where many are; and of one in a list. */
const READ_CHARS = 2_000;
export const LISTED_CHARS = 600;

/** What a block may take beside its text, characters. */
const BESIDE_CHARS = 800;

/** Paths named at most, and characters of them. */
const FILES = 8;
const FILES_CHARS = 400;

/**
 * Blocks in order, as many as are within a budget of characters, each whole; `head` before them, and last what was left
 * out for want of room, by its ids, and `more`. Where there is no room for a single one that is said.
 */
export function recallPage(
	{ head, more }: { readonly head: string; readonly more?: string | undefined },
	blocks: readonly RecallBlock[],
	budget: number,
): RecallPage {
	const texts = blocks.map(blockText);
	for (let count = texts.length; count >= 0; count--) {
		const omitted = blocks.slice(count).map(({ id }) => id);
		const truncated = omitted.length > 0;
		const last = [
			...(truncated ? [`${count} included, no room for ${omitted.join(" ")}`] : []),
			...(more === undefined ? [] : [more]),
		].join("; ");
		const text = [head, ...texts.slice(0, count), ...(last === "" ? [] : [`[${last}]`])].join("\n\n");
		if (text.length <= budget) return { text, count, truncated };
	}
	return { text: head.length <= budget ? head : "", count: 0, truncated: blocks.length > 0 };
}

/**
 * How many characters of each of some texts are shown where they are read: what is left of a budget when the shorter ones
 * have theirs is shared out, but never fewer than 2,000.
 */
export function readChars(texts: readonly string[], budget: number): number {
	const lengths = texts.map(({ length }) => length).sort((a, b) => a - b);
	let room = budget - BESIDE_CHARS * texts.length;
	for (const [shorter, length] of lengths.entries()) {
		const share = Math.floor(room / (lengths.length - shorter));
		if (length > share) return Math.max(READ_CHARS, share);
		room -= length;
	}
	return Math.max(READ_CHARS, lengths.at(-1) ?? 0);
}

/** The beginning of a text, and how much is left out; `id` is whose text it is. */
export function clipped(text: string, most: number): string {
	if (text.length <= most) return text;
	const shown = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
	return `${shown}\n[… ${text.length - shown.length} more characters: raw has all]`;
}

function blockText({ id, at, kinds, tools, sourceClass, files, fold, text }: RecallBlock): string {
	const head = [
		`[entry ${id}]`,
		timeOf(at),
		`kinds=${kinds.join()}`,
		...(tools.length === 0 ? [] : [`tools=${[...tools].join()}`]),
		...(sourceClass === "derived" ? ["sourceClass=derived"] : []),
		...(fold === undefined ? [] : [`fold=${fold}`]),
		...(files.length === 0 ? [] : [`files=${filesText(files)}`]),
	];
	return `${head.join(" ")}\n${text.replace(/^\s*\n/, "").trimEnd()}`;
}

function filesText(files: readonly string[]): string {
	let text = "";
	for (const [index, file] of files.entries()) {
		const longer = text === "" ? file : `${text}, ${file}`;
		if (index === FILES || (index > 0 && longer.length > FILES_CHARS))
			return `${text} and ${files.length - index} more`;
		text = longer;
	}
	return text;
}

function timeOf(at: number): string {
	return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at} ms`;
}
