import type { Valuation } from "../../events/valuation.ts";
import { PRICED } from "../engine/priced.ts";

/** Models of other prices, caches and ways with thinking. */
export const MODELS: readonly Valuation[] = [
	PRICED,
	{ ...PRICED, model: "test/breakpoint", cache: "breakpoint", reasoning: "strip" },
	{ ...PRICED, model: "test/glm", unit: "token", input: 1e6, read: 1e5, write: 1e6, output: 5e6, tiers: [] },
	{ ...PRICED, model: "test/small", window: 12_000, reasoning: "strip", lifetimeMs: 1_000 },
];
