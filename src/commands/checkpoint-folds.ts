import { cutOf, standingParts, startOf } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { rewritingsAt, textUnder } from "../../projections/standing.ts";
import { planAt, type WindowState } from "../../projections/window-plan.ts";

/** A fold that a checkpoint lists: the fewest that tell of everything above it, oldest first. */
export interface ListedFold {
	readonly fold: string;
	/** the first and the last entry it stands for */
	readonly from: string;
	readonly to: string;
	/** digest of its brief as structured data */
	readonly brief: string;
}

/**
 * The folds of the path to a leaf that end above an entry, folded by then or only marked, each as edits and supplied
 * briefs leave it. O(cuts on the path).
 */
export function foldsAbove(state: WindowState, leaf: string | null, entry: string): ListedFold[] {
	const depth = nodeOf(state.tree, entry)?.depth ?? 0;
	let last = cutOf(state.forest, nodeOf(state.tree, leaf)?.cut ?? null);
	while (last && (nodeOf(state.tree, last.to)?.depth ?? depth) >= depth)
		last = cutOf(state.forest, last.before);
	const plan = planAt(state, leaf) ?? BARE_PLAN;
	const rewritings = rewritingsAt(state, leaf);
	return standingParts(state.forest, last?.id ?? null).flatMap(({ cut, text: written }) => {
		const { fold, level, brief, gone } = textUnder(plan, written, rewritings);
		if (gone) return [];
		const before = startOf(state.forest, cut, level);
		let first = cut;
		for (let one = cutOf(state.forest, cut.before); one && one.number > (before?.number ?? 0); ) {
			first = one;
			one = cutOf(state.forest, one.before);
		}
		return [{ fold, from: first.from, to: cut.to, brief }];
	});
}
