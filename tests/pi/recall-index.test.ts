import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ClassicLevel } from "classic-level";
import { expect, test } from "vitest";
import { blockKey, decodeJson, type IndexMeta, META_KEY } from "../../projections/recall/rows.ts";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { copyOpenStore } from "../../src/store/copy-store.ts";
import { rowKey } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/open-store.ts";
import { inside } from "../cli/inside.ts";
import { QUICK_SETTINGS, Sandbox } from "./sandbox.ts";

/** How far the rows of the one store reach, which may be open. */
async function reach(sandbox: Sandbox): Promise<IndexMeta | undefined> {
	const [name = ""] = sandbox.stores();
	const to = join(sandbox.dir, "copy");
	try {
		await copyOpenStore({ directory: join(sandbox.home, "sessions", name), to });
		await using store = await openStore({ directory: to, registry: REGISTRY, readOnly: true });
		const row = store.row(META_KEY);
		return row && (decodeJson(row) as IndexMeta);
	} finally {
		rmSync(to, { recursive: true, force: true });
	}
}

test("a running session is indexed behind its turns, found by the index once it ended, and the index verified and repaired", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ settings: { ...QUICK_SETTINGS, policy: "off" } });
	const line = (n: number) => `part ${n} has a needle_${n} in haystack ${n * 7} and größe 漢字\n`;
	const long = (n: number) => line(n).repeat(SEGMENT_CHARS / 3 / line(n).length);
	for (let n = 0; n < 4; n++) await host.ask(long(n));
	let meta = await reach(sandbox);
	while (meta === undefined) {
		await pause(50);
		meta = await reach(sandbox);
	}
	expect(meta.segments).toBe(1);
	await host.ask("the last word is xylophone");
	await host.quit();
	expect(host.errors).toEqual([]);

	const run = (...args: string[]) => inside(sandbox.home, ...args);
	const ask = async (query: string) =>
		JSON.parse((await run("recall", query, "--session", host.file, "--json", "--limit", "1")).text);
	const [first] = host.session.sessionManager
		.getBranch()
		.filter((entry) => entry.type === "message" && entry.message.role === "user");
	expect(await ask("needle_0")).toMatchObject({
		sessions: [{ from: "index" }],
		hits: [{ entry: first?.id }],
	});
	expect((await ask("xylophones")).hits[0].snippet).toBe("the last word is xylophone");

	const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
	const sound = await run("verify", store);
	expect(sound).toMatchObject({ code: 0, text: expect.stringMatching(/, [1-9]\d* index rows\n.*sound/s) });
	await withoutRow(store, blockKey("t", 0, 0));
	expect(await run("verify", store)).toMatchObject({
		code: 1,
		text: expect.stringMatching(
			/^DAMAGED row of session\/.*: .*, block 0 of texts in segment 0, is missing$/m,
		),
	});
	const { text, stderr } = await run("recall", "needle_0", "--session", host.file, "--json", "--limit", "1");
	expect(JSON.parse(text)).toMatchObject({ sessions: [{ from: "scan" }], hits: [{ entry: first?.id }] });
	expect(stderr).toContain("the recall index lacks block 0 of texts in segment 0; palimpsest repair");
	expect((await run("repair", store)).text).toMatch(/the recall index was made again from the events\n$/);
	expect(JSON.parse((await run("repair", store, "--json")).text)).toMatchObject({ repaired: false });
	expect(await run("verify", store)).toEqual(sound);
	expect(await ask("needle_0")).toMatchObject({
		sessions: [{ from: "index" }],
		hits: [{ entry: first?.id }],
	});
});

/** Takes a row out of the index of a store that is closed. */
async function withoutRow(store: string, key: Uint8Array): Promise<void> {
	const level = new ClassicLevel<Uint8Array, Uint8Array>(join(store, "level"), { keyEncoding: "view" });
	await level.del(rowKey(key));
	await level.close();
}
