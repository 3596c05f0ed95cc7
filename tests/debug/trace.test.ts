import fc from "fast-check";
import { expect, test } from "vitest";
import { cutOf } from "../../projections/forest.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { engineOver, type Recording, traceOf } from "../../src/debug/trace.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { BREAKPOINT, PREFIX, recordingOf } from "./recordings.ts";

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, minFoldChars: 200, floorTokens: 2_500, inputBudget: 9_000 };

const step = fc.record({
	chars: fc.integer({ min: 50, max: 4_000 }),
	gapMs: fc.oneof(fc.integer({ min: 1_000, max: 60_000 }), fc.integer({ min: 300_000, max: 2_000_000 })),
	asks: fc.boolean(),
});

test("what a trace says a commit would do is what the engine does when it commits there", async () => {
	let commits = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 8, maxLength: 30 }),
			fc.constantFrom(BREAKPOINT, PREFIX),
			fc.constantFrom("economic" as const, "calm" as const, "band" as const),
			async (steps, prices, policy) => {
				const recording = measured(recordingOf(steps, prices));
				const trace = await traceOf(recording, SETTINGS);
				const made = new Set<string>();
				let request = 0;
				const engine = engineOver(recording);
				const session = { ...recording, settings: { ...SETTINGS, policy } };
				for await (const { plan: commit } of replaySession(engine, session)) {
					if (commit && !made.has(commit.id)) {
						made.add(commit.id);
						const folded = cutOf(engine.states.forest, commit.through)?.to;
						expect(trace.requests[request]?.option?.foldedTo.id).toBe(folded);
						commits++;
					}
					request++;
				}
			},
		),
		{ seed: 21, numRuns: 40 },
	);
	expect(commits).toBeGreaterThan(40);
});

/** The same with usage that makes estimates move from request to request. */
function measured(recording: Recording): Recording {
	let prompt = 900;
	const entries = recording.entries.map((entry, index) => {
		prompt += Math.round(JSON.stringify(entry.blocks).length / (index % 7 < 3 ? 1.4 : 7));
		return entry.usage ? { ...entry, usage: { ...entry.usage, input: prompt } } : entry;
	});
	return { ...recording, entries };
}
