import type { Cut } from "../../projections/forest.ts";
import { BARE_PLAN, decisionsUnder, type Plan, planAfter } from "../../projections/plans.ts";
import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";

/** The decisions in force at a leaf, those that were taken back left out, and since when what they decided holds. */
export class PlanChain {
	/** what is in force; the bare plan where nothing was decided */
	readonly plan: Plan;
	/** newest first */
	readonly #plans: readonly Plan[];

	/** O(decisions in force). */
	constructor(states: SessionStates, leaf: string | null) {
		const plan = planAt(states, leaf);
		this.plan = plan ?? BARE_PLAN;
		const positions = plan ? decisionsUnder(states.plans, plan.position) : [];
		this.#plans = positions.flatMap((position) => planAfter(states.plans, position) ?? []);
	}

	/** The earliest decision since which something holds without a break; `undefined` where it does not hold. */
	since(holds: (plan: Plan) => boolean): Plan | undefined {
		let since: Plan | undefined;
		for (const plan of this.#plans) {
			if (!holds(plan)) break;
			since = plan;
		}
		return since;
	}

	/** The commit since which a cut is folded; `undefined` where it is not. */
	foldedBy({ number }: Cut): Plan | undefined {
		return this.since(({ cut }) => cut >= number);
	}
}
