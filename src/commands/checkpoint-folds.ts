import { cutOf, standingParts, startOf } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { type EntryNode, nodeOf, stretch } from "../../projections/session-tree.ts";
import { rewritingsAt, textUnder } from "../../projections/standing.ts";
import { planAt, type WindowState } from "../../projections/window-plan.ts";

/** A fold that a checkpoint lists: the fewest that tell of everything above it, oldest first. */
interface ListedFold {
	readonly fold: string;
	/** the first and the last entry it stands for */
	readonly from: string;
	readonly to: string;
	/** digest of its brief as structured data */
	readonly brief: string;
}

/** What a checkpoint lists: everything the model was sent above an entry. */
export interface ListedAbove {
	/** oldest first */
	readonly folds: readonly ListedFold[];
	/** the entries behind the last of them, which no fold that ends above stands for, oldest first */
	readonly unfolded: readonly EntryNode[];
}

/**
 * The folds of the path to a leaf that end above an entry, folded by then or only marked, each as edits and supplied
 * briefs leave it, and the entries from the last of these up to the entry. O(cuts on the path, and entries behind them).
 */
export function listedAbove(state: WindowState, leaf: string | null, entry: string): ListedAbove {
	const depth = nodeOf(state.tree, entry)?.depth ?? 0;
	let last = cutOf(state.forest, nodeOf(state.tree, leaf)?.cut ?? null);
	while (last && (nodeOf(state.tree, last.to)?.depth ?? depth) >= depth)
		last = cutOf(state.forest, last.before);
	const plan = planAt(state, leaf) ?? BARE_PLAN;
	const rewritings = rewritingsAt(state, leaf);
	const folds = standingParts(state.forest, last?.id ?? null).flatMap(({ cut, text: written }) => {
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
	const end = nodeOf(state.tree, entry)?.parent ?? null;
	return { folds, unfolded: stretch(state.tree, end, nodeOf(state.tree, last?.to ?? null)?.depth ?? -1) };
}
