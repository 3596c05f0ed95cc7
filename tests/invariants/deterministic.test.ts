import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evolveStates, initialStates, replayStates } from "../../projections/states.ts";
import { withoutWorld } from "../engine/pure.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

test("invariant 4: the same is decided by whichever driver, with no clock, chance or locale, and its events mean the same however read", async () => {
	const property = fc.asyncProperty(walks(50), fc.nat(10_000), async (walk, cut) => {
		const [live, replayed] = await withoutWorld(async () => [
			await walkThrough({ ...walk, driver: "live" }, {}, { compares: false }),
			await walkThrough({ ...walk, driver: "replay" }, {}, { compares: false }),
		]);
		const events = await live.events();
		expect(JSON.stringify(await replayed.events())).toBe(JSON.stringify(events));
		let one = initialStates();
		for (const event of events) one = evolveStates(one, [event]);
		expect(isDeepStrictEqual(one, live.engine.states)).toBe(true);
		const part = initialStates();
		const at = cut % (events.length + 1);
		replayStates(part, events.slice(0, at));
		const copy = structuredClone(part);
		replayStates(copy, events.slice(at));
		expect(isDeepStrictEqual(copy, live.engine.states)).toBe(true);
		expect(isDeepStrictEqual(replayed.engine.states, live.engine.states)).toBe(true);
	});
	await fc.assert(property, runs(20));
});
