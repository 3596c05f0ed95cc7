import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore, openStore } from "../../src/store/open-store.ts";
import type { Store, StoredEvent } from "../../src/store/store.ts";
import { collect } from "./collect.ts";
import { note, notes, registry } from "./note-events.ts";

const S = "session/one";
const content = (text: string) => {
	const bytes = Buffer.from(text);
	return { digest: sha256Node(bytes), bytes };
};
const all = async (store: Store, stream = S, options = {}): Promise<StoredEvent[]> =>
	collect(store.read(stream, options));

let home: string;
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), "palimpsest-store-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe.each([
	{ kind: "LevelDB", open: (directory: string) => openStore({ directory, registry }) },
	{ kind: "memory", open: async () => openMemoryStore({ registry }) },
])("a store in $kind", ({ open }) => {
	let store: Store;
	beforeEach(async () => {
		store = await open(join(home, "store"));
	});
	afterEach(() => store.close());

	test("a stream nobody wrote to is empty", async () => {
		expect(store.head(S).version).toBe(0);
		expect(store.streams()).toEqual([]);
		expect(await all(store)).toEqual([]);
	});

	test("what was appended is read back in order, with its place", async () => {
		const decided = { ...note("b"), actor: "model", cause: "call_1", node: "e7" } as const;
		await store.append(S, [note("a"), decided], 0);
		const read = await all(store);
		expect(read.map(({ hash: _, ...event }) => event)).toEqual([
			{
				stream: S,
				position: 0,
				type: "note/taken",
				v: 1,
				at: decided.at,
				actor: "user",
				data: { text: "a" },
			},
			{
				stream: S,
				position: 1,
				type: "note/taken",
				v: 1,
				at: decided.at,
				actor: "model",
				cause: "call_1",
				node: "e7",
				data: { text: "b" },
			},
		]);
	});

	test("an append resolves to the head that the next reader finds", async () => {
		const head = await store.append(S, notes(3), 0);
		expect(head.version).toBe(3);
		expect(store.head(S)).toEqual(head);
		expect((await all(store)).at(-1)?.hash).toBe(head.hash);
	});

	test("a writer that expected another version is told both and changes nothing", async () => {
		await store.append(S, notes(2), 0);
		await expect(store.append(S, notes(1), 1)).rejects.toMatchObject({
			code: "STORE_VERSION_CONFLICT",
			detail: { expected: 1, actual: 2, stream: S },
		});
		expect(await all(store)).toHaveLength(2);
	});

	test("appends made without waiting take their places in the order of the calls", async () => {
		const heads = await Promise.all([0, 1, 2, 3].map((at) => store.append(S, notes(1, at), at)));
		expect(heads.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
		expect((await all(store)).map(({ data }) => data)).toEqual(notes(4).map(({ event }) => event.data));
	});

	test("racing writers that retry on conflict fill each position once", async () => {
		const writers = Array.from({ length: 12 }, async (_, writer) => {
			for (let sent = 0, version = 0; sent < 10; ) {
				const outcome = await store
					.append(S, [note(`${writer}.${sent}`)], version)
					.catch((error) => error.detail.actual as number);
				version = typeof outcome === "number" ? outcome : outcome.version;
				if (typeof outcome !== "number") sent++;
			}
		});
		await Promise.all(writers);
		const read = await all(store);
		expect(read.map(({ position }) => position)).toEqual(
			Array.from({ length: 120 }, (_, position) => position),
		);
		expect(new Set(read.map(({ data }) => (data as { text: string }).text)).size).toBe(120);
		expect((await store.verify()).damage).toEqual([]);
	});

	test("streams are apart, each with a chain of its own", async () => {
		await Promise.all([store.append("a", notes(2), 0), store.append("b", notes(3), 0)]);
		expect(store.streams()).toEqual(["a", "b"]);
		expect((await all(store, "b")).map(({ position }) => position)).toEqual([0, 1, 2]);
		expect((await all(store, "a"))[0]?.hash).not.toBe((await all(store, "b"))[0]?.hash);
	});

	test("a range is read without what lies outside it, in chunks of any size", async () => {
		await store.append(S, notes(20), 0);
		for (const chunk of [1, 3, 1000]) {
			expect((await all(store, S, { from: 5, to: 9, chunk })).map(({ position }) => position)).toEqual([
				5, 6, 7, 8,
			]);
		}
		expect(await all(store, S, { from: 20 })).toEqual([]);
		expect(await all(store, S, { from: 18, to: 99 })).toHaveLength(2);
		await expect(all(store, S, { from: -1 })).rejects.toThrow(RangeError);
	});

	test("one event is found by its position", async () => {
		await store.append(S, notes(3), 0);
		expect(store.event(S, 1)).toEqual((await all(store))[1]);
		expect(store.event(S, 3)).toBeUndefined();
	});

	test("an event of an unknown type or a broken payload is refused before anything is written", async () => {
		const unknown = { ...note("x"), event: { type: "note/burnt", data: {} } };
		const broken = { ...note("x"), event: { type: "note/taken", data: { text: 7 } } };
		await expect(store.append(S, [note("a"), unknown], 0)).rejects.toMatchObject({ code: "EVENT_UNKNOWN" });
		await expect(store.append(S, [note("a"), broken], 0)).rejects.toMatchObject({ code: "EVENT_INVALID" });
		expect(store.head(S).version).toBe(0);
		expect((await store.append(S, notes(1), 0)).version).toBe(1);
	});

	test("content is there at once, and once", async () => {
		const text = content("a tool result");
		const written = store.append(S, notes(1), 0, { blobs: [text, text] });
		expect(store.blob(text.digest)).toEqual(text.bytes);
		expect(store.hasBlob(text.digest)).toBe(true);
		await written;
		expect(Buffer.from(store.blob(text.digest) ?? [])).toEqual(text.bytes);
		await store.append(S, notes(1), 1, { blobs: [text] });
		expect((await store.verify({ blobs: true })).checked.blobs).toBe(1);
	});

	test("content nobody stored is absent", () => {
		expect(store.blob("0".repeat(64))).toBeUndefined();
		expect(store.hasBlob("not a digest")).toBe(false);
	});

	test("content under another digest than its own is refused", async () => {
		const wrong = { digest: content("a").digest, bytes: Buffer.from("b") };
		await expect(store.append(S, notes(1), 0, { blobs: [wrong] })).rejects.toThrow(TypeError);
		expect(store.head(S).version).toBe(0);
	});

	test("a row that is no bytes is refused before anything is written", async () => {
		const put = [[Buffer.from("k"), "v"]] as unknown as [Buffer, Buffer][];
		await expect(store.append(S, notes(1), 0, { rows: { put } })).rejects.toThrow(TypeError);
		expect((await store.append(S, notes(1), 0)).version).toBe(1);
		expect((await store.verify()).damage).toEqual([]);
	});

	test("content stored, shredded and stored again, all without waiting, is there in the end", async () => {
		const text = content("again");
		const turns = [{ blobs: [text] }, { shred: [text.digest] }, { blobs: [text] }];
		const appends = turns.map((options, version) => store.append(S, notes(1), version, options));
		expect(store.hasBlob(text.digest)).toBe(true);
		await Promise.all(appends);
		expect(Buffer.from(store.blob(text.digest) ?? [])).toEqual(text.bytes);
		expect((await store.verify({ blobs: true })).damage).toEqual([]);
	});

	test("content kept before the event that refers to it has no place in a stream, and appends go on beside it", async () => {
		await store.append(S, notes(1), 0);
		const parts = ["one", "two", "one"].map(content);
		const kept = parts.map((part) => store.keep([part]));
		const appended = store.append(S, notes(2), 1, { blobs: [content("beside")] });
		for (const { digest, bytes } of parts) expect(store.blob(digest)).toEqual(bytes);
		await Promise.all([...kept, appended]);
		for (const { digest, bytes } of parts) expect(Buffer.from(store.blob(digest) ?? [])).toEqual(bytes);
		expect(store.streams()).toEqual([S]);
		expect(store.head(S).version).toBe(3);
		expect(await store.verify({ blobs: true })).toMatchObject({ damage: [], checked: { blobs: 3 } });
		await expect(store.keep([{ digest: content("a").digest, bytes: Buffer.from("b") }])).rejects.toThrow(
			TypeError,
		);
		await store.close();
		await expect(store.keep([content("late")])).rejects.toMatchObject({ code: "STORE_CLOSED" });
	});

	test("shredded content is gone and the chain stays whole", async () => {
		const secret = content("a key that should not be here");
		await store.append(S, notes(1), 0, { blobs: [secret] });
		const shredding = store.append(S, notes(1), 1, { shred: [secret.digest], sync: true });
		expect(store.hasBlob(secret.digest)).toBe(false);
		await shredding;
		expect(store.blob(secret.digest)).toBeUndefined();
		expect((await store.verify({ blobs: true })).damage).toEqual([]);
	});

	test("index rows come and go with their events, in order of their bytes", async () => {
		const put = ["b", "a", "c"].map((key): [Buffer, Buffer] => [
			Buffer.from(key),
			Buffer.from(key.toUpperCase()),
		]);
		await store.append(S, notes(1), 0, { rows: { put } });
		await store.append(S, notes(1), 1, { rows: { del: [Buffer.from("c")] } });
		expect(Buffer.from(store.row(Buffer.from("a")) ?? []).toString()).toBe("A");
		expect(store.row(Buffer.from("c"))).toBeUndefined();
		const rows = await collect(store.rows({ gte: Buffer.from("a"), lt: Buffer.from("z") }));
		expect(rows.map(([key, value]) => `${key}${value}`)).toEqual(["aA", "bB"]);
	});

	test("index rows may be made behind the events they derive from, and are read in runs up to a limit", async () => {
		await store.append(S, notes(1), 0);
		const made = store.index({ put: ["b", "a", "c"].map((key) => [Buffer.from(key), Buffer.from(key)]) });
		await store.append(S, notes(1), 1);
		await made;
		await store.index({ del: [Buffer.from("b")] });
		const range = { gte: Buffer.from("a"), lt: Buffer.from("z") };
		const read = async (limit?: number) =>
			(await collect(store.rowRuns(range, limit))).flat().map(([key]) => `${key}`);
		expect(await read()).toEqual(["a", "c"]);
		expect(await read(1)).toEqual(["a"]);
		expect(store.head(S).version).toBe(2);
		await expect(store.index({ put: [["key", Buffer.from("a")] as never] })).rejects.toThrow(TypeError);
	});

	test("blobs, rows and checkpoints may come without an event", async () => {
		await store.append(S, notes(2), 0);
		await store.append(S, [], 2, { checkpoints: [{ name: "count", version: 1, state: 2 }] });
		expect(store.head(S).version).toBe(2);
		expect(store.checkpoint(S, "count", 1)).toMatchObject({ covers: 2, state: 2 });
	});

	test("closing waits for what is queued; afterwards every call is refused", async () => {
		const written = store.append(S, notes(1), 0);
		await Promise.all([store.close(), store.close()]);
		expect((await written).version).toBe(1);
		await expect(store.append(S, notes(1), 1)).rejects.toMatchObject({ code: "STORE_CLOSED" });
		const closed = expect.objectContaining({ code: "STORE_CLOSED" });
		expect(() => store.blob("0".repeat(64))).toThrow(closed);
		expect(() => store.event(S, 0)).toThrow(closed);
		expect(() => store.row(Buffer.from("k"))).toThrow(closed);
		const rows = { gte: Buffer.from("a"), lt: Buffer.from("z") };
		await expect(collect(store.rows(rows))).rejects.toMatchObject({ code: "STORE_CLOSED" });
		await expect(store.verify()).rejects.toMatchObject({ code: "STORE_CLOSED" });
	});
});
