import type { MarkDecision } from "../../events/mark.ts";
import { tokensOf } from "../../projections/calibration.ts";
import { cutOf } from "../../projections/forest.ts";
import { budgetOf } from "../../projections/rules.ts";
import { planAt } from "../../projections/window-plan.ts";
import { completed, type DecisionCommand, fieldsOf } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { cutsOf, pathCut } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";

/** Most of the budget that withdrawn cuts may take, as pins may. */
const RAW_SHARE = 0.25;

/** A command about marks or folds, by name. */
export interface WithdrawCommand extends DecisionCommand {
	readonly ids: readonly string[];
}

/**
 * Withdraws marks: the next commit leaves them raw, a later one folds them, as it does what was opened at that one.
 * Nothing moves now, and nothing happens where all are withdrawn. Throws `FOLD_STANDING` for what is folded already.
 */
export function withdrawMarks(state: QuoteState, command: WithdrawCommand): MarkDecision[] {
	const folded = planAt(state, command.leaf)?.cut ?? 0;
	for (const id of command.ids) {
		if (pathCut(state, command.leaf, id).number > folded) continue;
		throw new CommandError("FOLD_STANDING", `${id} is folded already, so it is no mark any more`, {
			action: "reboundary",
			id,
		});
	}
	return toRaw(state, command);
}

/**
 * As {@link withdrawMarks}, for folds too: the next commit puts their entries back. Throws `RAW_OVER_SHARE` where that
 * would fill too much of the window.
 */
export function toRaw(state: QuoteState, command: WithdrawCommand): MarkDecision[] {
	const { leaf, ids } = command;
	const known = planAt(state, leaf)?.withdrawn;
	const named = ids.flatMap((id) => {
		pathCut(state, leaf, id);
		return cutsOf(state, id).map((cut) => cut.id);
	});
	const cuts = [...new Set(named)].filter((cut) => !known?.has(cut));
	if (cuts.length === 0) return [];
	if (!command.isAgain) refuseTooMuch(state, new Set([...(known ?? []), ...cuts]));
	const data = { ...fieldsOf(state, command, "unmark"), cuts };
	return [completed(state, command, { type: "mark/withdrawn", data })];
}

function refuseTooMuch(state: QuoteState, cuts: ReadonlySet<string>): void {
	let tokens = 0;
	for (const id of cuts)
		tokens += tokensOf(state.calibration, cutOf(state.forest, id) ?? { chars: 0, images: 0 });
	const most = budgetOf(state.rules) * RAW_SHARE;
	if (tokens <= most) return;
	throw new CommandError(
		"RAW_OVER_SHARE",
		`about ${Math.round(tokens)} tokens would be raw after the next commit, more than a quarter of the budget (${Math.round(most)}); nothing was changed`,
		{ action: "peek", id: [...cuts].at(-1) ?? "" },
	);
}
