import type { Block } from "../../projections/transcript.ts";

/** Characters shown before and behind what was found. */
const AROUND = 40;

/** What is looked for. */
export interface WantedText {
	readonly text: string;
	/** whether letters match whatever their case */
	readonly ignoreCase: boolean;
}

/** Where a text first stands in another: what is around it, on one line; `undefined` where it does not. */
export function foundAround(said: string, { text, ignoreCase }: WantedText): string | undefined {
	const at = ignoreCase ? said.toLowerCase().indexOf(text.toLowerCase()) : said.indexOf(text);
	if (at === -1) return undefined;
	const from = Math.max(0, at - AROUND);
	const to = at + text.length + AROUND;
	const line = said.slice(from, to).replaceAll(/\s+/g, " ").trim();
	return `${from > 0 ? "…" : ""}${line}${to < said.length ? "…" : ""}`;
}

/** What a block says, as text: of a call its tool and arguments, of an image nothing. */
export function saidIn(block: Block): string {
	switch (block.type) {
		case "call":
			return `${block.tool} ${JSON.stringify(block.args)}`;
		case "image":
			return "";
		case "text":
		case "thinking":
			return block.text;
		default:
			return block satisfies never;
	}
}
