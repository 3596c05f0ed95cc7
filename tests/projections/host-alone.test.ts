import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordingAt } from "../../bench/recordings.ts";
import type { DomainEvent } from "../../events/catalogue.ts";
import { savedAgainstHost } from "../../projections/host-alone/saving.ts";
import type { Placed } from "../../projections/projection.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { evolveStates, initialStates, replayStates } from "../../projections/states.ts";
import type { TranscriptEntry, Usage } from "../../projections/transcript.ts";
import { hostRun } from "../../src/debug/host.ts";
import { type Recording, traceOf } from "../../src/debug/trace.ts";
import { Engine } from "../../src/engine/engine.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { fact, Given, line } from "../commands/given.ts";
import { BREAKPOINT, PREFIX, recordingOf, type Step } from "../debug/recordings.ts";

/** The events of a replay that never commits, so that what was measured is what was recorded. */
async function eventsOf(recording: Recording): Promise<Placed<DomainEvent>[]> {
	const byId = new Map(recording.entries.map((entry) => [entry.id, entry]));
	const events: Placed<DomainEvent>[] = [];
	const engine = new Engine({
		journal: {
			append: async (batch) => {
				for (const { event, at } of batch) events.push({ event, at, position: events.length });
			},
			content: () => undefined,
		},
		hash: sha256Node,
		decode: (_bytes, node) => byId.get(node.id) as TranscriptEntry,
		driver: "replay",
	});
	const settings = { ...DEFAULT_SETTINGS, policy: "off" as const };
	for await (const _ of replaySession(engine, { ...recording, settings }));
	return events;
}

/** A recording whose prompts were measured, at three characters a token and 1,000 tokens besides. */
function measured(steps: readonly Step[], valuation = PREFIX): Recording {
	const recording = recordingOf(steps, valuation);
	const upTo = new Map<string | null, number>([[null, 0]]);
	const entries = recording.entries.map((entry) => {
		const above = upTo.get(entry.parent) ?? 0;
		const chars = entry.blocks.reduce((sum, block) => sum + charsOf(block), 0);
		upTo.set(entry.id, above + chars);
		const usage: Usage = { input: 1_000 + Math.round(above / 3), output: 40, cacheRead: 0, cacheWrite: 0 };
		return entry.usage ? { ...entry, usage } : entry;
	});
	return { ...recording, entries };
}

function charsOf(block: TranscriptEntry["blocks"][number]): number {
	if (block.type === "text") return block.text.length;
	return block.type === "call" ? block.tool.length + JSON.stringify(block.args).length : 0;
}

async function estimate(recording: Recording) {
	const states = initialStates();
	replayStates(states, await eventsOf(recording));
	const trace = await traceOf(recording, DEFAULT_SETTINGS);
	const { bill } = hostRun(trace, { warming: true, pessimistic: false });
	return { states, bill, saving: savedAgainstHost(states) };
}

const folder = process.env.PALIMPSEST_SESSIONS;
const recorded = (folder === undefined ? [] : readdirSync(folder))
	.filter((name) => /^pi-.*\.jsonl$/.test(name))
	.map((name) => join(folder ?? "", name));
const shipped = fileURLToPath(new URL("../sessions/recorded.jsonl", import.meta.url));

for (const path of [shipped, ...recorded]) {
	test(`${path.slice(path.lastIndexOf("/") + 1)}: comes near what a replay prices the host at`, async () => {
		const recording = await recordingAt(path);
		if (!recording) throw new Error("not a session");
		const { bill, saving } = await estimate(recording);
		// short sessions hold more that no character accounts for, and a replay knows only characters
		const limit = recording.requests > 100 ? 0.05 : 0.1;
		expect(saving?.unit).toBe("usd");
		expect(Math.abs((saving?.host ?? 0) / bill.usd - 1)).toBeLessThan(limit);
	});
}

const steps = fc.array(
	fc.record({
		chars: fc.integer({ min: 2_000, max: 9_000 }),
		gapMs: fc.constantFrom(1_000, 20_000, 200_000, 400_000),
		asks: fc.boolean(),
		after: fc.option(fc.nat(1_000), { freq: 8, nil: undefined }),
	}),
	{ minLength: 15, maxLength: 45 },
);

