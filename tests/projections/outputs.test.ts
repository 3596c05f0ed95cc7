import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OutputEvent } from "../../events/output.ts";
import { type Outputs, outputOf, outputs, refusalOf } from "../../projections/outputs.ts";
import { evolve, type Placed, replayInto } from "../../projections/projection.ts";
import { withoutWorld } from "../engine/pure.ts";

const entry = fc.constantFrom("e1", "e2", "e3", "__proto__");
const event: fc.Arbitrary<OutputEvent> = fc.oneof(
	fc.record({
		type: fc.constant("output/kept" as const),
		data: fc.record({
			entry,
			source: fc.constant("bash"),
			bytes: fc.nat(1_000),
			piece: fc.constant(10),
			pieces: fc.array(fc.string({ minLength: 4, maxLength: 4 }), { maxLength: 3 }),
		}),
	}),
	fc.record({
		type: fc.constant("output/refused" as const),
		data: fc.record(
			{
				entry,
				source: fc.constant("!"),
				bytes: fc.nat(1_000),
				why: fc.constant("cap" as const),
				cap: fc.nat(),
			},
			{ requiredKeys: ["entry", "source", "why"] },
		),
	}),
);

const placed = (events: readonly OutputEvent[]): Placed<OutputEvent>[] =>
	events.map((event, position) => ({ event, position, at: 0 }));

test("outputs are the same event by event, in bulk, and from a copy taken at any position", async () => {
	await withoutWorld(async () =>
		fc.assert(
			fc.property(fc.array(event, { maxLength: 12 }), fc.nat(12), (events, cut) => {
				const all = placed(events);
				let live = outputs.initial();
				for (const one of all) live = evolve(outputs, live, [one]);
				const bulk = outputs.initial();
				replayInto(outputs, bulk, all);
				const part = outputs.initial();
				replayInto(outputs, part, all.slice(0, cut));
				const copy = structuredClone(part);
				replayInto(outputs, copy, all.slice(cut));
				expect(isDeepStrictEqual(live, bulk) && isDeepStrictEqual(copy, bulk)).toBe(true);
				expect(bulk.bytes).toBe([...bulk.kept.values()].reduce((sum, { bytes }) => sum + bytes, 0));
			}),
			{ seed: 5, numRuns: 200 },
		),
	);
});

const kept: OutputEvent = {
	type: "output/kept",
	data: { entry: "e1", source: "bash", bytes: 12, piece: 10, pieces: ["a", "b"] },
};
const refused: OutputEvent = {
	type: "output/refused",
	data: { entry: "e1", source: "bash", why: "cap", cap: 9 },
};
const after = (...events: OutputEvent[]): Outputs => evolve(outputs, outputs.initial(), placed(events));

test("an output that was kept after all is no longer refused, and one that is kept cannot be refused", () => {
	for (const state of [after(refused, kept), after(kept, refused)]) {
		expect(outputOf(state, "e1")).toEqual(kept.data);
		expect(refusalOf(state, "e1")).toBeUndefined();
	}
	expect(refusalOf(after(refused), "e1")).toMatchObject({ why: "cap", cap: 9 });
});
