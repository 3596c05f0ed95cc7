import type { Block, TranscriptEntry } from "../../projections/transcript.ts";

/** Characters of an entry's preview. */
const PREVIEW_CHARS = 48;

/** Read of a text to make a preview of it: more than enough, were all of it blanks and marks that combine. */
const PREVIEW_READ = 400;

/** Characters of an entry's text that a screen shows. */
const TEXT_CHARS = 4_000;

/**
 * What moves a cursor, hides or reorders text: controls but for line ends, marks of direction, and what has no width.
 */
const UNSHOWN =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	/[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/**
 * Foreign text as a screen may show it: what would not be seen is written as an escape, tabs become blanks, lines stay.
 */
export function shownText(text: string): string {
	return text
		.toWellFormed()
		.replace(/\r\n/g, "\n")
		.replace(/\t/g, "    ")
		.replace(UNSHOWN, (char) => {
			const code = (char.codePointAt(0) ?? 0).toString(16);
			return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
		});
}

/** The same on one line, runs of blanks as one. */
export function shownLine(text: string): string {
	return shownText(text.replace(/\s+/g, " ").trim());
}

/** What an entry says, in a few words on one line: at most `room` characters, 200 at most. */
export function previewOf({ blocks }: Pick<TranscriptEntry, "blocks">, room = PREVIEW_CHARS): string {
	const said = blocks.filter((block) => block.type !== "thinking");
	let line = "";
	for (const block of said.length > 0 ? said : blocks) {
		line += ` ${wordsOf(block)}`.slice(0, PREVIEW_READ);
		if (line.length >= PREVIEW_READ) break;
	}
	return cutShort(shownLine(line.slice(0, PREVIEW_READ)), room);
}

/** The beginning of a text on one line of at most `room` characters, 200 at most. */
export function previewOfText(text: string, room: number): string {
	return cutShort(shownLine(text.slice(0, PREVIEW_READ)), room);
}

/** What an entry says, whole and as it stands, its blocks behind each other. */
export function entrySaid({ blocks }: Pick<TranscriptEntry, "blocks">): string {
	return blocks.map(wordsOf).join("\n");
}

/** What an entry says, as far as a screen shows it, and how many characters are left out. */
export function textOf({ blocks }: Pick<TranscriptEntry, "blocks">): { text: string; left: number } {
	const whole = entrySaid({ blocks });
	const text =
		whole.length <= TEXT_CHARS ? whole : whole.slice(0, TEXT_CHARS).replace(/[\ud800-\udbff]$/, "");
	return { text: shownText(text), left: whole.length - text.length };
}

function wordsOf(block: Block): string {
	switch (block.type) {
		case "text":
			return block.text;
		case "thinking":
			return `[thinking] ${block.text}`;
		case "call":
			return `${block.tool} ${JSON.stringify(block.args)}`;
		case "image":
			return `[image, ${block.mime}]`;
		default:
			return block satisfies never;
	}
}

function cutShort(line: string, room: number): string {
	const chars = Array.from(line);
	return chars.length <= room ? line : `${chars.slice(0, room - 1).join("")}…`;
}
