import type { Valuation } from "../../events/valuation.ts";
import { pricesFor, requestPrice, UNPRICED } from "../../projections/price.ts";
import type { Paid } from "./cost.ts";
import type { PastRequest } from "./history.ts";
import type { ModelledRequest } from "./modelled-cache.ts";

/** What a provider billed for a request, at the host's price where it said one. */
export function billed(valuation: Valuation, measured: NonNullable<PastRequest["measured"]>): Paid {
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
		// a host that says nothing was due for tokens that have a price did not work it out
		cost: unit === "usd" ? usd || priced : priced,
		unit,
		measured: true,
	};
}

/**
 * What a window would be billed whose cache served so much of it. A breakpoint cache bills what it takes in as written;
 * others say nothing of that, and bill it as fresh.
 */
export function modelledPrice(
	{ valuation = UNPRICED, measured }: PastRequest,
	{ tokens, served, kept }: Pick<ModelledRequest, "tokens" | "served" | "kept">,
): Paid {
	const output = measured?.output ?? 0;
	const taken = tokens - served;
	const writes = valuation.cache === "breakpoint";
	return {
		fresh: writes ? 0 : taken,
		cached: served,
		written: writes ? taken : 0,
		output,
		cost: requestPrice(valuation, served, tokens, output) + kept,
		unit: valuation.unit,
		measured: false,
	};
}

/** What a token that no cache served cost a request beyond reading it from the cache, in millionths of the unit. */
export function dearer(valuation: Valuation, { fresh, cached, written, measured }: Paid): number {
	const prices = pricesFor(valuation, fresh + cached + written);
	// a request that was not measured pays for what it takes in as for writing, whatever it is called
	const input = measured ? prices.input : prices.write;
	const taken = fresh + written;
	const mean = taken === 0 ? prices.write : (fresh * input + written * prices.write) / taken;
	return Math.max(0, mean - prices.read);
}
