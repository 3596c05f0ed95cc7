import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { billFor, inForce } from "../../src/debug/bill.ts";
import { windowTokens } from "../../src/debug/cache.ts";
import { hostRun } from "../../src/debug/host.ts";
import { type Trace, traceOf } from "../../src/debug/trace.ts";
import { BREAKPOINT, PREFIX, recordingOf, type Step } from "./recordings.ts";

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, minFoldChars: 900, consolidateAfter: 3, floorTokens: 500 };
const AS = { warming: false, pessimistic: false };
const MINUTE = 60_000;

const step = (more: Partial<Step> = {}): Step => ({ chars: 1_500, gapMs: 5_000, asks: false, ...more });
const traced = (steps: readonly Step[], prices = PREFIX) => traceOf(recordingOf(steps, prices), SETTINGS);
const raw = (trace: Trace, index: number) => windowTokens(trace, undefined, trace.requests[index]?.leaf);
const cached = (trace: Trace, schedule: readonly number[] = [], as = AS) =>
	billFor(trace, new Set(schedule), as).cachedTokens;

test("a window that extends the one before is served that one whole, while its cache is alive", async () => {
	const trace = await traced([step(), step(), step({ gapMs: 6 * MINUTE })]);
	expect(cached(trace)).toBe(Math.round(raw(trace, 0)));
});

test("where the path went back, the newest window that lies on it is served", async () => {
	const steps = [step(), step(), step(), step({ after: 0, asks: true })];
	for (const prices of [BREAKPOINT, PREFIX]) {
		const trace = await traced(steps, prices);
		expect(cached(trace)).toBe(Math.round(raw(trace, 0) + 2 * raw(trace, 1)));
	}
});

test("a model finds its own cache again after another has answered, unless that died or a commit lies between", async () => {
	const large = step({ chars: 3_000 });
	const other = { ...PREFIX, model: "test/other" };
	const back = await traced([large, { ...large, by: other }, large, step({ by: other, gapMs: 9 * MINUTE })]);
	expect(cached(back)).toBe(Math.round(raw(back, 0)));
	expect(back.requests[2]?.option).toBeDefined();
	expect(cached(back, [2], { ...AS, pessimistic: true })).toBe(0);
});

test("a breakpoint cache looks back twenty blocks, a prefix cache to the first", async () => {
	const between = Array.from({ length: 11 }, () => step({ by: { ...PREFIX, model: "test/other" } }));
	const steps = [step(), ...between, step()];
	const [breakpoint, prefix] = [await traced(steps, BREAKPOINT), await traced(steps)];
	expect(cached(prefix) - cached(breakpoint)).toBe(Math.round(raw(prefix, 0)));
	const near = [step(), ...between.slice(0, 9), step()];
	expect(cached(await traced(near))).toBe(cached(await traced(near, BREAKPOINT)));
});

test("a commit is in force at the request it is made at and at those behind it, on its branch alone", async () => {
	const trace = await traced([...Array.from({ length: 6 }, () => step()), step({ after: 1, asks: true })]);
	const commits = inForce(trace, new Set([3, 5])).map((commit) => commit?.request);
	expect(commits).toEqual([undefined, undefined, undefined, 3, 3, 5, undefined]);
});

test("a request falls into a price tier as a whole, its reply included", async () => {
	const trace = await traced([step({ chars: 12_000 }), step()]);
	const [first, second] = [raw(trace, 0), raw(trace, 1)];
	const large = (first * 1 + (second - first) * 10 + 40 * 45) / 1e6;
	expect(billFor(trace, new Set(), AS).usd).toBeCloseTo((first * 5 + 40 * 25) / 1e6 + large, 9);
});

test("the host is billed by the same rules, and for each summary as for a call of its own", async () => {
	const steps = Array.from({ length: 30 }, () => step({ chars: 8_000 }));
	const roomy = await traced(steps, { ...PREFIX, window: 1e6 });
	expect(hostRun(roomy, AS).bill).toEqual(billFor(roomy, new Set(), AS));
	const { bill, trajectory } = hostRun(await traced(steps, { ...PREFIX, window: 70_000 }), AS);
	expect(bill.commits).toBe(1);
	expect(bill.peakTokens).toBeLessThanOrEqual(70_000 - 16_384);
	expect(bill.outputTokens).toBe(30 * 40 + Math.round(4_300 / 3));
	expect(trajectory.at(-1)?.view.folded).toBeGreaterThan(0);
});

test("the host goes back to a branch point with what both windows share, as every policy does", async () => {
	const trace = await traced([step(), step(), step({ after: 0, asks: true })]);
	expect(hostRun(trace, AS).bill.cachedTokens).toBe(cached(trace));
});
