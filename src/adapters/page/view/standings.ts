import type { Standing } from "../../../debug/window-rows.ts";

/** How a texture tells two standings apart where a reader sees no difference of colour. */
export type Texture = "plain" | "hatch" | "lines" | "dots";

/** How an item that stands in some way is drawn and named. */
export interface Look {
	readonly word: string;
	/** what it means, as a sentence */
	readonly meaning: string;
	/** custom property of its colour */
	readonly colour: `--${string}`;
	readonly texture: Texture;
}

/** The looks of everything that can stand in a window. Families share a hue and differ in lightness and texture. */
export const looks: Readonly<Record<Standing, Look>> = {
	raw: look("raw", "It stands as it was written.", "--raw", "plain"),
	answer: look("answer", "It answers a call to the context tools.", "--answer", "plain"),
	folded: look("folded", "A brief stands for what was said.", "--folded", "plain"),
	grouped: look("grouped", "A brief stands for several folds.", "--grouped", "hatch"),
	summary: look("checkpoint", "The summary of a compaction stands for all before it.", "--summary", "lines"),
	clipped: look("clipped", "The middle of a long output is left out.", "--clipped", "plain"),
	edited: look("edited", "The host changed it after it was written.", "--clipped", "hatch"),
	pinned: look("pinned", "Someone asked that it stay.", "--pinned", "plain"),
	held: look("held", "It stays, for it is still needed.", "--held", "hatch"),
	peeked: look("peeked", "Folded content that the model read back.", "--peeked", "plain"),
	opened: look("opened", "A fold that was opened again.", "--peeked", "hatch"),
	shown: look("receipt", "What we tell the model of its folds and its memory.", "--shown", "dots"),
};

/** The look of a standing; that of raw for one this page does not know. */
export function lookOf(standing: string): Look {
	return looks[standing as Standing] ?? looks.raw;
}

function look(word: string, meaning: string, colour: Look["colour"], texture: Texture): Look {
	return { word, meaning, colour, texture };
}
