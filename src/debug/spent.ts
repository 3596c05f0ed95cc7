import { pricesFor, UNPRICED } from "../../projections/price.ts";
import type { History, PastRequest } from "./history.ts";

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
		if ((request.valuation ?? UNPRICED).unit === unit) total += priceOf(request);
		until.push(total);
	}
	const spent = { unit, until } as const;
	known.set(history, { version: history.head.version, spent });
	return spent;
}

/** As billed; where that is not known, as if all of a cold window had been taken in anew, and all of another read. */
function priceOf({ prepared, measured, valuation = UNPRICED }: PastRequest): number {
	if (measured?.usd !== undefined && valuation.unit === "usd") return measured.usd;
	const { tokens, cold } = prepared;
	const { input, cacheRead, cacheWrite, output } = measured ?? {
		input: 0,
		cacheRead: cold ? 0 : tokens,
		cacheWrite: cold ? tokens : 0,
		output: 0,
	};
	const prices = pricesFor(valuation, input + cacheRead + cacheWrite);
	const price = input * prices.input + cacheRead * prices.read + cacheWrite * prices.write;
	return (price + output * prices.output) / 1e6;
}
