import { describe, expect, test } from "vitest";
import { isKept } from "../../src/store/checkpoint.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { allOf } from "../../src/store/keys.ts";
import type { Log } from "../../src/store/log.ts";
import { memoryKeyValue } from "../../src/store/memory-key-value.ts";
import { collect } from "./collect.ts";
import { logOver } from "./log-over.ts";
import { notes } from "./note-events.ts";

const S = "session/one";

function opened(kv: KeyValue = memoryKeyValue()): { kv: KeyValue; store: Log } {
	const store = logOver(kv);
	return { kv, store };
}
const keysOf = async (kv: KeyValue) => (await collect(kv.keys(allOf("c")))).flat();
const save = (store: Log, state: unknown, version = 1, name = "count") =>
	store.append(S, notes(1), store.head(S).version, { checkpoints: [{ name, version, state }] });

test("a state comes back as it was saved, Maps and Sets included, with what it covers", async () => {
	const { store } = opened();
	const state = {
		byId: new Map([
			["__proto__", { depth: [1, 2] }],
			["12", { depth: [] }],
		]),
		seen: new Set(["a"]),
		none: undefined,
	};
	const head = await save(store, state);
	expect(store.checkpoint(S, "count", 1)).toStrictEqual({
		name: "count",
		version: 1,
		covers: 1,
		hash: head.hash,
		state,
	});
});

test("the newest within reach is given", async () => {
	const { store } = opened();
	for (let n = 1; n <= 4; n++) await save(store, n);
	expect(store.checkpoint(S, "count", 1)?.state).toBe(4);
	expect(store.checkpoint(S, "count", 1, 3)?.state).toBe(3);
	expect(store.checkpoint(S, "count", 1, 1)).toBeUndefined();
	expect(store.checkpoint(S, "other", 1)).toBeUndefined();
	expect(store.checkpoint("session/none", "count", 1)).toBeUndefined();
});

test("another version is passed over, and dropped once the new one is saved", async () => {
	const { kv, store } = opened();
	await save(store, "old", 1);
	await save(store, "other projection", 1, "other");
	expect(store.checkpoint(S, "count", 2)).toBeUndefined();
	await save(store, "new", 2);
	expect(store.checkpoint(S, "count", 2)?.state).toBe("new");
	expect(store.checkpoint(S, "count", 1)).toBeUndefined();
	expect(await keysOf(kv)).toHaveLength(2);
});

test("a damaged one is passed over for the one before, and verification says so", async () => {
	const { kv, store } = opened();
	await save(store, "first");
	await save(store, "second");
	const [, newest] = await keysOf(kv);
	const value = Buffer.from(kv.get(newest as Uint8Array) as Uint8Array);
	value[value.length - 2] = (value[value.length - 2] as number) ^ 1;
	const batch = kv.batch();
	batch.put(newest as Uint8Array, value);
	await batch.write(false);
	expect(store.checkpoint(S, "count", 1)?.state).toBe("first");
	expect((await store.verify()).damage).toMatchObject([{ part: "checkpoint", stream: S, position: 2 }]);
});

test("one that was taken on another chain is passed over", async () => {
	const [mine, theirs] = [opened(), opened()];
	await save(mine.store, "mine");
	await theirs.store.append(S, notes(1, 7), 0, {
		checkpoints: [{ name: "count", version: 1, state: "theirs" }],
	});
	const [key] = await keysOf(mine.kv);
	const batch = mine.kv.batch();
	batch.put(key as Uint8Array, theirs.kv.get(key as Uint8Array) as Uint8Array);
	await batch.write(false);
	expect(mine.store.checkpoint(S, "count", 1)).toBeUndefined();
});

describe("thinning", () => {
	test("keeps few, dense near the end, and the last two always", async () => {
		const { kv, store } = opened();
		for (let n = 1; n <= 100; n++) await save(store, n);
		expect((await keysOf(kv)).length).toBeLessThanOrEqual(14);
		expect([100, 99].map((upTo) => store.checkpoint(S, "count", 1, upTo)?.state)).toEqual([100, 99]);
		for (let upTo = 64; upTo <= 100; upTo++) {
			const state = store.checkpoint(S, "count", 1, upTo)?.state as number;
			expect(100 - state).toBeLessThanOrEqual(Math.max(2, 3 * (100 - upTo)));
		}
	});

	test("what one round drops no later round would have kept", () => {
		for (let ordinal = 1; ordinal <= 200; ordinal++) {
			const kept = Array.from({ length: 200 }, (_, index) => isKept(ordinal, ordinal + index));
			expect(kept.lastIndexOf(true)).toBeLessThan(kept.indexOf(false) === -1 ? 200 : kept.indexOf(false));
		}
	});
});
