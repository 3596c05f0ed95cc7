import { UNPRICED } from "../../projections/price.ts";
import type { History, PastRequest } from "./history.ts";

/**
 * Tells of requests whether the cache they would have read had expired. What is recorded as cold is more: behind a commit
 * of ours, or at a first request, no cache knows the window, which is no matter of time. O(decisions), then O(1) each.
 */
export function expiredIn(history: History): (request: PastRequest) => boolean {
	const made = new Map<string, { readonly after: number; readonly trigger?: string }>();
	for (const { event, after } of history.decisions) {
		const { type, data } = event;
		made.set(data.id, { after, ...(type === "commit/applied" && { trigger: data.trigger }) });
	}
	return ({ prepared: { cold, request, at, model, commit }, valuation = UNPRICED }) => {
		const before = history.requests[request - 2]?.prepared;
		if (!cold || !before) return false;
		if (at - before.at > valuation.lifetimeMs) return true;
		if (model !== before.model) return false;
		if (commit === undefined || commit === before.commit) return true;
		const decision = made.get(commit);
		// a form of the window that had been sent before, on another branch for one
		if (decision?.after !== request - 1) return true;
		return decision.trigger === "cold";
	};
}
