import fc from "fast-check";
import { expect, test } from "vitest";
import { isDecision } from "../walk/logged.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

test("invariant 6: a decision is on the disk, with all that comes of it, before anything stands on it", async () => {
	let decisions = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		await walkThrough(
			walk,
			{},
			{
				compares: false,
				journal: (journal) => ({
					...journal,
					append: async (events, version, options) => {
						const at = events.findIndex(({ event }) => isDecision(event));
						if (at >= 0) {
							decisions++;
							expect([at, options.sync]).toEqual([0, true]);
						}
						for (const { event } of events) {
							const node = event.type === "entry/recorded" ? event.data.decision : undefined;
							if (node !== undefined) expect(journal.hash?.(node)).toMatch(/^[0-9a-f]{64}$/);
						}
						await journal.append(events, version, options);
					},
				}),
			},
		);
	});
	await fc.assert(property, runs(20));
	expect(decisions).toBeGreaterThan(100);
});
