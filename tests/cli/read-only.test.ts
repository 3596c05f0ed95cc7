import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";
import { palimpsest } from "./run.ts";

/** Permissions bind everyone but root, so root runs the commands as nobody. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
/** A checkout below a folder of root's own is closed to nobody. */
const canRun =
	process.platform !== "win32" &&
	(uid === undefined || spawnSync(process.execPath, [CLI, "--version"], { uid }).status === 0);

let home: string;
let recording: Recording;
let store: string;
const run = (...args: string[]) => palimpsest(args, { home, ...(uid !== undefined && { uid }) });

/** Takes the right to write from everyone, or gives it to the owner again. */
function setWritable(path: string, writable: boolean): void {
	const level = join(path, "level");
	if (writable) for (const folder of [path, level]) chmodSync(folder, 0o755);
	for (const file of readdirSync(level)) chmodSync(join(level, file), writable ? 0o644 : 0o444);
	if (!writable) for (const folder of [level, path]) chmodSync(folder, 0o555);
}

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-read-only-"));
	chmodSync(home, 0o755);
	recording = writeRecording(home, { requests: 10 });
	store = join(home, "replays", recording.id);
	await inside(home, "replay", recording.path, ...TIGHT, "--quiet");
	// folders of stores are made closed to others, which is not what is tested here
	chmodSync(join(home, "replays"), 0o755);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.runIf(canRun)("a store that may not be written to", () => {
	beforeAll(() => setWritable(store, false));
	afterAll(() => setWritable(store, true));

	test("is read from a copy, and verified", async () => {
		const shown = await run("show", "e2", store);
		expect(shown.text).toBe(recording.lines.get("e2"));
		expect(shown.stderr).toContain("cannot be written to: read from a copy");
		const verified = await run("verify", store);
		expect(verified.text).toMatch(/^sound$/m);
		expect(verified.code).toBe(0);
	});

	test("is left alone by an undo", async () => {
		const { code, stderr } = await run("undo", "c1-e1", store, "--yes");
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^STORE_UNAVAILABLE: /) });
	});

	test("is left alone by a replay, which says what the system refused", async () => {
		const { code, stderr } = await run("replay", recording.path, ...TIGHT, "--store", store);
		expect({ code, stderr }).toEqual({
			code: 1,
			stderr: expect.stringMatching(/^STORE_UNAVAILABLE: .*Permission denied\n$/),
		});
		expect(existsSync(`${store}~replaced`)).toBe(false);
	});
});

test.runIf(canRun)("a folder that may not be looked into is not taken for an empty one", async () => {
	const closed = join(home, "closed");
	cpSync(store, join(closed, "store"), { recursive: true });
	chmodSync(closed, 0);
	for (const where of [closed, join(closed, "store")]) {
		const { code, stderr } = await run("log", where);
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^CLI_SYSTEM: EACCES/) });
	}
	chmodSync(closed, 0o755);
});

test.runIf(canRun)("a damaged store that may not be written to is called damaged", async () => {
	const damaged = join(home, "damaged");
	cpSync(store, damaged, { recursive: true });
	const table = readdirSync(join(damaged, "level")).find((file) => file.endsWith(".ldb"));
	truncateSync(join(damaged, "level", table as string), 100);
	setWritable(damaged, false);
	const { code, stderr } = await run("verify", damaged);
	setWritable(damaged, true);
	expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("STORE_DAMAGED: ") });
});
