import { afterEach, expect, test, vi } from "vitest";
import { disk } from "./held-disk.ts";
import { answered, folded, ON_HELD_DISK } from "./on-held-disk.ts";
import { idOf, typeRecall } from "./recall-calls.ts";
import { Sandbox } from "./sandbox.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("./held-disk.ts")).disk.around(await original()),
);

afterEach(() => disk.release());

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
