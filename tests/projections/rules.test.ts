import { expect, test } from "vitest";
import {
	budgetOf,
	DEFAULT_SETTINGS,
	floorOf,
	rules as projection,
	type Rules,
	type Settings,
} from "../../projections/rules.ts";

const rules = (settings: Partial<Settings>): Rules => ({
	...projection.initial(),
	settings: { ...DEFAULT_SETTINGS, ...settings },
	valuation: null,
});

test("a factor raises the floor that the share gives, and never that which the user set", () => {
	const plain = floorOf(rules({}));
	expect(floorOf(rules({ floorFactor: 1 }))).toBe(plain);
	expect(floorOf(rules({ floorFactor: 1.5 }))).toBe(Math.floor(plain * 1.5));
	expect(floorOf(rules({ floorFactor: 2.5 }))).toBe(Math.floor(plain * 2.5));
	expect(floorOf(rules({ floorFactor: 2.5, floorTokens: 5_000 }))).toBe(5_000);
});

test("a raised floor leaves something to fold where a commit is forced, and is never below the plain one", () => {
	for (const inputBudget of [10_000, 20_000, 251_520, 1_000_000])
		for (const [minTarget, maxTarget] of [
			[0.2, 0.8],
			[0.6, 0.65],
			[0.05, 0.4],
		] as const) {
			const settings = { inputBudget, minTarget, maxTarget };
			const plain = floorOf(rules(settings));
			const raised = floorOf(rules({ ...settings, floorFactor: 2.5 }));
			expect(raised).toBeGreaterThanOrEqual(plain);
			const forced = budgetOf(rules(settings)) * maxTarget;
			expect(raised).toBeLessThanOrEqual(Math.max(plain, forced * 0.625));
		}
});
