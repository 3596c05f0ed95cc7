import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Patience } from "../../src/adapters/pi/patience.ts";
import { Keys } from "../../src/engine/memory/keys.ts";
import { WorkspaceMemory } from "../../src/engine/memory/workspace-memory.ts";
import { disk } from "../pi/held-disk.ts";
import { remembering } from "./memories.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("../pi/held-disk.ts")).disk.around(await original()),
);

afterEach(() => disk.release());

function onHeldDisk(): WorkspaceMemory {
	const home = join(mkdtempSync(join(tmpdir(), "palimpsest-memory-")), "home");
	return WorkspaceMemory.open({
		home,
		cwd: "/a",
		keys: new Keys(`${home}-keyring.json`),
		isDoneWithin: (ms, work) => {
			const patience = new Patience(disk);
			return patience.lasts(patience.of(ms, () => work));
		},
	});
}

for (const held of ["open", "write"] as const) {
	test(`nothing waits without end for a disk that hangs at ${held}, and reads answer meanwhile`, async () => {
		const memory = onHeldDisk();
		await memory.write(() => ({ write: remembering("mem_1", "a") }));
		disk.hold(held);
		await expect(memory.write(() => ({ write: remembering("mem_2", "b") }))).rejects.toMatchObject({
			code: "MEMORY_SILENT",
		});
		expect([...memory.memory.records.keys()]).toEqual(["mem_1"]);
		await memory.refresh();
		await memory.flush();
		await disk.release();
		await memory.write(() => ({ write: remembering("mem_3", "c") }));
		// what was begun is done once the disk answers; what was not begun is not
		const late = held === "write" ? ["mem_2"] : [];
		expect([...memory.memory.records.keys()]).toEqual(["mem_1", ...late, "mem_3"]);
		await memory.close();
	});
}

test("closing does not wait without end for a disk that hangs, and counts what was not written", async () => {
	const memory = onHeldDisk();
	await memory.write(() => ({ write: remembering("mem_1", "a") }));
	disk.hold("open");
	const write = memory.write(() => ({ write: remembering("mem_2", "b") }), { when: "soon" });
	const outcome = write.catch((error) => error);
	expect(await memory.close()).toBe(1);
	expect(await outcome).toMatchObject({ code: "MEMORY_SILENT" });
});
