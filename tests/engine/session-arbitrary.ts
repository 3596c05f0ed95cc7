import fc from "fast-check";
import type { Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { buildSession, type Step } from "./session-builder.ts";

const MINUTE = 60_000;

/** Mostly seconds; now and then a pause that lets a cache die, or a clock that jumps back. */
const wait = fc.oneof(
	{ weight: 12, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 5 * MINUTE, max: 90 * MINUTE }) },
	{ weight: 1, arbitrary: fc.integer({ min: -60 * MINUTE, max: -1 }) },
);

const size = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 0, max: 300 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 300, max: 9_000 }) },
);

const which = fc.nat(1000);
const rarely = fc.integer({ min: 0, max: 11 }).map((n) => n === 11);

const stop = fc.oneof(
	{ weight: 10, arbitrary: fc.constant("toolUse" as const) },
	{ weight: 2, arbitrary: fc.constantFrom("stop" as const, "length" as const) },
	{ weight: 2, arbitrary: fc.constantFrom("aborted" as const, "error" as const) },
);

const reply = fc.record({
	does: fc.constant("reply" as const),
	wait,
	size,
	calls: fc.integer({ min: 0, max: 4 }),
	thinks: fc.boolean(),
	stop,
	model: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(2) }),
	again: rarely,
	twice: rarely,
});

const of = fc.oneof(
	{ weight: 12, arbitrary: fc.constant("waiting" as const) },
	{ weight: 1, arbitrary: fc.constantFrom("answered" as const, "nothing" as const) },
);

const result = fc.record({ does: fc.constant("result" as const), wait, size, which, of });

const plain = fc.record({
	does: fc.constantFrom(
		"user" as const,
		"user" as const,
		"system" as const,
		"note" as const,
		"bash" as const,
		"hidden" as const,
		"summary" as const,
		"compaction" as const,
		"custom" as const,
		"label" as const,
		"model" as const,
	),
	wait,
	size,
});

const edit = fc.record({
	does: fc.constant("edit" as const),
	wait,
	size: fc.nat(300),
	which,
	as: fc.constantFrom("omitted" as const, "text" as const, "calls" as const),
});

const goto = fc.record({ does: fc.constant("goto" as const), wait, size: fc.constant(0), which });

/** A reply and the results that come of it: mostly all of them, in any order. */
const exchange = fc
	.tuple(reply, fc.array(result, { minLength: 4, maxLength: 5 }), fc.integer({ min: -1, max: 1 }), rarely)
	.map(([made, results, off, steered]): Step[] => {
		const came: Step[] = results.slice(0, Math.max(0, made.calls + (steered ? off : 0)));
		return [made, ...came];
	});

const step: fc.Arbitrary<Step[]> = fc.oneof(
	{ weight: 10, arbitrary: exchange },
	{ weight: 6, arbitrary: plain.map((one) => [one]) },
	{ weight: 2, arbitrary: result.map((one) => [one]) },
	{ weight: 2, arbitrary: edit.map((one) => [one]) },
	{ weight: 1, arbitrary: goto.map((one) => [one]) },
);

/** Sessions of every shape a host may leave behind, healthy and not. */
export const sessions: fc.Arbitrary<TranscriptEntry[]> = fc
	.array(step, { minLength: 1, maxLength: 40, size: "max" })
	.map((steps) => buildSession(steps.flat()));

/** Rules under which cuts close and commits come often. */
export const settings: fc.Arbitrary<Settings> = fc.record({
	policy: fc.constantFrom("economic", "calm", "band", "off"),
	minFoldChars: fc.integer({ min: 200, max: 2_000 }),
	consolidateAfter: fc.integer({ min: 2, max: 4 }),
	toolFoldThreshold: fc.constantFrom(0, 0.5, 1),
	maxTarget: fc.constantFrom(0.3, 0.8),
	minTarget: fc.constantFrom(0.05, 0.2),
	floorTokens: fc.integer({ min: 50, max: 3_000 }),
	inputBudget: fc.integer({ min: 3_000, max: 40_000 }),
	briefs: fc.constantFrom("index", "truncation"),
});
