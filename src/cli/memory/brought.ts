import type { MemoryEvent } from "../../../events/memory.ts";

/** A memory event of a file, as `memory/imported` holds it. */
export type Imported = Extract<MemoryEvent, { type: "memory/imported" }>["data"];

/** An event that a line of a file brings. */
export interface BroughtEvent {
	/** number of the line, from 1 */
	readonly line: number;
	readonly imported: Imported;
	/** the text of the record it makes; `undefined` where it makes none, or where the text is not in the file */
	readonly text?: string;
}

/** A line by which the file says that texts were destroyed where it comes from. */
export interface BroughtLoss {
	readonly line: number;
	readonly contents: readonly string[];
	readonly records: readonly string[];
}

/** A line that was not brought in, and why. */
export interface Refused {
	readonly line: number;
	readonly why: string;
}

/** What a file of memory holds. */
export interface Brought {
	/** what the file is, in words */
	readonly what: string;
	/** in the order in which they happened */
	readonly items: readonly (BroughtEvent | BroughtLoss)[];
	readonly refused: readonly Refused[];
	/** why the file is not what was written, in words; `undefined` where it is, or cannot tell */
	readonly notWhole?: string;
	/** what is true of the file as a whole, in words */
	readonly notes: readonly string[];
}

/** A line of a file that holds JSON, with its number, from 1. */
export interface JsonLine {
	readonly line: number;
	readonly value: unknown;
}

/** Longest line that is looked at, characters. */
const LONGEST = 1_000_000;

/** The lines of a file that are JSON, and those that are not. Empty ones are neither. */
export function jsonLines(text: string): {
	readonly lines: readonly JsonLine[];
	readonly broken: readonly Refused[];
} {
	const lines: JsonLine[] = [];
	const broken: Refused[] = [];
	for (const [index, raw] of text
		.replace(/^\ufeff/, "")
		.split("\n")
		.entries()) {
		const line = index + 1;
		const content = raw.trim();
		if (content === "") continue;
		if (content.length > LONGEST) {
			broken.push({ line, why: "it is longer than 1,000,000 characters" });
			continue;
		}
		try {
			lines.push({ line, value: JSON.parse(content) });
		} catch {
			broken.push({ line, why: "it is no JSON, or was cut off" });
		}
	}
	return { lines, broken };
}

/** Whether a value is an object with fields. */
export function isFields(value: unknown): value is { readonly [key: string]: unknown } {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
