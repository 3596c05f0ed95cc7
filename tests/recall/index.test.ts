import { setImmediate as turnOfOthers } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { parseQuery } from "../../projections/recall/query.ts";
import { decodeJson, documentsKey, encodeJson, META_KEY } from "../../projections/recall/rows.ts";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import { entriesOf, type Recalled, recalled, rowsOf, type Said } from "./recalled.ts";

const ENTRY_CHARS = 300_000;

/** Entries that fill two segments and begin a third, each with a word of its own. */
const MANY = Math.ceil((2.3 * SEGMENT_CHARS) / ENTRY_CHARS);
const many: Said[] = Array.from({ length: MANY }, (_, n) => {
	const line = `entry${n} reads module_${n % 7}.ts and finds größe 漢字 `;
	return { says: line.repeat(ENTRY_CHARS / line.length), role: n % 2 === 0 ? "user" : "assistant" };
});

const found = async ({ recall, engine }: Recalled, typed: string) => {
	const options = { leaf: engine.states.tree.leaf, scope: "branch", limit: 50, waitMs: 60_000 } as const;
	return (await recall.search(parseQuery(typed), options)).hits.map(({ id }) => id);
};

test("the rows are the same bytes however the entries came, and after a restart at any place", async () => {
	const entries = entriesOf(many);
	const atOnce = await recalled();
	await atOnce.record(entries);
	await atOnce.index.catchUp();
	const wanted = await rowsOf(atOnce.store);
	expect(decodeJson(atOnce.store.row(META_KEY) as Uint8Array)).toMatchObject({ segments: 2 });

	const store = openMemoryStore({ registry: REGISTRY });
	for (let n = 0; n < MANY; n += 3) {
		const resumed = await recalled(store);
		for (const entry of entries.slice(n, n + 3)) {
			await resumed.record([entry]);
			await resumed.index.catchUp();
		}
		await resumed.index.close();
	}
	expect(await rowsOf(store)).toEqual(wanted);
	const resumed = await recalled(store);
	for (const n of [0, 8, MANY - 1]) expect(await found(resumed, `entry${n}`)).toContain(`e${n + 1}`);
});

test("a segment whose writing was cut short is written again", async () => {
	const session = await recalled();
	await session.record(entriesOf(many));
	await session.index.catchUp();
	const wanted = await rowsOf(session.store);
	await session.store.index({ del: [META_KEY] });
	const again = await recalled(session.store);
	expect((await found(again, "entry3"))[0]).toBe("e4");
	expect(await rowsOf(session.store)).toEqual(wanted);
});

test("rows of another version are dropped and made again", async () => {
	const session = await recalled();
	await session.record(entriesOf(many));
	await session.index.catchUp();
	const wanted = await rowsOf(session.store);
	const old = { ...(decodeJson(session.store.row(META_KEY) as Uint8Array) as object), version: 0 };
	const left = Buffer.from("itleft");
	await session.store.index({
		put: [
			[META_KEY, encodeJson(old)],
			[left, Buffer.of(0)],
		],
	});
	await (await recalled(session.store)).index.catchUp();
	expect(await rowsOf(session.store)).toEqual(wanted);
});

test("others get their turn while a long session is indexed", async () => {
	const session = await recalled();
	await session.record(entriesOf(many));
	let turns = 0;
	let done = false;
	const indexing = session.index.catchUp().then(() => {
		done = true;
	});
	while (!done) {
		await turnOfOthers();
		turns += 1;
	}
	await indexing;
	expect(turns).toBeGreaterThan(20);
});

test("a question asked before the index has caught up waits for it, or says that it did not", async () => {
	const session = await recalled();
	await session.record(entriesOf(many));
	const options = { leaf: session.engine.states.tree.leaf, scope: "branch", limit: 5 } as const;
	const early = await session.recall.search(parseQuery(`entry${MANY - 1}`), { ...options, waitMs: 0 });
	expect(early).toMatchObject({ isComplete: false, hits: [] });
	const later = await session.recall.search(parseQuery(`entry${MANY - 1}`), { ...options, waitMs: 60_000 });
	expect(later).toMatchObject({ isComplete: true, hits: [{ id: `e${MANY}` }] });
});

test("nothing is read where the disk may not be, and no more once it was closed", async () => {
	const session = await recalled();
	await session.record(entriesOf([{ says: "first" }]));
	await session.index.close();
	await session.index.catchUp();
	expect(session.index.isComplete).toBe(false);
	expect(session.index.records).toEqual([]);
});

test("content that is gone leaves a gap and no more", async () => {
	const session = await recalled();
	const entries = entriesOf([{ says: "secret words" }, { says: "open words" }]);
	await session.record(entries);
	const digest = session.engine.states.tree.nodes
		.flatMap((bucket) => [...bucket.values()])
		.find(({ id }) => id === "e1")?.digest;
	await session.store.append("session/other", [], 0, { shred: [digest as string] });
	expect(await found(await recalled(session.store), "words")).toEqual(["e2"]);
});

test("where a row cannot be written every entry is found once, and no row stands behind the one that is not", async () => {
	const session = await recalled();
	await session.record(entriesOf(many));
	const { index } = session.store;
	let refused = 0;
	vi.spyOn(session.store, "index").mockImplementation(async (rows) => {
		if (rows.put === undefined) return index.call(session.store, rows);
		refused += 1;
		throw new Error("the disk is full");
	});
	await expect(session.index.catchUp()).rejects.toThrow("the disk is full");
	await session.index.catchUp();
	expect(session.index.records.map(({ id }) => id)).toEqual(many.map((_, n) => `e${n + 1}`));
	for (const n of [0, 20, MANY - 1]) expect((await found(session, `entry${n}`))[0]).toBe(`e${n + 1}`);
	expect(refused).toBe(1);
	expect(await rowsOf(session.store)).toEqual(new Map());
});

test("rows that could not be read at once are read again from the first", async () => {
	const session = await recalled();
	await session.record(entriesOf(many));
	await session.index.catchUp();
	const again = await recalled(session.store);
	const { row } = session.store;
	const reading = vi.spyOn(session.store, "row").mockImplementation((key) => {
		if (Buffer.compare(key, documentsKey(1)) === 0) throw new Error("the disk does not answer");
		return row.call(session.store, key);
	});
	await expect(again.index.catchUp()).rejects.toThrow("the disk does not answer");
	reading.mockRestore();
	await again.index.catchUp();
	expect(again.index.records).toEqual(session.index.records);
	expect((await found(again, "entry20"))[0]).toBe("e21");
});