/** Steps that go back only to steps there were. */
function placed(
	made: readonly { chars: number; gapMs: number; asks: boolean; after: number | undefined }[],
): Step[] {
	return made.map(({ after, ...step }, index) =>
		after === undefined || index === 0 ? step : { ...step, after: after % index, asks: true },
	);
}

test("below compactions and after pauses it comes near what a replay prices the host at", async () => {
	let compacted = 0;
	await fc.assert(
		fc.asyncProperty(steps, fc.constantFrom(PREFIX, BREAKPOINT), async (made, prices) => {
			const straight = made.map(({ after: _, ...step }) => step);
			const { bill, saving } = await estimate(measured(straight, { ...prices, window: 60_000 }));
			compacted += bill.commits;
			expect(Math.abs((saving?.host ?? 0) / bill.usd - 1)).toBeLessThan(0.05);
		}),
		{ seed: 5, numRuns: 12 },
	);
	expect(compacted).toBeGreaterThan(3);
});

const batches = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 });

test("it is the same event by event, in batches, in bulk, and from a checkpoint at any position", async () => {
	await fc.assert(
		fc.asyncProperty(steps, fc.nat(10_000), batches, async (made, cut, sizes) => {
			const events = await eventsOf(measured(placed(made), { ...PREFIX, window: 50_000 }));
			let live = initialStates();
			for (const event of events) live = evolveStates(live, [event]);
			let batched = initialStates();
			for (let at = 0, n = 0; at < events.length; n++) {
				const size = sizes[n % sizes.length] ?? 1;
				batched = evolveStates(batched, events.slice(at, at + size));
				at += size;
			}
			expect(isDeepStrictEqual(batched.hostAlone, live.hostAlone)).toBe(true);
			const bulk = initialStates();
			replayStates(bulk, events);
			expect(isDeepStrictEqual(bulk.hostAlone, live.hostAlone)).toBe(true);
			const part = initialStates();
			replayStates(part, events.slice(0, cut % events.length));
			const kept = structuredClone(part);
			replayStates(kept, events.slice(cut % events.length));
			expect(isDeepStrictEqual(kept.hostAlone, live.hostAlone)).toBe(true);
		}),
		{ seed: 6, numRuns: 12 },
	);
});

const reply = { reply: "r", model: "test/model", input: 0, cacheRead: 0, cacheWrite: 1_000, output: 10 };

function asked(): Given {
	const given = new Given().valuation().entries(line([fact("s", "system", 300), fact("u", "user", 2_400)]));
	return given.sent(0, "test/model");
}

test("where the path went back, what both windows share is served, while its cache is alive", async () => {
	const step: Step = { chars: 9_000, gapMs: 5_000, asks: true };
	const back = await estimate(measured([step, step, { ...step, after: 0 }]));
	const late = await estimate(measured([step, step, { ...step, after: 0, gapMs: 400_000 }]));
	expect(back.saving?.host).toBeCloseTo(back.bill.usd, 2);
	expect(late.saving?.host).toBeCloseTo(late.bill.usd, 2);
	expect(back.saving?.host).toBeLessThan((late.saving?.host ?? 0) - 0.01);
});

test("a summary from before the first request is not paid for again", async () => {
	const long: Step[] = Array.from({ length: 30 }, () => ({ chars: 8_000, gapMs: 5_000, asks: true }));
	const events = await eventsOf(measured(long, { ...PREFIX, window: 70_000 }));
	const states = initialStates();
	const isRequest = ({ event }: Placed<DomainEvent>) => event.type.startsWith("request/");
	const last = events.findLastIndex(({ event }) => event.type === "request/prepared");
	replayStates(states, [
		...events.slice(0, last).filter((placed) => !isRequest(placed)),
		...events.slice(last),
	]);
	expect(states.hostAlone.compactions.size).toBe(1);
	const { unit = "token", host = 0, ours = 0 } = savedAgainstHost(states) ?? {};
	expect(unit).toBe("usd");
	expect(host).toBeGreaterThan(0);
	expect(host).toBeLessThan(ours / 2);
});

test("a request that nobody measured counts on neither side", () => {
	const given = asked();
	expect(savedAgainstHost(given.states)).toBeUndefined();
	given.entries([fact("r", "assistant", 30, { parent: "u" })]);
	given.sent(5_000, "test/model");
	const data = { ...reply, request: 1, chars: 2_700, images: 0, appended: false };
	given.event({ type: "request/measured", data });
	expect(savedAgainstHost(given.states)).toBeUndefined();
});
