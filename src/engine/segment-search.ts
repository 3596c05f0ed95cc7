import { BLOCK_TERMS, type BlockTerm } from "../../projections/recall/blocks.ts";
import type { OnPosting } from "../../projections/recall/postings.ts";
import type { TermSpace } from "../../projections/recall/rows.ts";
import type { Segment } from "../../projections/recall/segment.ts";

/** Blocks of a segment that are looked at for what begins with a term. */
export const MOST_BLOCKS = 3;

/** Terms told of a segment in memory that begin alike. */
const MOST_TERMS = MOST_BLOCKS * BLOCK_TERMS;

/** A term, or those that begin so, in a segment in memory. */
export function foundIn(segment: Segment, space: TermSpace, term: string, asPrefix = false): BlockTerm[] {
	const found: BlockTerm[] = [];
	for (const each of asPrefix ? segment.termsFrom(space, term) : [term]) {
		const pairs = segment.postings(space, each);
		if (pairs) found.push({ term: each, each: (onPosting) => tell(pairs, segment.first, onPosting) });
		if (found.length === MOST_TERMS) break;
	}
	return found;
}

function tell(pairs: readonly number[], first: number, onPosting: OnPosting): void {
	for (let at = 0; at < pairs.length; at += 2)
		onPosting(first + (pairs[at] as number), pairs[at + 1] as number);
}
