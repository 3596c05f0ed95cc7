import type { FoldDecision } from "../../events/fold.ts";
import { lastCutOf, levelOf, standingParts, startOf } from "../../projections/forest.ts";
import { requestsSoFar } from "../../projections/ledger.ts";
import { planAt } from "../../projections/window-plan.ts";
import { completed, type DecisionCommand, fieldsOf, UNQUOTED } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { coverOf, pathCut, refuseCompacted } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";

/** A command about one fold. */
export interface FoldCommand extends DecisionCommand {
	readonly fold: string;
}

/**
 * Opens one fold in place: a group by the texts of its parts, a cut by its entries. Nothing where it is open already,
 * be it because a part of it is.
 */
export function expandFold(state: QuoteState, command: FoldCommand): FoldDecision[] {
	const { fold, leaf } = command;
	const plan = planAt(state, leaf);
	const cut = pathCut(state, leaf, fold);
	if (plan?.expanded.has(fold)) return [];
	if (!plan || cut.number > plan.cut)
		throw new CommandError("FOLD_PENDING", `${fold} is not folded yet: its messages are in view`);
	refuseCompacted(state, command, fold, cut.to);
	const standing = standingParts(state.forest, plan.through, plan);
	if (!standing.some(({ text, isOpen }) => text.fold === fold && !isOpen)) {
		const cover = coverOf(state, plan, fold);
		if (cover === undefined) return [];
		throw new CommandError("FOLD_NESTED", `${fold} lies inside ${cover}; open that first`, {
			action: "expand",
			id: cover,
		});
	}
	const data = {
		...fieldsOf(state, command, "expand"),
		fold,
		request: requestsSoFar(state.ledger),
		...UNQUOTED,
	};
	return [completed(state, command, { type: "fold/expanded", data })];
}

/** Closes an opened fold again, with everything open inside it. */
export function refoldFold(state: QuoteState, command: FoldCommand): FoldDecision[] {
	const { fold, leaf } = command;
	const plan = planAt(state, leaf);
	const last = pathCut(state, leaf, fold);
	const level = levelOf(last, fold);
	const first = startOf(state.forest, last, level)?.number ?? 0;
	const open = [...(plan?.expanded.keys() ?? [])].filter((other) => {
		const cut = lastCutOf(state.forest, other);
		const number = cut?.number ?? 0;
		return other === fold || (cut && number > first && number <= last.number && levelOf(cut, other) < level);
	});
	refuseCompacted(state, command, fold, last.to);
	if (open.length === 0)
		throw new CommandError("FOLD_NOT_OPEN", `${fold} is not open, so there is nothing to close`);
	const data = { ...fieldsOf(state, command, "refold"), fold, folds: open, ...UNQUOTED };
	return [completed(state, command, { type: "fold/refolded", data })];
}
