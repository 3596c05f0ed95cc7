import type { Valuation } from "../../events/valuation.ts";

/** Prices of a made-up model, in dollars per million tokens, with a tier that a long prompt reaches. */
export const PRICED: Valuation = {
	model: "test/prefix",
	unit: "usd",
	input: 5,
	read: 0.5,
	write: 6.25,
	output: 25,
	tiers: [{ above: 10_000, input: 10, read: 1, write: 12.5, output: 40 }],
	lifetimeMs: 300_000,
	cache: "prefix",
	window: 60_000,
	reasoning: "keep",
	source: "made up",
};
