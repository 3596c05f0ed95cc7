import { cutOf } from "../../projections/forest.ts";
import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";

/** What became of cuts that someone had withdrawn, once something was folded. */
export interface AskedRaw {
	/** those inside what is folded that stay raw, as was asked */
	readonly raw: readonly string[];
	/** those that are folded all the same: the window had no room for them */
	readonly folded: readonly string[];
}

/** The cuts that the next commit is to leave raw, as the model or the user asked. */
export function withdrawnAt(states: SessionStates, leaf: string | null): readonly string[] {
	return [...(planAt(states, leaf)?.withdrawn ?? [])];
}

/** What became of cuts that were withdrawn before the decision in force at a leaf. */
export function askedRawAt(
	states: SessionStates,
	leaf: string | null,
	withdrawn: readonly string[],
): AskedRaw {
	const plan = planAt(states, leaf);
	const taken = withdrawn.filter((id) => (cutOf(states.forest, id)?.number ?? 0) <= (plan?.cut ?? 0));
	return {
		raw: taken.filter((id) => plan?.expanded.has(id)),
		folded: taken.filter((id) => !plan?.expanded.has(id)),
	};
}
