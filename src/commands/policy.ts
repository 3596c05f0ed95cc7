import type { Quote, Trigger } from "../../events/commit.ts";
import type { Settings } from "../../projections/rules.ts";

/**
 * A commit frees at least so many tokens, or is not worth its disturbance; 4,000 cost the same and made more commits.
 */
export const LEAST_FREED = 8_000;

/** A forced commit frees at least this share of the budget, so that a full window is not rewritten for nothing. */
const LEAST_FORCED = 0.05;

/** What a policy looks at. */
export interface Occasion {
	readonly quote: Quote;
	/** no live cache shares a prefix with the window */
	readonly cold: boolean;
	/** tokens a request may hold */
	readonly budget: number;
	/** tokens the model takes, where that is known */
	readonly window?: number | undefined;
}

/**
 * Whether a policy commits on an occasion, and why. It makes none that leaves more than the model takes: such a request is
 * refused all the same, and then all is done in one commit.
 */
export function triggerOf(
	settings: Settings,
	{ quote, cold, budget, window }: Occasion,
): Trigger | undefined {
	const { freed, before, after } = quote;
	if (settings.policy === "off" || freed <= 0) return undefined;
	if (window !== undefined && after > window) return undefined;
	if (before >= budget) return "budget";
	if (before >= budget * settings.maxTarget && freed >= Math.min(LEAST_FREED, budget * LEAST_FORCED))
		return "budget";
	if (settings.policy === "band" || freed < LEAST_FREED) return undefined;
	if (cold) return "cold";
	return settings.policy === "economic" && pays(quote) ? "economic" : undefined;
}

/** Requests from now on after which a commit pays, if the window stays as it is; `undefined` beyond a thousand. */
export function requestsUntilPays(quote: Quote): number | undefined {
	const { held, saves, waited } = quote;
	for (let n = 0; n <= 1_000; n++) {
		if (pays({ ...quote, held: held + n * saves, waited: waited + n })) return n;
	}
	return undefined;
}

/**
 * Whether a commit pays now. Two rules of lot sizing, whichever is met first. Part-period balancing: waiting has cost
 * as much as the rewrite would, so that nobody pays more than twice what was unavoidable. Silver and Meal: one more
 * request would raise the mean cost of a request since the last commit, which also takes the chance of a cheap rewrite.
 * Over 26 traces (five recordings at five floors, and the 64 stages) both together came to 1.045 of the optimum, the
 * first alone to 1.066 and the second alone to 1.046.
 */
function pays({ held, saves, waited, cost, factor }: Quote): boolean {
	const weighed = factor * cost;
	return held >= weighed || saves * waited >= weighed + held - saves;
}
