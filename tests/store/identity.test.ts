import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { escapeName, homeDirectory, sessionDirectory, workspaceDirectory } from "../../src/store/identity.ts";

let home: string;
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), "palimpsest-identity-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const id = "0199c0de-77aa-7bbb-8ccc-dddddddddddd";

test("home is where the environment says, else in the agent's directory", () => {
	expect(homeDirectory({ PALIMPSEST_HOME: "/p", PI_CODING_AGENT_DIR: "/a" })).toBe("/p");
	expect(homeDirectory({ PI_CODING_AGENT_DIR: "/a" })).toBe(join("/a", "palimpsest"));
	expect(homeDirectory({ PI_CODING_AGENT_DIR: "~/a" })).toBe(join(homedir(), "a", "palimpsest"));
	expect(homeDirectory({})).toBe(join(homedir(), ".pi", "agent", "palimpsest"));
});

test("a session's store is named for its id, and stays there for the same root", async () => {
	const identity = { sessionId: id, rootId: "r1" };
	const never = () => Promise.reject(new Error("no store to ask"));
	const directory = await sessionDirectory(home, identity, never);
	expect(directory).toBe(join(home, "sessions", id));
	await mkdir(directory, { recursive: true });
	expect(await sessionDirectory(home, identity, async () => "r1")).toBe(directory);
	expect(await sessionDirectory(home, identity, async () => undefined)).toBe(directory);
});

test("another root under the same id has its own store, also once the first is gone", async () => {
	const plain = join(home, "sessions", id);
	await mkdir(plain, { recursive: true });
	const own = await sessionDirectory(home, { sessionId: id, rootId: "r2" }, async () => "r1");
	expect(own).toBe(join(home, "sessions", `${id}~r2`));
	await mkdir(own);
	await rm(plain, { recursive: true });
	expect(await sessionDirectory(home, { sessionId: id, rootId: "r2" }, async () => undefined)).toBe(own);
});

test("a workspace's folder tells nothing of its path", () => {
	const directory = workspaceDirectory(home, "/home/someone/secret");
	expect(directory).toMatch(/workspaces.[0-9a-f]{32}$/);
	expect(workspaceDirectory(home, "/home/someone/other")).not.toBe(directory);
});

test("different ids have different names that every file system takes, whatever their case", () => {
	const ids = fc.string({ unit: "binary", maxLength: 300 });
	fc.assert(
		fc.property(ids, ids, (a, b) => {
			expect(escapeName(a)).toMatch(/^[a-z0-9_%-][a-z0-9_.%-]*$/);
			expect(escapeName(a).length).toBeLessThanOrEqual(101);
			if (a.isWellFormed() && b.isWellFormed() && a !== b) expect(escapeName(a)).not.toBe(escapeName(b));
		}),
	);
	expect(
		new Set(["Ab", "ab", "aB", "..", ".", "", "a~b", "a/b", "con", "nul.txt", "a.", "%61b"].map(escapeName))
			.size,
	).toBe(12);
});
