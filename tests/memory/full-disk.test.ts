import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { disk } from "../pi/full-disk.ts";
import { folderMemory, remembering } from "./memories.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("../pi/full-disk.ts")).disk.around(await original()),
);

afterEach(() => {
	disk.isFull = false;
});

test("a write the disk did not take is told to whoever asked for it, is not known, and the next one is written", async () => {
	const home = join(mkdtempSync(join(tmpdir(), "palimpsest-memory-")), "home");
	const memory = folderMemory(home, "/a");
	await memory.write(() => ({ write: remembering("mem_1", "a") }));
	const known = memory.memory;
	disk.isFull = true;
	const outcomes = await Promise.allSettled([
		memory.write(() => ({ write: remembering("mem_2", "b") }), { when: "soon" }),
		memory.write(() => ({ write: remembering("mem_3", "c") }), { when: "soon" }),
	]);
	for (const outcome of outcomes)
		expect(outcome).toMatchObject({ status: "rejected", reason: { code: "STORE_UNAVAILABLE" } });
	expect(memory.memory).toEqual(known);
	expect(memory.trouble).toMatchObject({ code: "STORE_UNAVAILABLE" });
	disk.isFull = false;
	await memory.write(() => ({ write: remembering("mem_4", "d") }));
	expect([...memory.memory.records.keys()]).toEqual(["mem_1", "mem_4"]);
	expect(memory.trouble).toBeUndefined();
	await memory.close();
});

test("a batch that fails in the middle of a lease is told to all whose it was, and nothing of it stands", async () => {
	const home = join(mkdtempSync(join(tmpdir(), "palimpsest-memory-")), "home");
	const memory = folderMemory(home, "/a");
	await memory.write(() => ({ write: remembering("mem_1", "a") }));
	const outcomes = await Promise.allSettled([
		memory.write(() => ({ write: remembering("mem_2", "b") }), { when: "soon" }),
		memory.write(
			() => {
				// the lease is had, and the append is still to come
				disk.isFull = true;
				return { write: remembering("mem_3", "c") };
			},
			{ when: "soon" },
		),
		memory.write(() => ({}), { when: "soon" }),
	]);
	expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
	expect(outcomes[0]).toMatchObject({ reason: { code: "STORE_WRITE_FAILED" } });
	disk.isFull = false;
	await memory.write(() => ({ write: remembering("mem_4", "d") }));
	expect([...memory.memory.records.keys()]).toEqual(["mem_1", "mem_4"]);
	await memory.close();
});

test("what could not be written before it was closed is counted", async () => {
	const home = join(mkdtempSync(join(tmpdir(), "palimpsest-memory-")), "home");
	const memory = folderMemory(home, "/a");
	disk.isFull = true;
	const writes = ["mem_1", "mem_2"].map((id) =>
		memory.write(() => ({ write: remembering(id, id) }), { when: "soon" }),
	);
	const outcomes = Promise.allSettled(writes);
	expect(await memory.close()).toBe(2);
	expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
