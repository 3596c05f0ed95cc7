import type { Quote } from "../../events/commit.ts";
import type { Valuation } from "../../events/valuation.ts";
import { promptPrice } from "../../projections/price.ts";
import { type Occurring, prospectAt } from "./commit.ts";
import { foldsByItself } from "./commit-tighter.ts";
import type { QuoteState } from "./quote.ts";

/** A refresh of an idle cache that the host is about to pay for. */
export interface Refresh {
	/** what it costs, dollars */
	readonly cost: number;
	/** chance that a request comes before the cache would be gone */
	readonly probability: number;
}

/**
 * Whether the cache of the window is better let go than kept warm: where a commit is due anyway, the next request
 * rewrites what the refresh keeps; and where one would come free of a cold cache, it is weighed against the refresh.
 * Only what the next request costs is counted, not what a commit saves behind it, so that what is kept warm for nothing
 * is let go, and nothing else. Never where no commit comes by itself.
 */
export function letsCacheGo(state: QuoteState, request: Occurring, refresh: Refresh): boolean {
	const { valuation } = state.rules;
	if (!foldsByItself(state) || valuation?.unit !== "usd") return false;
	const prospect = prospectAt(state, { ...request, warmedAt: request.at });
	if (!prospect) return false;
	const { quote } = prospect;
	const late = { ...request, at: request.at + valuation.lifetimeMs + 1, warmedAt: undefined };
	const cold = prospectAt(state, late)?.trigger;
	const warmPrice = prospect.trigger
		? rewritePrice(valuation, quote)
		: promptPrice(valuation, quote.before, 0);
	const coldPrice = promptPrice(valuation, 0, cold ? quote.after : quote.before);
	return refresh.probability * coldPrice < refresh.cost + refresh.probability * warmPrice;
}

function rewritePrice(valuation: Valuation, { after, rewritten }: Quote): number {
	return promptPrice(valuation, after - rewritten, rewritten);
}
