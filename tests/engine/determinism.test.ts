import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evolveStates, initialStates, replayStates } from "../../projections/states.ts";
import { ASKS } from "./asking.ts";
import { type Deciding, drive } from "./drive.ts";
import { withoutWorld } from "./pure.ts";
import { sessions, settings } from "./session-arbitrary.ts";

const RUNS = { seed: 11, numRuns: 40, interruptAfterTimeLimit: 40_000 };

const decisions = fc.array(fc.constantFrom<Deciding>("now", "now", "due", ...ASKS), { minLength: 3 });

test("states are the same event by event, in bulk, and from a copy taken at any position", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, fc.nat(10_000), async (entries, rules, chosen, cut) => {
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const { engine, events } = await drive(entries, { settings: rules, decide });
			let live = initialStates();
			for (const event of events) live = evolveStates(live, [event]);
			expect(isDeepStrictEqual(live, engine.states)).toBe(true);
			const bulk = initialStates();
			replayStates(bulk, events);
			expect(isDeepStrictEqual(bulk, live)).toBe(true);
			const part = initialStates();
			const at = cut % (events.length + 1);
			replayStates(part, events.slice(0, at));
			const copy = structuredClone(part);
			replayStates(copy, events.slice(at));
			expect(isDeepStrictEqual(copy, live)).toBe(true);
		}),
		RUNS,
	);
});

test("an engine appends the same events whichever driver folds them", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, async (entries, rules, chosen) => {
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const live = await drive(entries, { settings: rules, driver: "live", decide });
			const replayed = await drive(entries, { settings: rules, driver: "replay", decide });
			expect(JSON.stringify(live.events)).toBe(JSON.stringify(replayed.events));
			expect(isDeepStrictEqual(live.engine.states, replayed.engine.states)).toBe(true);
		}),
		{ ...RUNS, numRuns: 25 },
	);
});

test("no clock, chance or locale is asked on the way", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const { engine, events } = await withoutWorld(() => drive(entries, { settings: rules }));
			expect(engine.version).toBe(events.length);
		}),
		RUNS,
	);
	await expect(withoutWorld(async () => Date.now())).rejects.toThrow("now was used");
	await expect(withoutWorld(async () => new Date())).rejects.toThrow();
});

test("an entry recorded twice adds nothing", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const { engine, events } = await drive(entries, { settings: rules });
			const before = events.length;
			for (const entry of entries) await engine.record(entry);
			for (const entry of entries) await engine.record({ ...entry, parent: null, bytes: new Uint8Array() });
			expect(events.length).toBe(before);
		}),
		{ ...RUNS, numRuns: 30 },
	);
});
