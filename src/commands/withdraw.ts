import type { MarkDecision } from "../../events/mark.ts";
import { planAt } from "../../projections/window-plan.ts";
import { completed, type DecisionCommand, fieldsOf } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { cutsOf, pathCut } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";

/** A command about marks or folds, by name. */
export interface WithdrawCommand extends DecisionCommand {
	readonly ids: readonly string[];
}

/**
 * Withdraws marks: the next commit leaves them raw, the one after folds them. Nothing moves now, and nothing happens
 * where all are withdrawn. Throws `FOLD_STANDING` for what is folded already.
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

/** As {@link withdrawMarks}, for folds too: the next commit puts their entries back. */
export function toRaw(state: QuoteState, command: WithdrawCommand): MarkDecision[] {
	const { leaf, ids } = command;
	const known = planAt(state, leaf)?.withdrawn;
	const named = ids.flatMap((id) => {
		pathCut(state, leaf, id);
		return cutsOf(state, id).map((cut) => cut.id);
	});
	const cuts = [...new Set(named)].filter((cut) => !known?.has(cut));
	if (cuts.length === 0) return [];
	const data = { ...fieldsOf(state, command, "unmark"), cuts };
	return [completed(state, command, { type: "mark/withdrawn", data })];
}
