import { expect, test } from "vitest";
import { StoreError } from "../../src/store/errors.ts";
import { sha256Node } from "../../src/store/hash.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { memoryKeyValue } from "../../src/store/memory-key-value.ts";
import { collect } from "./collect.ts";
import { logOver } from "./log-over.ts";
import { notes } from "./note-events.ts";

const S = "session/one";

/** A database whose writes wait to be let go, or to fail. */
function held(): { kv: KeyValue; writes: { sync: boolean; go: () => void; fail: (error: Error) => void }[] } {
	const kv = memoryKeyValue();
	const writes: { sync: boolean; go: () => void; fail: (error: Error) => void }[] = [];
	const batch = () => {
		const inner = kv.batch();
		const write = (sync: boolean) =>
			new Promise<void>((resolve, reject) => {
				writes.push({ sync, go: () => resolve(inner.write(sync)), fail: reject });
			});
		return { ...inner, write };
	};
	return { kv: { ...kv, batch }, writes };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("what arrives while a batch is written shares the next one, and waits for the disk if one of it does", async () => {
	const { kv, writes } = held();
	const store = logOver(kv);
	const first = store.append(S, notes(1), 0);
	await settled();
	const more = [1, 2, 3].map((version) => store.append(S, notes(1), version, { sync: version === 2 }));
	await settled();
	expect(writes.map(({ sync }) => sync)).toEqual([false]);
	writes[0]?.go();
	await first;
	await settled();
	expect(writes.map(({ sync }) => sync)).toEqual([false, true]);
	writes[1]?.go();
	expect((await Promise.all(more)).map(({ version }) => version)).toEqual([2, 3, 4]);
});

test("appends of one turn share a batch", async () => {
	const { kv, writes } = held();
	const store = logOver(kv);
	const appends = [0, 1, 2].map((version) => store.append(S, notes(1), version));
	await settled();
	expect(writes).toHaveLength(1);
	writes[0]?.go();
	await Promise.all(appends);
});

test("the head a reader sees moves when the batch is written, not before; a writer's conflict counts the queue", async () => {
	const { kv, writes } = held();
	const store = logOver(kv);
	const bytes = Buffer.from("x");
	const digest = sha256Node(bytes);
	const append = store.append(S, notes(2), 0, { blobs: [{ digest, bytes }] });
	await settled();
	expect(store.head(S).version).toBe(0);
	expect(store.streams()).toEqual([]);
	expect(await collect(store.read(S))).toEqual([]);
	expect(store.blob(digest)).toEqual(bytes);
	await expect(store.append(S, notes(1), 0)).rejects.toMatchObject({ detail: { actual: 2 } });
	writes[0]?.go();
	await append;
	expect(store.head(S).version).toBe(2);
});

test("a failed write leaves the store as it was, and everything behind it is refused with the reason", async () => {
	const { kv, writes } = held();
	const store = logOver(kv);
	const first = store.append(S, notes(2), 0);
	await settled();
	writes[0]?.go();
	const head = await first;

	const bytes = Buffer.from("lost");
	const digest = sha256Node(bytes);
	const failing = [
		store.append(S, notes(1), 2, {
			blobs: [{ digest, bytes }],
			checkpoints: [{ name: "count", version: 1, state: 3 }],
		}),
		(async () => {
			await settled();
			return store.append(S, notes(1), 3);
		})(),
	];
	const outcomes = Promise.allSettled(failing);
	await settled();
	await settled();
	const full = new Error("no space left on device");
	writes[1]?.fail(full);
	for (const outcome of await outcomes) {
		expect(outcome).toMatchObject({
			status: "rejected",
			reason: { code: "STORE_WRITE_FAILED", cause: full },
		});
	}
	expect(store.head(S)).toEqual(head);
	expect(store.blob(digest)).toBeUndefined();
	expect(store.checkpoint(S, "count", 1)).toBeUndefined();
	expect(await collect(store.read(S))).toHaveLength(2);
	await expect(store.append(S, notes(1), 2)).rejects.toMatchObject({ code: "STORE_WRITE_FAILED" });
	await store.close();
	expect(writes).toHaveLength(2);
});

test("a verification finds a store at rest, however busy its writers", async () => {
	const store = logOver(memoryKeyValue());
	await store.append(S, notes(2_500), 0);
	const appends: Promise<unknown>[] = [];
	const references = () => {
		appends.push(store.append(S, notes(1), 2_500 + appends.length));
		return [];
	};
	const both = await Promise.all([store.verify({ blobs: true, references }), store.verify()]);
	for (const { damage } of both) expect(damage).toEqual([]);
	expect(both[0]?.checked.events).toBe(2_500);
	await Promise.all(appends);
	expect((await store.verify()).checked.events).toBe(5_000);
});

test("a store that finds it cannot read an event takes no more of them", async () => {
	const kv = memoryKeyValue();
	const failing = (key: Uint8Array) => {
		if (key[0] === "e".charCodeAt(0)) throw new StoreError("STORE_DAMAGED", "a table cannot be read");
		return kv.get(key);
	};
	const store = logOver({ ...kv, get: failing });
	await store.append(S, notes(3), 0);
	expect(() => store.event(S, 1)).toThrow(/cannot be read/);
	expect(store.damage).toMatchObject([{ part: "files" }]);
	await expect(store.append(S, notes(1), 3)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
});
