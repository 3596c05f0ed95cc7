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
const warm = { quote: QUOTE, cold: false, occupancy: 0.5 };
const due = { ...warm, quote: { ...QUOTE, held: 1.5 } };

test("fewer than 8,000 tokens freed are not worth a commit, whatever else holds", () => {
	const least = (freed: number) => ({ quote: { ...QUOTE, freed, held: 99 }, cold: true, occupancy: 2 });
	for (const policy of ["economic", "calm", "band"] as const) {
		expect(triggerOf(under(policy), least(7_999))).toBeUndefined();
		expect(triggerOf(under(policy), least(8_000))).toBe("budget");
	}
});

test("every policy but off commits when the window reaches its share of the budget", () => {
	for (const policy of ["economic", "calm", "band"] as const) {
		expect(triggerOf(under(policy), { ...warm, occupancy: 0.8 })).toBe("budget");
		expect(triggerOf(under(policy), { ...warm, occupancy: 0.79 })).toBeUndefined();
	}
	expect(triggerOf(under("off"), { ...due, cold: true, occupancy: 2 })).toBeUndefined();
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
