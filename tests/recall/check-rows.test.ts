import { beforeAll, expect, test } from "vitest";
import { parseQuery } from "../../projections/recall/query.ts";
import {
	blockKey,
	decodeJson,
	documentsKey,
	encodeJson,
	firstsKey,
	INDEX_ROWS,
	META_KEY,
	rowName,
} from "../../projections/recall/rows.ts";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import type { RecallParts } from "../../src/engine/recall-index.ts";
import { checkRows, remakeRows } from "../../src/engine/recall-rows.ts";
import { collect } from "../store/collect.ts";
import { entriesOf, type Recalled, recalled, rowsOf } from "./recalled.ts";

/** Entries that fill a segment and begin a second, with words of their own and something thought. */
const COUNT = 6;
const said = Array.from({ length: COUNT }, (_, n) => ({
	says: `entry${n} reads module_${n}.ts and finds größe 漢字 `.repeat(SEGMENT_CHARS / 5 / 50),
	calls: [{ type: "thinking" as const, text: `perhaps ${n}`, signed: false }],
	role: "assistant" as const,
}));

let session: Recalled;
let parts: RecallParts;
let wanted: Map<string, string>;
beforeAll(async () => {
	session = await recalled();
	await session.record(entriesOf(said));
	await session.index.catchUp();
	const { store, engine } = session;
	parts = {
		store,
		stream: store.streams()[0] ?? "",
		tree: () => engine.states.tree,
		entry: (id) => engine.entry(id),
	};
	wanted = await rowsOf(store);
});

const found = async (query: string) => {
	const { recall, engine } = await recalled(session.store);
	const options = { leaf: engine.states.tree.leaf, scope: "branch", limit: 9, waitMs: 60_000 } as const;
	return (await recall.search(parseQuery(query), options)).hits.map(({ id }) => id);
};

test("rows as the events give them are sound, and all are compared", async () => {
	expect(await checkRows(parts)).toEqual({ checked: wanted.size, wrong: [] });
	expect(wanted.size).toBeGreaterThan(4);
});

const hex = (key: Uint8Array) => Buffer.from(key).toString("hex");

/** The keys, in hex, of rows that are found wrong, with how they are. */
async function wrongRows(): Promise<string[]> {
	const { wrong } = await checkRows(parts);
	return wrong.map((words) => words.replace(/^the index's row ([0-9a-f]+), .*, ([^,]+)$/, "$1 $2")).sort();
}

test("every row that is another, is gone or is too many is named, and no other is", async () => {
	const { store } = session;
	const rows = await collect(store.rows(INDEX_ROWS));
	const made = rows.filter(([key]) => hex(key) !== hex(META_KEY));
	const spoilt = made.map(([key, value]) => [key, Uint8Array.from([...value, 0x20])] as const);
	await store.index({ put: spoilt });
	expect(await wrongRows()).toEqual(made.map(([key]) => `${hex(key)} is not what the events give`).sort());
	await store.index({ put: made });
	await store.index({ del: [blockKey("t", 0, 0)] });
	expect(await wrongRows()).toEqual([`${hex(blockKey("t", 0, 0))} is missing`]);
	await store.index({ put: rows });
	const extra = [blockKey("t", 0, 999), Buffer.from("izz"), Buffer.from("idxx")];
	// the last is of a segment whose writing was cut short
	await store.index({ put: [...extra, blockKey("t", 1, 0)].map((key) => [key, Uint8Array.of(1)] as const) });
	expect(await wrongRows()).toEqual(extra.map((key) => `${hex(key)} is not of this index`).sort());
	await store.index({ del: [...extra, blockKey("t", 1, 0)] });
	for (const [claim, how] of [
		[{ ...(decodeJson(store.row(META_KEY) as Uint8Array) as object), documents: 1 }, "is not what"],
		["nothing", "cannot be read"],
	] as const) {
		await store.index({ put: [[META_KEY, encodeJson(claim)]] });
		expect(await wrongRows()).toEqual([expect.stringContaining(`${hex(META_KEY)} ${how}`)]);
	}
	await store.index({ put: rows });
	expect(await rowsOf(store)).toEqual(wanted);
});

test("rows are named in words", () => {
	expect(rowName(documentsKey(7))).toBe("the entries of segment 7");
	expect(rowName(firstsKey("h", 0))).toBe("the first words of blocks of what was thought in segment 0");
	expect(rowName(blockKey("t", 2, 300))).toBe("block 300 of texts in segment 2");
	expect(rowName(META_KEY)).toBe("how far it reaches");
	for (const stray of ["i", "iz", "izzzzzzz", "id", "ibt"])
		expect(rowName(Buffer.from(stray))).toBe("which is of no kind");
});

test("rows that are wrong are made again, the same bytes, and no others are left", async () => {
	const { store } = session;
	await store.index({
		put: [
			[documentsKey(0), encodeJson([])],
			[Buffer.from("izz"), Uint8Array.of(1)],
		],
		del: [blockKey("t", 0, 0)],
	});
	expect((await checkRows(parts)).wrong).toHaveLength(3);
	await remakeRows(parts);
	expect(await rowsOf(store)).toEqual(wanted);
	expect(await checkRows(parts)).toEqual({ checked: wanted.size, wrong: [] });
});

test("rows that cannot be read, or of which one is gone, are dropped and made again", async () => {
	const { store } = session;
	for (const [key, spoilt] of [
		[META_KEY, "{"],
		[documentsKey(0), undefined],
		[firstsKey("t", 0), "["],
	] as const) {
		await store.index(spoilt === undefined ? { del: [key] } : { put: [[key, Buffer.from(spoilt)]] });
		expect(await found("entry3")).toEqual(["e4"]);
		expect(await rowsOf(store)).toEqual(wanted);
	}
});

test("an index that lacks a block says so, and does not keep silent about what stands there", async () => {
	const { store } = session;
	const value = store.row(blockKey("t", 0, 0)) as Uint8Array;
	await store.index({ del: [blockKey("t", 0, 0)] });
	await expect(found("entry3")).rejects.toMatchObject({ code: "STORE_DAMAGED" });
	await store.index({ put: [[blockKey("t", 0, 0), value]] });
	expect(await found("entry3")).toEqual(["e4"]);
});
