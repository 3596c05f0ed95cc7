import fc from "fast-check";
import { expect, test } from "vitest";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { History } from "../../src/debug/history.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { STREAM } from "../walk/walk-state.ts";
import { walkThrough } from "../walk/walker.ts";

const hash = (text: string) => sha256Node(new TextEncoder().encode(text));

test("the states of the head give every window of a session as it was recorded", async () => {
	let rebuilt = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const { store } = await walkThrough(walk, {}, { compares: false });
		const history = await History.read(store, STREAM);
		for (const { prepared } of history.requests) {
			const items = windowItems(history.states, prepared.leaf, planAt(history.states, prepared.leaf));
			expect([items.length, digestOf(items, hash)]).toEqual([prepared.items, prepared.window]);
			rebuilt++;
		}
	});
	await fc.assert(property, runs(60));
	expect(rebuilt).toBeGreaterThan(200);
});
