import type { Valuation } from "../../events/valuation.ts";

const PRICED: Valuation = {
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

/** Models of other prices, caches and ways with thinking. */
export const MODELS: readonly Valuation[] = [
	PRICED,
	{ ...PRICED, model: "test/breakpoint", cache: "breakpoint", reasoning: "strip" },
	{ ...PRICED, model: "test/glm", unit: "token", input: 1e6, read: 1e5, write: 1e6, output: 5e6, tiers: [] },
	{ ...PRICED, model: "test/small", window: 12_000, reasoning: "strip", lifetimeMs: 1_000 },
];
