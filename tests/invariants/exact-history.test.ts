import fc from "fast-check";
import { expect, test } from "vitest";
import { initialStates, replayStates } from "../../projections/states.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { drive } from "../engine/drive.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";

const hash = (text: string) => sha256Node(new TextEncoder().encode(text));

test("invariant 9: the window of any past request is rebuilt from the log as it was recorded", async () => {
	let rebuilt = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const { events } = await drive(entries, { settings: rules });
			const states = initialStates();
			for (const placed of events) {
				if (placed.event.type === "request/prepared") {
					const { leaf, window, items: count } = placed.event.data;
					const items = windowItems(states, leaf, planAt(states, leaf));
					expect(items.length).toBe(count);
					expect(digestOf(items, hash)).toBe(window);
					rebuilt++;
				}
				replayStates(states, [placed]);
			}
		}),
		{ seed: 91, numRuns: 50 },
	);
	expect(rebuilt).toBeGreaterThan(200);
});
