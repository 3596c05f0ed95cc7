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
	waited: 5,
	factor: 1.5,
};

const under = (policy: Settings["policy"]) => ({ ...DEFAULT_SETTINGS, policy, maxTarget: 0.8 });
const acting = ["economic", "calm", "band"] as const;
const warm = { quote: QUOTE, cold: false, budget: 100_000 };
const due = { ...warm, quote: { ...QUOTE, held: 1.5 } };
const freeing = (freed: number, budget: number) => ({ ...due, quote: { ...QUOTE, freed, held: 99 }, budget });

test("fewer than 8,000 tokens freed are not worth a commit, however cold the cache and dear the waiting", () => {
	const cold = (freed: number) => ({ ...freeing(freed, 1e6), cold: true });
	for (const policy of acting) expect(triggerOf(under(policy), cold(7_999))).toBeUndefined();
	expect(triggerOf(under("economic"), cold(8_000))).toBe("cold");
	expect(triggerOf(under("economic"), freeing(8_000, 1e6))).toBe("economic");
});

test("every policy but off commits when the window reaches its share of the budget", () => {
	for (const policy of acting) {
		expect(triggerOf(under(policy), { ...warm, budget: 62_500 })).toBe("budget");
		expect(triggerOf(under(policy), { ...warm, budget: 62_501 })).toBeUndefined();
	}
	expect(triggerOf(under("off"), { ...due, cold: true, budget: 1 })).toBeUndefined();
});

test("a commit the budget's share forces frees a twentieth of it, or 8,000 tokens", () => {
	for (const policy of acting) {
		expect(triggerOf(under(policy), freeing(3_000, 60_000))).toBe("budget");
		expect(triggerOf(under(policy), freeing(2_999, 60_000))).toBeUndefined();
	}
});

test("a window over the budget is folded for whatever it frees, and never for nothing", () => {
	for (const policy of acting) {
		expect(triggerOf(under(policy), freeing(1, 50_000))).toBe("budget");
		expect(triggerOf(under(policy), freeing(0, 50_000))).toBeUndefined();
	}
});

test("no commit is made that leaves more than the model takes: the request is refused all the same", () => {
	for (const policy of acting) {
		expect(triggerOf(under(policy), { ...freeing(20_000, 50_000), window: 30_000 })).toBe("budget");
		expect(triggerOf(under(policy), { ...freeing(20_000, 50_000), window: 29_999 })).toBeUndefined();
	}
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

test("economic commits earlier where one more request would raise the mean cost of a request", () => {
	const after = (waited: number) => ({ ...warm, quote: { ...QUOTE, saves: 0.1, held: 0.5, waited } });
	expect(triggerOf(under("economic"), after(18))).toBeUndefined();
	expect(triggerOf(under("economic"), after(19))).toBe("economic");
	expect(triggerOf(under("calm"), after(19))).toBeUndefined();
});
