import { expect, test } from "vitest";
import { nodeOf } from "../../projections/session-tree.ts";
import { decodeEntry } from "../../src/adapters/sessions/recorded-session.ts";
import { Engine } from "../../src/engine/engine.ts";
import { REGISTRY, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import { chain, reply, result, user } from "./made-entries.ts";

test("odd ids of calls and times cost no session its log", async () => {
	await using store = openMemoryStore({ registry: REGISTRY });
	const engine = new Engine({
		journal: storeJournal(store, "session/s"),
		hash: sha256Node,
		decode: decodeEntry,
		driver: "live",
	});
	const [half, other] = ["call\ud800", "call\udfff"];
	const entries = chain([
		user("u"),
		reply("a", 10, [half, other, "\ud83d\ude00"]),
		result("r1", half),
		result("r2", other),
		result("r3", "\ud83d\ude00"),
		user("v"),
	]);
	for (const entry of entries) await engine.record({ ...entry, at: -0 });
	const { tree } = engine.states;
	expect(nodeOf(tree, "a")?.opens).toHaveLength(3);
	expect(["r1", "r2", "r3"].map((id) => nodeOf(tree, id)?.fate)).toEqual(["sent", "sent", "sent"]);
	expect(nodeOf(tree, "v")?.open).toEqual([]);
	expect(store.head("session/s").version).toBe(engine.version);
});
