import type { Trigger } from "../../events/commit.ts";
import { budgetOf } from "../../projections/rules.ts";
import { type Occurring, prospectAt } from "./commit.ts";
import { foldsByItself } from "./commit-tighter.ts";
import { LEAST_FREED, requestsUntilPays } from "./policy.ts";
import type { QuoteState } from "./quote.ts";

/** What the next automatic commit waits for. Sizes are tokens. */
export type Outlook =
	/** the rules make none */
	| { readonly waits: "off" }
	/** it comes with the next request */
	| { readonly waits: "request"; readonly trigger: Trigger }
	/** more has to become foldable first */
	| { readonly waits: "foldable"; readonly freed: number; readonly least: number }
	/** it pays after so many requests more, if the window stays as it is */
	| { readonly waits: "pays"; readonly requests: number }
	/** until the cache is cold */
	| { readonly waits: "cold" }
	/** until the window is at the share of the budget where one is forced */
	| { readonly waits: "full" };

/** What the next automatic commit waits for, as far as can be told at a request. */
export function outlookAt(state: QuoteState, request: Occurring): Outlook {
	const { policy } = state.rules.settings;
	if (!foldsByItself(state)) return { waits: "off" };
	const prospect = prospectAt(state, request);
	if (prospect?.trigger) return { waits: "request", trigger: prospect.trigger };
	if (policy === "band") return { waits: "full" };
	const freed = Math.max(0, prospect?.quote.freed ?? 0);
	if (!prospect || freed < LEAST_FREED) return { waits: "foldable", freed, least: LEAST_FREED };
	if (policy === "calm") return { waits: "cold" };
	const requests = requestsUntilPays(prospect.quote);
	return requests === undefined ? { waits: "cold" } : { waits: "pays", requests };
}

/** Tokens at which a commit is forced. */
export function forcedAt(state: QuoteState): number {
	return budgetOf(state.rules) * state.rules.settings.maxTarget;
}
