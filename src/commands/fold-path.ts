import { type Cut, cutOf, lastCutOf, levelOf, standingParts, startOf } from "../../projections/forest.ts";
import { shownFrom } from "../../projections/host-view.ts";
import type { Plan } from "../../projections/plans.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { WindowState } from "../../projections/window-plan.ts";
import type { DecisionCommand } from "./change.ts";
import { CommandError } from "./command-error.ts";

/** The cuts of the path to a leaf that no plan has folded yet, oldest first. */
export function pendingCuts(state: WindowState, leaf: string | null, plan: Plan | undefined): Cut[] {
	return cutsBehind(state, nodeOf(state.tree, leaf)?.cut ?? null, plan);
}

/** The cuts up to one that no plan has folded yet, oldest first. */
export function cutsBehind(state: WindowState, last: string | null, plan: Plan | undefined): Cut[] {
	const pending: Cut[] = [];
	let cut = cutOf(state.forest, last);
	for (; cut && cut.number > (plan?.cut ?? 0); cut = cutOf(state.forest, cut.before)) pending.push(cut);
	return pending.reverse();
}

/** The last cut a fold covers, on the path to a leaf. Throws `FOLD_UNKNOWN` where nothing there bears the name. */
export function pathCut(state: WindowState, leaf: string | null, fold: string): Cut {
	const named = lastCutOf(state.forest, fold);
	let cut = cutOf(state.forest, nodeOf(state.tree, leaf)?.cut ?? null);
	while (cut && named && cut.number > named.number) cut = cutOf(state.forest, cut.before);
	if (named && cut?.id === named.id) return named;
	throw new CommandError("FOLD_UNKNOWN", `no fold on this branch is called ${fold}`, {
		action: "status",
		detail: "folds",
	});
}

/**
 * What a cut is called on the path to a leaf: the name the same stretch has there where another had it drawn under
 * another name, and any other name as it is. O(cuts behind it).
 */
export function nowCalled(state: WindowState, leaf: string | null, name: string): string {
	const known = cutOf(state.forest, name);
	if (!known) return name;
	const depthOf = ({ to }: Cut) => nodeOf(state.tree, to)?.depth ?? 0;
	let cut = cutOf(state.forest, nodeOf(state.tree, leaf)?.cut ?? null);
	while (cut && depthOf(cut) > depthOf(known)) cut = cutOf(state.forest, cut.before);
	return cut?.to === known.to && cut.from === known.from ? cut.id : name;
}

/** Refuses what is about entries that a compaction took out of the window, `last` the last of them. Throws `COMPACTED`. */
export function refuseCompacted(
	{ tree }: WindowState,
	{ leaf, isAgain }: Pick<DecisionCommand, "leaf" | "isAgain">,
	named: string,
	last: string | undefined,
): void {
	const depth = nodeOf(tree, last ?? null)?.depth;
	if (isAgain || depth === undefined || depth >= shownFrom(tree, leaf)) return;
	throw new CommandError(
		"COMPACTED",
		`${named} is out of the window by a compaction, and stays so; its originals can be read back`,
		{ action: "peek", id: named },
	);
}

/** The group in the window that a fold lies inside; `undefined` where none does. */
export function coverOf(state: WindowState, plan: Plan, fold: string): string | undefined {
	const last = lastCutOf(state.forest, fold);
	const level = last ? levelOf(last, fold) : 0;
	const number = last?.number ?? 0;
	const cover = standingParts(state.forest, plan.through, plan).find(
		({ cut, text }) => number <= cut.number && number > (startOf(state.forest, cut, text.level)?.number ?? 0),
	);
	return cover && cover.text.level > level ? cover.text.fold : undefined;
}

/** The cuts a fold covers, oldest first. */
export function cutsOf(state: WindowState, fold: string): Cut[] {
	const last = lastCutOf(state.forest, fold);
	const first = last && startOf(state.forest, last, levelOf(last, fold));
	const cuts: Cut[] = [];
	for (let cut = last; cut && cut.id !== first?.id; cut = cutOf(state.forest, cut.before)) cuts.push(cut);
	return cuts.reverse();
}
