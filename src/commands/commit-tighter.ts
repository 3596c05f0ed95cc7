import { budgetOf } from "../../projections/rules.ts";
import { planAt } from "../../projections/window-plan.ts";
import { type Clipping, candidateAt, candidateThrough, promptTokens } from "./commit-candidate.ts";
import { type CommitEvents, commitTo, type RequestCommand } from "./commit-made.ts";
import type { QuoteState } from "./quote.ts";

/** A refused request is taken to be this much too large at least: the next is to hold no more than this share of it. */
const TIGHTER = 0.6;

/** In an emergency results are clipped wherever they stand, the newest too, and shorter ones. */
export const EMERGENCY: Clipping = { share: 1, least: 1_000, everywhere: true };

/**
 * A commit because the provider refused a request as too large: as deep as need be, and if that does not do, large
 * results and images are clipped wherever they stand, with nothing new folded where nothing can be. Nothing where even
 * that frees nothing.
 */
export function commitTighter(state: QuoteState, request: RequestCommand): CommitEvents {
	const plan = planAt(state, request.leaf);
	const before = promptTokens(state, request.leaf, plan);
	const ceiling = Math.min(before * TIGHTER, budgetOf(state.rules));
	const deeper = candidateAt(state, request.leaf, ceiling);
	const isNewer = deeper?.through !== undefined && deeper.through.number > (plan?.cut ?? 0);
	const candidate = isNewer ? deeper : candidateThrough(state, request.leaf, plan?.cut ?? 0, new Map());
	if (!candidate) return [];
	const usual = commitTo(state, request, plan, candidate, "overflow");
	if (isNewer && quoteIn(usual).after <= ceiling) return usual;
	const clipped = commitTo(state, request, plan, candidate, "overflow", EMERGENCY);
	return quoteIn(clipped).freed > 0 ? clipped : [];
}

function quoteIn(events: CommitEvents) {
	const [first] = events;
	if (first?.type !== "commit/applied") throw new RangeError("no commit");
	return first.data.quote;
}
