import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import type { Settings } from "../../projections/rules.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { Log } from "../../src/store/log.ts";
import { inside } from "../cli/inside.ts";
import { disk } from "./held-disk.ts";
import { answered, folded, ON_HELD_DISK } from "./on-held-disk.ts";
import { callRecall, idOf, typeRecall } from "./recall-calls.ts";
import { type Host, type HostOptions, Sandbox } from "./sandbox.ts";
import { expectFound, OPTIONS, spoken } from "./spoken.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("./held-disk.ts")).disk.around(await original()),
);

afterEach(() => disk.release());
afterEach(() => vi.restoreAllMocks());

test("while the disk does not answer what was said is found by reading it through", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.hold("write");
	await host.ask("something said meanwhile");
	expect(disk.isStuck).toBe(true);
	const found = await typeRecall(host, '"said meanwhile"');
	expect(found).toMatch(/^1 entry found, best first; this session has no index here, and was read through\n/);
	expect(found).toContain(`[entry ${idOf(host, "said meanwhile")}]`);
	await answered(host);
	expect(await typeRecall(host, '"said meanwhile"')).toMatch(/^1 entry found, best first\n/);
	expect(host.errors).toEqual([]);
});

test("a disk that hangs while the index is read does not hold the answer up", async () => {
	await using sandbox = new Sandbox();
	const first = await folded(sandbox);
	await first.quit();
	const host = await sandbox.open(first.file, ON_HELD_DISK);
	await host.ask("opened again");
	disk.hold("read");
	expect(await typeRecall(host, '"opened again"')).toMatch(/^1 entry found, .*was read through\n/);
	await disk.release();
	await answered(host);
	expect(host.errors).toEqual([]);
});

/** A host on the held disk whose model can recall. */
const RECALLS: HostOptions = {
	...ON_HELD_DISK,
	models: [{ id: "faux-1", contextWindow: 5_000_000, maxTokens: 8_000 }],
	tools: [...(OPTIONS.tools ?? [])],
	engine: (pi: ExtensionAPI) => registerEngine(pi, () => OPTIONS.settings as Settings, { clock: disk }),
};

test("while the disk does not answer the model's turns go on, and recall finds what it had and what was said since", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(RECALLS));
	await host.fold();
	await expectFound(host);
	disk.hold("write");
	await host.ask("a mongoose came meanwhile");
	await expectFound(host, "scan");
	const { text, ids } = await callRecall(host, { query: "mongoose" });
	expect(ids[0]).toBe(idOf(host, "a mongoose"));
	expect(text).toContain("this session has no index here, and was read through");
	expect((await callRecall(host, { action: "list", limit: 3 })).details).toMatchObject({ from: "scan" });
	const { failed, text: refusal } = await callRecall(host, { action: "summary" });
	expect({ failed, refusal }).toEqual({
		failed: true,
		refusal: expect.stringMatching(/^SUMMARY_MISSING: .* this session has no log;/),
	});
	expect(disk.isStuck).toBe(true);
	await answered(host);
	await expectFound(host);
	const later = await callRecall(host, { query: "mongoose kind:user" });
	expect(later).toMatchObject({ ids: [idOf(host, "a mongoose")], details: { from: "index" } });
	await expectRows(sandbox, host);
});

test("with folding off or paused what is said is found all the same", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(RECALLS));
	for (const word of ["pause", "off"]) {
		await host.session.prompt(`/fold ${word}`);
		await host.ask(`a gecko came at ${word}`);
		await expectFound(host);
		expect((await callRecall(host, { query: `gecko ${word}` })).ids[0]).toBe(
			idOf(host, `gecko came at ${word}`),
		);
	}
});

test("a disk that hangs while the index's rows are written leaves none out: they are there once it answers", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(RECALLS));
	const { index } = Log.prototype;
	// behind the first of several batches
	vi.spyOn(Log.prototype, "index").mockImplementationOnce(function (this: Log, rows) {
		disk.hold("write", 1);
		return index.call(this, rows);
	});
	const line = (_: unknown, n: number) => `part ${n % 9_000} of part${n % 9_000} lies in größe 漢字`;
	const long = Array.from({ length: SEGMENT_CHARS / 35 }, line).join("\n");
	await host.ask(long);
	await vi.waitUntil(() => disk.isStuck, { timeout: 30_000 });
	await host.ask("a mongoose came meanwhile");
	for (const word of ["mongoose", "rebuildPostingList"])
		expect(await callRecall(host, { query: word, kind: "user" })).toMatchObject({
			ids: [idOf(host, word)],
			details: { from: "scan" },
		});
	await answered(host);
	await host.ask("and now?");
	await expectFound(host);
	expect((await callRecall(host, { query: "mongoose" })).ids[0]).toBe(idOf(host, "a mongoose"));
	expect(await expectRows(sandbox, host)).toBeGreaterThan(64);
});

/** The host quits, and its index holds what the events give; how many rows. */
async function expectRows(sandbox: Sandbox, host: Host): Promise<number> {
	await host.quit();
	await disk.closed();
	expect(host.errors).toEqual([]);
	const { text, code } = await inside(
		sandbox.home,
		"verify",
		"--json",
		join(sandbox.home, "sessions", sandbox.stores()[0] ?? ""),
	);
	const { checked, damage } = JSON.parse(text);
	expect({ code, damage }).toEqual({ code: 0, damage: [] });
	return checked.rows;
}
