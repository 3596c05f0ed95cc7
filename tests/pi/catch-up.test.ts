import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { catchUp } from "../../src/adapters/pi/catch-up.ts";
import { decodeEntry } from "../../src/adapters/sessions/recorded-session.ts";
import { Engine } from "../../src/engine/engine.ts";
import { REGISTRY, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";

test("recording many entries into memory lets the host go on in between", async () => {
	const session = SessionManager.inMemory();
	for (let n = 0; n < 200; n++)
		session.appendMessage({ role: "user", content: `message ${n}`, timestamp: n });
	const journal = storeJournal(openMemoryStore({ registry: REGISTRY }), "session/one");
	const engine = new Engine({ journal, hash: sha256Node, decode: decodeEntry, driver: "live" });
	let seen = 0;
	const turn = setImmediate(() => {
		seen = engine.states.tree.count;
	});
	await catchUp(engine, session.getEntries(), { settings: DEFAULT_SETTINGS, onRefused: expect.fail });
	clearImmediate(turn);
	expect(engine.states.tree.count).toBe(200);
	expect(seen).toBeGreaterThan(0);
	expect(seen).toBeLessThan(100);
});
