import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { billFor } from "../../src/debug/bill.ts";
import type { CacheModel } from "../../src/debug/cache.ts";
import { optimumOf } from "../../src/debug/optimum.ts";
import { type Trace, traceOf } from "../../src/debug/trace.ts";
import { BREAKPOINT, PREFIX, recordingOf } from "./recordings.ts";

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, minFoldChars: 900, consolidateAfter: 3, floorTokens: 500 };

const gap = fc.oneof(fc.integer({ min: 1_000, max: 60_000 }), fc.integer({ min: 200_000, max: 2_000_000 }));
const step = fc.record({ chars: fc.integer({ min: 50, max: 3_000 }), gapMs: gap, asks: fc.boolean() });
const valuation = fc.constantFrom(BREAKPOINT, PREFIX);
const model = fc.record({ warming: fc.boolean(), pessimistic: fc.boolean() });

test("the optimum is what exhaustive search finds, on recordings of up to 12 requests", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 3, maxLength: 12 }),
			valuation,
			model,
			async (steps, prices, as) => {
				const trace = await traceOf(recordingOf(steps, prices), SETTINGS);
				const { usd, schedule, exact } = optimumOf(trace, as);
				expect(exact).toBe(true);
				expect(usd).toBeCloseTo(cheapestOf(trace, as), 9);
				expect(billFor(trace, schedule, as).usd).toBeCloseTo(usd, 9);
			},
		),
		{ numRuns: 25, seed: 11 },
	);
});

test("the optimum is what exhaustive search finds, on a recording of 16 requests", async () => {
	const steps = Array.from({ length: 16 }, (_, i) => ({
		chars: 400 + ((i * 977) % 2_300),
		gapMs: i % 6 === 5 ? 900_000 : 20_000,
		asks: i % 6 === 0,
	}));
	const trace = await traceOf(recordingOf(steps, BREAKPOINT), SETTINGS);
	const as = { warming: true, pessimistic: false };
	expect(trace.requests.filter(({ option }) => option).length).toBeGreaterThan(8);
	expect(optimumOf(trace, as).usd).toBeCloseTo(cheapestOf(trace, as), 9);
});

test("where a recording has a branch, no schedule is cheaper than the optimum", async () => {
	const branched = fc.array(step, { minLength: 6, maxLength: 10 }).chain((steps) =>
		fc.record({
			steps: fc.constant(steps),
			at: fc.integer({ min: 2, max: steps.length - 1 }),
			back: fc.nat(3),
		}),
	);
	await fc.assert(
		fc.asyncProperty(branched, valuation, model, async ({ steps, at, back }, prices, as) => {
			const after = Math.max(0, at - 1 - back);
			const there = steps.map((one, index) => (index === at ? { ...one, asks: true, after } : one));
			const trace = await traceOf(recordingOf(there, prices), SETTINGS);
			expect(optimumOf(trace, as).usd).toBeLessThanOrEqual(cheapestOf(trace, as) + 1e-9);
		}),
		{ numRuns: 25, seed: 12 },
	);
});

test("where a recording goes back to an earlier model, no schedule is cheaper than the optimum", async () => {
	const switching = fc.array(fc.tuple(step, fc.constantFrom(BREAKPOINT, PREFIX)), {
		minLength: 4,
		maxLength: 10,
	});
	let back = 0;
	await fc.assert(
		fc.asyncProperty(switching, model, async (chosen, as) => {
			const steps = chosen.map(([one, by]) => ({ ...one, by }));
			const trace = await traceOf(recordingOf(steps, BREAKPOINT), SETTINGS);
			const { usd, exact } = optimumOf(trace, as);
			const cheapest = cheapestOf(trace, as);
			if (exact) expect(usd).toBeCloseTo(cheapest, 9);
			else back++;
			expect(usd).toBeLessThanOrEqual(cheapest + 1e-9);
		}),
		{ numRuns: 25, seed: 13 },
	);
	expect(back).toBeGreaterThan(10);
});

function cheapestOf(trace: Trace, as: CacheModel): number {
	const possible = trace.requests.filter(({ option }) => option).map(({ index }) => index);
	let cheapest = Number.POSITIVE_INFINITY;
	for (let bits = 0; bits < 2 ** possible.length; bits++) {
		const schedule = new Set(possible.filter((_, n) => (bits >> n) & 1));
		cheapest = Math.min(cheapest, billFor(trace, schedule, as).usd);
	}
	return cheapest;
}
