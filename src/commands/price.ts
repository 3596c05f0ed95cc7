import type { Valuation } from "../../events/valuation.ts";

/** The prices of a request whose prompt has so many tokens: whole requests move to a tier, not the tokens above it. */
export function pricesFor(
	valuation: Valuation,
	prompt: number,
): Pick<Valuation, "input" | "read" | "write" | "output"> {
	let prices: Pick<Valuation, "input" | "read" | "write" | "output"> = valuation;
	for (const tier of valuation.tiers) if (prompt > tier.above) prices = tier;
	return prices;
}

/**
 * What a request costs in the valuation's unit: `read` tokens come from the cache, `written` tokens do not and are
 * put there.
 */
export function promptPrice(valuation: Valuation, read: number, written: number): number {
	const prices = pricesFor(valuation, read + written);
	return (read * prices.read + written * prices.write) / 1e6;
}
