import { BLOCK_TERMS, type FoundTerm } from "../../projections/recall/blocks.ts";
import type { TermSpace } from "../../projections/recall/rows.ts";
import type { Segment } from "../../projections/recall/segment.ts";

/** Blocks of a segment that are looked at for what begins with a term. */
export const MOST_BLOCKS = 3;

/** Terms told of a segment in memory that begin alike. */
const MOST_TERMS = MOST_BLOCKS * BLOCK_TERMS;

/** A term, or those that begin so, in a segment in memory. */
export function foundIn(segment: Segment, space: TermSpace, term: string, asPrefix = false): FoundTerm[] {
	const found: FoundTerm[] = [];
	for (const one of segment.find(space, term, asPrefix)) {
		found.push(one);
		if (found.length === MOST_TERMS) break;
	}
	return found;
}
