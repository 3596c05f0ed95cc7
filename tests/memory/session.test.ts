import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MemoryEvent } from "../../events/memory.ts";
import { type MemoryPositions, memoryPositions } from "../../projections/memory/positions.ts";
import { evolve, replayInto } from "../../projections/projection.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { Engine } from "../../src/engine/engine.ts";
import { Keys } from "../../src/engine/memory/keys.ts";
import { type SessionLog, SessionMemory } from "../../src/engine/memory/session-memory.ts";
import { loadFromStore, REGISTRY, sessionStream, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { hashText } from "./given.ts";
import { remembering, said } from "./memories.ts";

const SESSION = "s1";
const STREAM = sessionStream(SESSION);

/** The log of a session over a store, as it stands there. */
async function logOn(store: Store): Promise<SessionLog> {
	const journal = storeJournal(store, STREAM);
	const decode = () => ({}) as TranscriptEntry;
	const engine = new Engine({ journal, hash: sha256Node, decode, driver: "live", checkpointEvery: 4 });
	await loadFromStore(engine, store, STREAM);
	return { engine, store, stream: STREAM };
}

function memoryOn(log: () => SessionLog | undefined, keys: Keys): SessionMemory {
	return new SessionMemory({
		session: SESSION,
		keys,
		// as the host's: what goes wrong with the log is told, and comes to nothing here
		ask: async (work) => {
			const there = log();
			return there && work(there).catch(() => undefined);
		},
		silence: () => "nothing was said in this session yet",
	});
}

function newPlace(): { directory: string; keys: Keys } {
	const folder = mkdtempSync(join(tmpdir(), "palimpsest-memory-"));
	return { directory: join(folder, "store"), keys: new Keys(join(folder, "keyring.json")) };
}

const note = (log: SessionLog) =>
	log.engine.note([{ type: "session/leafMoved", data: { leaf: null } }], 1, "user");

test("what is remembered in a session stands in its own stream, and is known when it is opened again", async () => {
	const { directory, keys } = newPlace();
	let store = await openStore({ directory, registry: REGISTRY });
	let log = await logOn(store);
	const memory = memoryOn(() => log, keys);
	await note(log);
	await memory.write(() => ({ write: remembering("mem_1", "use tabs") }));
	for (let time = 0; time < 9; time++) await note(log);
	await memory.write(() => ({ write: remembering("mem_2", "it is done", "model") }));
	expect(memory.memory.records.get("mem_1")).toMatchObject({ status: "active", proof: "verified" });
	expect(memory.text(hashText("use tabs"))).toBe("use tabs");
	expect(log.engine.states.memory.positions).toEqual([1, 11]);
	expect(store.event(STREAM, 1)).toMatchObject({ type: "memory/recorded", actor: "user" });
	await store.close();

	store = await openStore({ directory, registry: REGISTRY });
	log = await logOn(store);
	const again = memoryOn(() => log, keys);
	await again.refresh();
	expect(again.memory).toEqual(memory.memory);
	expect(again.text(hashText("use tabs"))).toBe("use tabs");
	const { damage } = await store.verify({ blobs: true });
	expect(damage).toEqual([]);
	await store.close();
});

test("where there is no log, or one beside the store, nothing is remembered, which is told", async () => {
	const { keys } = newPlace();
	let log: SessionLog | undefined;
	const memory = memoryOn(() => log, keys);
	const writing = () => memory.write(() => ({ write: remembering("mem_1", "use tabs") }));
	await expect(writing()).rejects.toMatchObject({
		code: "MEMORY_NO_LOG",
		message: "nothing was said in this session yet",
	});
	const store = openMemoryStore({ registry: REGISTRY });
	log = { ...(await logOn(store)), refusal: "STORE_LOCKED: this session is open elsewhere" };
	await expect(writing()).rejects.toMatchObject({ code: "MEMORY_NO_LOG", message: log.refusal });
	expect(store.head(STREAM).version).toBe(0);
	expect(memory.memory.records.size).toBe(0);
	// a session without a file has a log in memory that is its own
	log = await logOn(store);
	await writing();
	expect(memory.memory.records.size).toBe(1);
});

test("what a decider refuses is the asker's alone, and what the store refuses is never told as done", async () => {
	const { keys } = newPlace();
	const store = openMemoryStore({ registry: REGISTRY });
	const log = await logOn(store);
	const memory = memoryOn(() => log, keys);
	const refused = memory.write(() => {
		throw new RangeError("it may not be");
	});
	await expect(refused).rejects.toThrow("it may not be");
	await store.close();
	const late = memory.write(() => ({ write: remembering("mem_1", "use tabs") }));
	await expect(late).rejects.toMatchObject({ code: "STORE_CLOSED" });
	expect(memory.memory.records.size).toBe(0);
});

test("a text of a session can be shredded, and what stands beside it stays", async () => {
	const { directory, keys } = newPlace();
	const store = await openStore({ directory, registry: REGISTRY });
	const log = await logOn(store);
	const memory = memoryOn(() => log, keys);
	const digest = hashText("the password");
	await memory.write(() => ({ write: remembering("mem_1", "the password") }));
	await memory.write(() => ({ write: remembering("mem_2", "the rest") }));
	const shredded = said({
		type: "payload/shredded",
		data: { contents: [digest], records: ["mem_1"] },
	} as never);
	await memory.write(() => ({ write: { events: [shredded], bodies: [], shred: [digest] } }));
	expect(store.blob(digest)).toBeUndefined();
	expect(memory.text(digest)).toBeUndefined();
	expect(memory.memory.records.get("mem_1")).toMatchObject({ isShredded: true });
	expect(memory.text(hashText("the rest"))).toBe("the rest");
	await store.close();
});

const types = ["memory/pinned", "memory/unpinned", "memory/restored"] as const;
const event: fc.Arbitrary<MemoryEvent> = fc
	.tuple(fc.constantFrom(...types), fc.string())
	.map(([type, id]) => ({ type, data: { id } }));

test("where memory stands is the same event by event, in bulk, and from a copy taken at any position", () => {
	fc.assert(
		fc.property(fc.array(event, { maxLength: 12 }), fc.nat(12), (events, cut) => {
			const all = events.map((event, index) => ({ event, position: 3 * index, at: 0 }));
			let live: MemoryPositions = memoryPositions.initial();
			for (const one of all) live = evolve(memoryPositions, live, [one]);
			const part = memoryPositions.initial();
			replayInto(memoryPositions, part, all.slice(0, cut));
			const copy = structuredClone(part);
			replayInto(memoryPositions, copy, all.slice(cut));
			expect(isDeepStrictEqual(live, copy)).toBe(true);
			expect(live.positions).toEqual(all.map(({ position }) => position));
		}),
		{ seed: 5, numRuns: 100 },
	);
});
