import type { Quote } from "../../events/commit.ts";
import type { Plan } from "../../projections/plans.ts";
import { planAt } from "../../projections/window-plan.ts";
import { type Candidate, candidateAt } from "./commit-candidate.ts";
import { type QuoteState, quoteFor } from "./quote.ts";

/** A candidate that folds something. */
export type FoldingCandidate = Candidate & { readonly through: NonNullable<Candidate["through"]> };

/** What a commit at a leaf would be, whenever and for whichever model it is made. */
export interface Offer {
	/** in force now */
	readonly plan: Plan | undefined;
	readonly candidate: FoldingCandidate;
	readonly quote: Quote;
}

/** What a commit at a leaf would be; `undefined` where nothing more is foldable. O(raw tail). */
export function offerAt(state: QuoteState, leaf: string | null): Offer | undefined {
	const plan = planAt(state, leaf);
	const candidate = newerCandidate(state, leaf, plan);
	return candidate && { plan, candidate, quote: quoteFor(state, leaf, plan, candidate) };
}

/** The candidate at a leaf, where it folds more than the plan in force. */
export function newerCandidate(
	state: QuoteState,
	leaf: string | null,
	plan: Plan | undefined,
): FoldingCandidate | undefined {
	const candidate = candidateAt(state, leaf);
	const { through } = candidate ?? {};
	return candidate && through && through.number > (plan?.cut ?? 0) ? { ...candidate, through } : undefined;
}
