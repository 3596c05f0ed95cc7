import { produce } from "immer";
import { pack, unpack } from "msgpackr";
import type { DomainEvent } from "../events/catalogue.ts";
import { buckets, type MutableBuckets, put } from "../projections/buckets.ts";
import type { Placed } from "../projections/projection.ts";
import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { evolveStates, initialStates, replayStates } from "../projections/states.ts";
import type { TranscriptEntry } from "../projections/transcript.ts";
import { Engine } from "../src/engine/engine.ts";
import { forgetfulJournal, type Journal } from "../src/engine/journal.ts";
import { replaySession } from "../src/engine/replay.ts";
import { sha256Noble } from "../src/store/hash.ts";
import { recordings } from "./recordings.ts";
import { atMost, median, type Row } from "./row.ts";

const SMALL = 500;
const LARGE = 19_000;
const MEASURED = 200;

/** What one more entry costs a long session beside a short one, and what folding events into states costs. */
export async function run(): Promise<readonly Row[]> {
	const small = await recordTimes(SMALL);
	const large = await recordTimes(LARGE);
	const events = await eventsOfShipped();
	const packed = events.map((placed) => pack(placed));
	const decode = median(rounds(() => packed.map((bytes) => unpack(bytes))));
	const replay = median(rounds(() => replayStates(initialStates(), events)));
	const draft = median(rounds(() => putOneByOne(events.length)));
	const live = median(rounds(() => evolveOneByOne(events)));
	return [
		atMost(2, {
			name: `record an entry live, at ${LARGE} entries`,
			value: large,
			unit: "µs",
			against: `at ${SMALL} entries`,
			limit: small,
		}),
		atMost(1, {
			name: `replay ${events.length} events into all states`,
			value: replay,
			unit: "ms",
			against: "decoding them",
			limit: decode,
		}),
		atMost(3, {
			name: "one event into all states, live",
			value: (live * 1000) / events.length,
			unit: "µs",
			against: "one draft that puts one row into a table of this size",
			limit: (draft * 1000) / events.length,
		}),
	];
}

async function recordTimes(size: number): Promise<number> {
	const engine = new Engine({
		journal: forgetfulJournal(),
		hash: sha256Noble,
		decode: () => entryAt(0),
		driver: "live",
	});
	await engine.settle(DEFAULT_SETTINGS, 0, "runtime");
	for (let n = 0; n < size; n++) await engine.record(entryAt(n));
	const times: number[] = [];
	for (let n = size; n < size + MEASURED; n++) {
		const entry = entryAt(n);
		const start = performance.now();
		await engine.record(entry);
		times.push((performance.now() - start) * 1000);
	}
	return median(times);
}

function entryAt(n: number): TranscriptEntry {
	const text = `entry ${n} looks at src/module-${n % 97}.ts and finds ${n * 31} things. `.repeat(12);
	const bytes = new TextEncoder().encode(JSON.stringify({ n, text }));
	const parent = n === 0 ? null : `e${n - 1}`;
	const role = n % 2 === 0 ? "user" : "assistant";
	return {
		id: `e${n}`,
		parent,
		kind: "message",
		role,
		at: n,
		line: n + 1,
		bytes,
		blocks: [{ type: "text", text }],
	};
}

async function eventsOfShipped(): Promise<Placed<DomainEvent>[]> {
	const [recording] = await recordings(1);
	if (!recording) throw new Error("no recorded session");
	const events: Placed<DomainEvent>[] = [];
	const forgetful = forgetfulJournal();
	const journal: Journal = {
		content: forgetful.content,
		append: async (recorded, version, options) => {
			for (const [index, { event, at }] of recorded.entries())
				events.push({ event, at, position: version + index });
			await forgetful.append(recorded, version, options);
		},
	};
	const byId = new Map(recording.entries.map((entry) => [entry.id, entry]));
	const engine = new Engine({
		journal,
		hash: sha256Noble,
		decode: (_bytes, node) => byId.get(node.id) as TranscriptEntry,
		driver: "replay",
	});
	for await (const _ of replaySession(engine, { ...recording, settings: DEFAULT_SETTINGS }));
	return events;
}

function evolveOneByOne(events: readonly Placed<DomainEvent>[]): void {
	let states = initialStates();
	for (const placed of events) states = evolveStates(states, [placed]);
}

function putOneByOne(count: number): void {
	let table = buckets<number>();
	for (let n = 0; n < count; n++) {
		table = produce(table, (draft) => put(draft as MutableBuckets<number>, `e${n}`, n));
	}
}

function rounds(work: () => void): number[] {
	const times: number[] = [];
	for (let round = 0; round < 12; round++) {
		const start = performance.now();
		work();
		if (round > 3) times.push(performance.now() - start);
	}
	return times;
}
