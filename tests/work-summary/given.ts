import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Category, Evidence } from "../../projections/work-summary/evidence.ts";
import { evidenceOf } from "../../projections/work-summary/gather.ts";

/** The evidence of entries, of one category. */
export function found(
	category: Category,
	...entries: readonly (TranscriptEntry | readonly TranscriptEntry[])[]
) {
	return evidenceOf(entries.flat()).filter((piece) => piece.category === category);
}

/** The excerpts of one category. */
export function excerpts(category: Category, ...entries: Parameters<typeof found>[1][]): string[] {
	return found(category, ...entries).map(({ text }) => text);
}

/** A piece of evidence that a test needs no more of. */
export function piece(
	category: Category,
	entry: string,
	text: string,
	more: Partial<Evidence> = {},
): Evidence {
	return { category, entry, text, ...more };
}
