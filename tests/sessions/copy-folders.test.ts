import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newCopyFolder, removeLeft } from "../../src/adapters/sessions/copy-folders.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-left-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("of copies that were left behind those of processes that are gone are removed, and nothing else", async () => {
	const mine = await newCopyFolder();
	rmSync(mine, { recursive: true });
	const named = (pid: number) => basename(mine).replace(`-${process.pid}-`, `-${pid}-`);
	const { pid: gone } = spawnSync(process.execPath, ["--version"]);
	const other = join(home, "another folder");
	const kept = [
		basename(mine),
		named(process.ppid),
		named(gone).replace("palimpsest-copy-", "palimpsest-copy-of-another-machine-"),
		named(gone).replace(`-${gone}-`, "-"),
		"another folder",
	];
	for (const name of [...kept, named(gone)]) {
		mkdirSync(join(home, name));
		writeFileSync(join(home, name, "a file"), "");
	}
	symlinkSync(other, join(home, `${named(gone)}2`));
	symlinkSync(other, join(home, named(gone), "way out"));
	await removeLeft(home);
	expect(existsSync(join(home, named(gone)))).toBe(false);
	for (const name of [...kept, `${named(gone)}2`])
		expect([name, existsSync(join(home, name, "a file"))]).toEqual([name, true]);
});
