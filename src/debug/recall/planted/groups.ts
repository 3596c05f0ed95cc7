import type { RecallDocument } from "../../../../projections/recall/document.ts";

/** What is asked of a needle. */
export type Asks =
	| "two of three words"
	| "another inflection"
	| "two of three in German"
	| "another inflection in German"
	| "two of three in Chinese"
	| "last segment of a path"
	| "end of a path";

/** A text to be found, those beside it, and the question that it alone answers. */
export interface Group {
	readonly asks: Asks;
	readonly query: string;
	readonly needle: RecallDocument;
	readonly neighbours: readonly RecallDocument[];
}

/** Texts beside each needle. */
export const NEIGHBOURS = 21;
