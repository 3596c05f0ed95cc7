import type { Quote } from "../../events/commit.ts";
import type { Settings } from "../../projections/rules.ts";

/** A commit frees at least so many tokens, or is not worth its disturbance (`design.md` §5.3). */
const LEAST_FREED = 8_000;

/** A forced commit frees at least this share of the budget, so that a full window is not rewritten for nothing. */
const LEAST_FORCED = 0.05;

/** Why a commit is made. `node`: it was decided elsewhere, and its node was met. */
export type Trigger = "economic" | "cold" | "budget" | "user" | "node";

/** What a policy looks at. */
export interface Occasion {
	readonly quote: Quote;
	/** no live cache shares a prefix with the window */
	readonly cold: boolean;
	/** tokens a request may hold */
	readonly budget: number;
}

/** Whether a policy commits on an occasion, and why. */
export function triggerOf(settings: Settings, { quote, cold, budget }: Occasion): Trigger | undefined {
	const { freed, before } = quote;
	if (settings.policy === "off" || freed <= 0) return undefined;
	if (before >= budget) return "budget";
	if (before >= budget * settings.maxTarget && freed >= Math.min(LEAST_FREED, budget * LEAST_FORCED))
		return "budget";
	if (settings.policy === "band" || freed < LEAST_FREED) return undefined;
	if (cold) return "cold";
	if (settings.policy === "economic" && quote.held >= quote.factor * quote.cost) return "economic";
	return undefined;
}
