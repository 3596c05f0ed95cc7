import { BLOCK_TERMS, type FoundTerm } from "../../projections/recall/blocks.ts";
import type { TermSpace } from "../../projections/recall/rows.ts";
import type { Segment } from "../../projections/recall/segment.ts";

/** Blocks of a segment that are looked at for what begins with a term. */
export const MOST_BLOCKS = 3;

/** Terms told of a segment in memory that begin alike. */
const MOST_TERMS = MOST_BLOCKS * BLOCK_TERMS;

/** A term, and with a stem those that begin with it, in a segment in memory. */
export function foundIn(segment: Segment, space: TermSpace, term: string, stem?: string): FoundTerm[] {
	if (stem === undefined) return [...segment.find(space, term)];
	const found: FoundTerm[] = [];
	for (const one of segment.findFrom(space, stem)) {
		found.push(one);
		if (found.length === MOST_TERMS) break;
	}
	const isThere = found.some((one) => one.term === term);
	return isThere ? found : [...found, ...segment.find(space, term)];
}
