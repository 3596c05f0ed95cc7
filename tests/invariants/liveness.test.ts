import fc from "fast-check";
import { expect, test } from "vitest";
import { budgetOf } from "../../projections/rules.ts";
import { initialStates, replayStates } from "../../projections/states.ts";
import { drive } from "../engine/drive.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";

test("invariant 8: every request gets a window, and none stays over its budget while anything can be folded", async () => {
	let over = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const { events } = await drive(entries, { settings: { ...rules, policy: "band" } });
			const states = initialStates();
			let requests = 0;
			for (const placed of events) {
				if (placed.event.type === "request/prepared") {
					requests++;
					const { tokens, foldable } = placed.event.data;
					const isOver = tokens >= budgetOf(states.rules);
					if (isOver) over++;
					if (isOver) expect(foldable).toBe(0);
				}
				replayStates(states, [placed]);
			}
			expect(requests).toBe(entries.filter(({ role, model }) => role === "assistant" && model).length);
		}),
		{ seed: 81, numRuns: 60 },
	);
	expect(over).toBeGreaterThan(10);
});
