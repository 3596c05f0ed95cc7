import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CATALOGUE } from "../../events/catalogue.ts";
import { defineEvent, type Recorded } from "../../events/envelope.ts";
import { createRegistry } from "../../events/registry.ts";
import { History } from "../../src/debug/history.ts";
import { logPage } from "../../src/debug/log-page.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";

const STREAM = "session/s";

/** An event that only a later release knows. */
const Later = defineEvent("later/happened", 1, Type.Object({ what: Type.String() }));

let home: string;
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), "palimpsest-history-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function moved(leaf: string, at: number): Recorded {
	return { event: { type: "session/leafMoved", data: { leaf } }, at, actor: "user" };
}

async function written(directory: string, events: readonly Recorded[]): Promise<void> {
	await using store = await openStore({ directory, registry: createRegistry([...CATALOGUE, Later]) });
	await store.append(STREAM, events, store.head(STREAM).version);
}

async function opened(directory: string) {
	return openStore({ directory, registry: REGISTRY, readOnly: true });
}

test("a history grows with its store, and refuses one that holds another past", async () => {
	const [one, other] = [join(home, "one"), join(home, "other")];
	await written(one, [moved("a", 1), moved("b", 2)]);
	await written(other, [moved("a", 1), moved("c", 2), moved("d", 3)]);
	const history = History.empty(STREAM);
	{
		await using store = await opened(one);
		await history.grow(store);
	}
	await written(one, [moved("e", 3)]);
	{
		await using store = await opened(one);
		await history.grow(store);
	}
	expect(history.turns.map(({ position, at }) => [position, at])).toEqual([
		[0, 1],
		[1, 2],
		[2, 3],
	]);
	await using store = await opened(other);
	await expect(history.grow(store)).rejects.toMatchObject({ code: "STORE_CHAIN_BROKEN" });
	expect(history.head.version).toBe(3);
});

test("events of a later release are passed over, and stand in the log as such", async () => {
	const later: Recorded = { event: { type: "later/happened", data: { what: "x" } }, at: 5, actor: "host" };
	await written(home, [moved("a", 1), later, moved("b", 6), later]);
	await using store = await opened(home);
	const history = await History.read(store, STREAM);
	expect(history.turns).toHaveLength(2);
	expect([...history.unreadable.keys()]).toEqual([1, 3]);
	const { rows, total, types } = await logPage(history, store, { limit: 10, from: 0 });
	expect(rows.map(({ position, known, line }) => [position, known, line])).toEqual([
		[0, true, "to a"],
		[1, false, "(version 1, unknown to this release)"],
		[2, true, "to b"],
		[3, false, "(version 1, unknown to this release)"],
	]);
	expect([total, types]).toEqual([4, { "session/leafMoved": 2, "later/happened": 2 }]);
	// what was passed over at the end is passed over once
	await history.grow(store);
	expect(history.unreadable.size).toBe(2);
});

test("of a damaged stream what comes before the damage is held", async () => {
	const events = Array.from({ length: 30 }, (_, n) => moved(`e${n}`, n));
	await written(home, events);
	await changeStored(home, eventKeyAt(20), flipped(-1));
	await using store = await opened(home);
	const history = History.empty(STREAM);
	await expect(history.grow(store)).rejects.toMatchObject({ code: "STORE_CHAIN_BROKEN" });
	expect(history.turns.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, n) => n));
	expect(history.head.version).toBe(20);
	const { rows } = await logPage(history, store, { limit: 2 });
	expect(rows.map(({ line }) => line)).toEqual(["to e18", "to e19"]);
});
