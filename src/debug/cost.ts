import type { Valuation } from "../../events/valuation.ts";
import { pricesFor, UNPRICED } from "../../projections/price.ts";
import type { History, PastRequest } from "./history.ts";
import { type ModelledRequest, modelledRequests } from "./modelled-cache.ts";

/** What a request was paid for: tokens, and their price in `unit`. */
export interface Paid {
	/** neither read from nor written to a cache */
	readonly fresh: number;
	readonly cached: number;
	readonly written: number;
	readonly output: number;
	/** dollars, or input-token equivalents where no price is known */
	readonly cost: number;
	readonly unit: "usd" | "token";
	/** whether the provider said so; else it is worked out from the window that was prepared */
	readonly measured: boolean;
}

/**
 * What a request was paid for: what the provider billed; else, as for every request of a replay, what its window would
 * have been by the rules caches are taken to follow. Without the history, which knows the windows before it, a request
 * that was not billed is taken to have read all of its window from the cache, or nothing where that was cold.
 */
export function paidFor(request: PastRequest, history?: History): Paid | undefined {
	const { prepared, measured, isReplayed, valuation = UNPRICED } = request;
	if (measured && !isReplayed) return billed(valuation, measured);
	const modelled = history && modelledRequests(history).get(prepared.request);
	const { tokens, cold } = prepared;
	const served = modelled ? modelled.served : cold ? 0 : tokens;
	return estimated(valuation, { tokens, served, output: measured?.output ?? 0, kept: modelled?.kept ?? 0 });
}

function billed(valuation: Valuation, measured: NonNullable<PastRequest["measured"]>): Paid {
	const { input, cacheRead, cacheWrite, output, usd } = measured;
	const prices = pricesFor(valuation, input + cacheRead + cacheWrite);
	const priced =
		(input * prices.input + cacheRead * prices.read + cacheWrite * prices.write + output * prices.output) /
		1e6;
	const { unit } = valuation;
	return {
		fresh: input,
		cached: cacheRead,
		written: cacheWrite,
		output,
		cost: unit === "usd" ? (usd ?? priced) : priced,
		unit,
		measured: true,
	};
}

/** A breakpoint cache bills what it takes in as written; others say nothing of that, and bill it as fresh. */
function estimated(
	valuation: Valuation,
	{
		tokens,
		served,
		output,
		kept,
	}: Pick<ModelledRequest, "tokens" | "served" | "kept"> & { readonly output: number },
): Paid {
	const prices = pricesFor(valuation, tokens);
	const taken = tokens - served;
	const writes = valuation.cache === "breakpoint";
	const price = (served * prices.read + taken * prices.write + output * prices.output) / 1e6;
	return {
		fresh: writes ? 0 : taken,
		cached: served,
		written: writes ? taken : 0,
		output,
		cost: price + kept,
		unit: valuation.unit,
		measured: false,
	};
}
