import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderMemory, remembering } from "./memories.ts";

async function newHome(): Promise<string> {
	return join(await mkdtemp(join(tmpdir(), "palimpsest-memory-")), "home");
}

test("what a user has remembered is known at once, with its text, and to whoever opens the folder later", async () => {
	const home = await newHome();
	const memory = folderMemory(home, "/a");
	await memory.write(() => ({ write: remembering("mem_1", "use tabs") }));
	const record = memory.memory.records.get("mem_1");
	expect(record).toMatchObject({ status: "active", author: "user", proof: "verified" });
	expect(memory.text(record?.body ?? "")).toBe("use tabs");
	await memory.close();

	const again = folderMemory(home, "/a");
	await again.refresh();
	expect(again.memory.records.get("mem_1")).toEqual(record);
	expect(again.text(record?.body ?? "")).toBe("use tabs");
	expect(again.trouble).toBeUndefined();
	await again.close();
});

test("two that share a folder see each other's records, and decide on the newest state", async () => {
	const home = await newHome();
	const [one, other] = [folderMemory(home, "/a"), folderMemory(home, "/a")];
	const seen: number[] = [];
	await Promise.all(
		Array.from({ length: 20 }, (_, index) =>
			(index % 2 ? one : other).write((memory) => {
				seen.push(memory.records.size);
				return { write: remembering(`mem_${index}`, `fact ${index}`, "model") };
			}),
		),
	);
	await Promise.all([one.refresh(), other.refresh()]);
	expect(one.memory.records.size).toBe(20);
	expect(other.memory).toEqual(one.memory);
	expect(Math.max(...seen)).toBe(19);
	await Promise.all([one.close(), other.close()]);
});
