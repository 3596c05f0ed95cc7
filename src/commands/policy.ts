import type { Quote } from "../../events/commit.ts";
import type { Settings } from "../../projections/rules.ts";

/** A commit frees at least so many tokens, or is not worth its disturbance (`design.md` §5.3). */
const LEAST_FREED = 8_000;

/** Why a commit is made. `node`: it was decided elsewhere, and its node was met. */
export type Trigger = "economic" | "cold" | "budget" | "user" | "node";

/** What a policy looks at. */
export interface Occasion {
	readonly quote: Quote;
	/** no live cache shares a prefix with the window */
	readonly cold: boolean;
	/** tokens of the prompt as it stands, as a share of the budget */
	readonly occupancy: number;
}

/** Whether a policy commits on an occasion, and why. */
export function triggerOf(settings: Settings, { quote, cold, occupancy }: Occasion): Trigger | undefined {
	if (quote.freed < LEAST_FREED || settings.policy === "off") return undefined;
	if (occupancy >= settings.maxTarget) return "budget";
	if (settings.policy === "band") return undefined;
	if (cold) return "cold";
	if (settings.policy === "economic" && quote.held >= quote.factor * quote.cost) return "economic";
	return undefined;
}
