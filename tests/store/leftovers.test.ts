import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

let parent: string;
beforeEach(() => {
	parent = mkdtempSync(join(tmpdir(), "palimpsest-leftovers-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

test.each([
	{ by: "SIGINT", code: 130 },
	{ by: "SIGTERM", code: 143 },
	{ by: "itself", code: 3 },
] as const)("what goes with a process is gone when that ends by $by", async ({ by, code }) => {
	const folders = ["kept", "a", "b"].map((name) => join(parent, name));
	for (const folder of folders) {
		mkdirSync(folder);
		writeFileSync(join(folder, "file"), "text");
	}
	const child = fork(fileURLToPath(new URL("./leaving.ts", import.meta.url)), folders, { stdio: "ignore" });
	await once(child, "message");
	if (by === "itself") child.send("end");
	else child.kill(by);
	expect((await once(child, "exit"))[0]).toBe(code);
	expect(readdirSync(parent)).toEqual(["kept"]);
});
