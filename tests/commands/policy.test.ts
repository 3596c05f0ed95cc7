import { expect, test } from "vitest";
import type { Quote } from "../../events/commit.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { triggerOf } from "../../src/commands/policy.ts";

const QUOTE: Quote = {
	unit: "usd",
	before: 50_000,
	after: 30_000,
	freed: 20_000,
	rewritten: 20_000,
	cost: 1,
	saves: 0.1,
	held: 0.5,
	factor: 1.5,
};

const under = (policy: Settings["policy"]) => ({ ...DEFAULT_SETTINGS, policy, maxTarget: 0.8 });
const warm = { quote: QUOTE, cold: false, budget: 100_000 };
const due = { ...warm, quote: { ...QUOTE, held: 1.5 } };

test("fewer than 8,000 tokens freed are not worth a commit that nothing forces", () => {
	const least = (freed: number) => ({ ...warm, quote: { ...QUOTE, freed, held: 99 } });
	expect(triggerOf(under("economic"), least(7_999))).toBeUndefined();
	expect(triggerOf(under("economic"), least(8_000))).toBe("economic");
	expect(triggerOf(under("calm"), { ...least(7_999), cold: true })).toBeUndefined();
	expect(triggerOf(under("calm"), { ...least(8_000), cold: true })).toBe("cold");
});

test("every policy but off commits when the window reaches its share of the budget", () => {
	const at = (before: number, freed = 20_000) => ({ ...warm, quote: { ...QUOTE, before, freed } });
	for (const policy of ["economic", "calm", "band"] as const) {
		expect(triggerOf(under(policy), at(80_000))).toBe("budget");
		expect(triggerOf(under(policy), at(79_000))).toBeUndefined();
	}
	expect(triggerOf(under("off"), { ...at(200_000), cold: true })).toBeUndefined();
});

test("a forced commit frees a twentieth of the budget, unless the window is over it", () => {
	const at = (before: number, freed: number) => ({ ...warm, quote: { ...QUOTE, before, freed } });
	expect(triggerOf(under("band"), at(80_000, 4_999))).toBeUndefined();
	expect(triggerOf(under("band"), at(80_000, 5_000))).toBe("budget");
	expect(triggerOf(under("band"), at(100_000, 1))).toBe("budget");
	expect(triggerOf(under("band"), at(100_000, 0))).toBeUndefined();
});

test("economic and calm take a cold cache for a free commit, band does not", () => {
	expect(triggerOf(under("economic"), { ...warm, cold: true })).toBe("cold");
	expect(triggerOf(under("calm"), { ...warm, cold: true })).toBe("cold");
	expect(triggerOf(under("band"), { ...warm, cold: true })).toBeUndefined();
});

test("only economic commits once waiting has cost the quoted factor of the rewrite", () => {
	expect(triggerOf(under("economic"), due)).toBe("economic");
	expect(triggerOf(under("economic"), { ...due, quote: { ...QUOTE, held: 1.49 } })).toBeUndefined();
	expect(triggerOf(under("calm"), due)).toBeUndefined();
	expect(triggerOf(under("band"), due)).toBeUndefined();
});
