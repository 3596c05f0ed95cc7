import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { decodeJson, type IndexMeta, META_KEY } from "../../projections/recall/rows.ts";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { copyOpenStore } from "../../src/store/copy-store.ts";
import { openStore } from "../../src/store/open-store.ts";
import { palimpsest } from "../cli/run.ts";
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

test("a running session is indexed behind its turns, and found by the index once it ended", async () => {
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

	const ask = async (query: string) => {
		const args = ["recall", query, "--session", host.file, "--json", "--limit", "1"];
		return JSON.parse((await palimpsest(args, { home: sandbox.home })).text);
	};
	const [first] = host.session.sessionManager
		.getBranch()
		.filter((entry) => entry.type === "message" && entry.message.role === "user");
	expect(await ask("needle_0")).toMatchObject({
		sessions: [{ from: "index" }],
		hits: [{ entry: first?.id }],
	});
	expect((await ask("xylophones")).hits[0].snippet).toBe("the last word is xylophone");
});
