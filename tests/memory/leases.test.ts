import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { levelDirectory } from "../../src/store/open-store.ts";
import { folderMemory, remembering } from "./memories.ts";

const PROCESSES = 8;
const RECORDS = 25;

function newHome(): string {
	return join(mkdtempSync(join(tmpdir(), "palimpsest-memory-")), "home");
}

function start(script: URL, ...args: (string | number)[]): ChildProcess {
	return fork(fileURLToPath(script), args.map(String), { execArgv: [] });
}

test("processes that remember at once lose nothing, see everything of each other, and leave few files", async () => {
	const home = newHome();
	const children = Array.from({ length: PROCESSES }, (_, index) =>
		start(new URL("../../bench/memory-child.ts", import.meta.url), home, "/a", index, PROCESSES, RECORDS, 4),
	);
	await Promise.all(children.map((child) => once(child, "message")));
	const met = children.map((child) => once(child, "message"));
	for (const child of children) child.send("go");
	const all = PROCESSES * RECORDS;
	for (const [said] of await Promise.all(met))
		expect(said).toMatchObject({ failed: 0, records: all, verified: all, texts: all });
	await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
	const memory = folderMemory(home, "/a");
	await memory.refresh();
	expect(memory.memory.records.size).toBe(all);
	expect(readdirSync(levelDirectory(memory.directory)).length).toBeLessThan(64);
	await memory.close();
});

test("a process that is killed while it holds the lease keeps nobody out, and what it was told is written stands", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	const told: string[] = [];
	for (let life = 0; life < 4; life++) {
		const child = start(new URL("rememberer.ts", import.meta.url), home, "/a", life);
		child.on("message", (id) => told.push(String(id)));
		await once(child, "message");
		// by then it is in the middle of some lease or another
		await pause(10 + 17 * life);
		child.kill("SIGKILL");
		await once(child, "exit");
		await memory.write(() => ({ write: remembering(`mem_between_${life}`, "between") }));
	}
	await memory.refresh();
	expect(memory.trouble).toBeUndefined();
	for (const id of told) expect(memory.memory.records.get(id)).toMatchObject({ proof: "verified" });
	expect(told.length).toBeGreaterThanOrEqual(4);
	await memory.close();
});

test("leases leave no file for each, however many there were", async () => {
	const memory = folderMemory(newHome(), "/a");
	for (let index = 0; index < 45; index++)
		await memory.write(() => ({ write: remembering(`mem_${index}`, `fact ${index}`) }));
	await memory.close();
	// a table each, but for those that were merged
	expect(readdirSync(levelDirectory(memory.directory)).length).toBeLessThan(45);
});
