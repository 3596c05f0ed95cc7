import { paidFor } from "./cost.ts";
import type { History } from "./history.ts";

/** What was paid for a session's requests, added up. */
export interface Spent {
	/** dollars where any request had a price in dollars; those that had none add nothing then */
	readonly unit: "usd" | "token";
	/** by a request's place among all: what all up to it cost */
	readonly until: readonly number[];
}

const known = new WeakMap<History, { readonly version: number; readonly spent: Spent }>();

/** What was paid up to each request. O(requests) the first time, and when the history has grown. */
export function spentBy(history: History): Spent {
	const before = known.get(history);
	if (before?.version === history.head.version) return before.spent;
	const unit = history.requests.some(({ valuation }) => valuation?.unit === "usd") ? "usd" : "token";
	const until: number[] = [];
	let total = 0;
	for (const request of history.requests) {
		const paid = paidFor(request, history);
		if (paid?.unit === unit) total += paid.cost;
		until.push(total);
	}
	const spent = { unit, until } as const;
	known.set(history, { version: history.head.version, spent });
	return spent;
}
