import fc from "fast-check";
import { expect, test } from "vitest";
import { initialStates, replayStates } from "../../projections/states.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { drive } from "../engine/drive.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";
import { windowsOf as requestsOf } from "../walk/logged.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

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

test("invariant 9: so is every window of a session in which anything was decided", async () => {
	let rebuilt = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const walked = await walkThrough(walk, {}, { compares: false });
		for (const { items, prepared } of requestsOf(await walked.events())) {
			expect([items.length, digestOf(items, hash)]).toEqual([prepared.items, prepared.window]);
			rebuilt++;
		}
	});
	await fc.assert(property, runs(30));
	expect(rebuilt).toBeGreaterThan(200);
});
