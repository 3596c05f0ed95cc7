import { expect, test } from "vitest";
import { liveEntry } from "../../src/adapters/pi/live-entry.ts";
import { decodeEntry } from "../../src/adapters/sessions/recorded-session.ts";
import { Engine } from "../../src/engine/engine.ts";
import { REGISTRY, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";

test("bytes that were destroyed do not come back with an entry that is recorded again, and the entry stands", async () => {
	await using store = openMemoryStore({ registry: REGISTRY });
	const journal = storeJournal(store, "session/s");
	const engine = new Engine({ journal, hash: sha256Node, decode: decodeEntry, driver: "live" });
	const message = { role: "user", content: "the port is 8080", timestamp: 1 } as const;
	const place = { type: "message", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" } as const;
	const entry = liveEntry({ ...place, id: "e1", message });
	const digest = sha256Node(entry.bytes);
	const data = { contents: [digest], records: ["mem_a"] };
	const event = { event: { type: "payload/shredded" as const, data }, at: 1, actor: "user" as const };
	await engine.remember([event], { contents: [], shred: [digest] });
	await engine.record(entry);
	expect(engine.states.tree.leaf).toBe("e1");
	expect(store.hasBlob(digest)).toBe(false);
	expect((await store.verify({ blobs: true, references: () => [digest] })).damage).toEqual([]);
});
