import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeRecording } from "./recording.ts";
import { palimpsest } from "./run.ts";

const CWD = "/home/dev/project";
let home: string;
let sessions: string;
const run = (...args: string[]) => palimpsest(args, { home, env: { PI_CODING_AGENT_SESSION_DIR: sessions } });
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).text);

beforeAll(() => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-recall-"));
	sessions = join(home, "sessions-of-pi");
	mkdirSync(join(sessions, "one"), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("recall", () => {
	test("reads a session through that has no store, and says so; its replay is asked by its index", async () => {
		const { path, id } = writeRecording(home, { id: "rec-recall" });
		const scanned = await json("recall", "helper17", "--session", path);
		expect(scanned.sessions).toMatchObject([{ session: id, from: "scan", file: path }]);
		expect(scanned.hits).toHaveLength(2);
		for (const hit of scanned.hits) expect(hit).toMatchObject({ tools: ["read"], files: ["src/part-17.ts"] });
		expect((await run("recall", "helper17", "--session", path)).stderr).toContain("read through");

		await run("replay", path, "--quiet");
		const indexed = await json("recall", "helper17", "--session", path);
		expect(indexed.sessions).toMatchObject([{ session: id, from: "index" }]);
		expect(indexed.hits).toEqual(scanned.hits);
	});

	test("shows tabs as blanks and what moves a cursor as an escape", async () => {
		const { path } = writeRecording(home, { id: "rec-tabs" });
		writeFileSync(
			path,
			readFileSync(path, "utf8").replaceAll("reads `helper17`", "reads\\t\\u001b[2J`helper17`"),
		);
		const { text } = await run("recall", "helper17", "--session", path);
		expect(text).toContain("reads    \\u001b[2J`helper17`");
	});

	test("shows entries with their ids, times and what stands around, and how many more there are", async () => {
		const { path } = writeRecording(home, { id: "rec-shown" });
		const { text, stderr, code } = await run("recall", "reads", "--session", path, "--limit", "2");
		expect(code).toBe(0);
		expect(text).toMatch(/^e\d+ {2}2026-01-05T\S+Z {2}assistant\+tool_call {2}read\n {4}Part \d+ reads/);
		expect(stderr).toMatch(/2 of \d+ entries found/);
	});

	test("keeps to the branch a session ended on unless every branch is asked for", async () => {
		const { path } = writeRecording(home, { id: "rec-branches" });
		const onBranch = await json("recall", "file:src/part-", "--session", path, "--limit", "500");
		const all = await json("recall", "file:src/part-", "--session", path, "--limit", "500", "--branches");
		expect(all.hits.length).toBeGreaterThan(onBranch.hits.length);
	});

	test("takes what a shell leaves of a quoted value for one value", async () => {
		const { path } = writeRecording(home, { id: "rec-quoted" });
		const { hits } = await json("recall", "file:no such path", "--session", path);
		expect(hits).toEqual([]);
	});

	test("is refused without anything to look for, and where two places are named", async () => {
		const { path } = writeRecording(home, { id: "rec-refused" });
		expect(await run("recall", "kind:user", "--session", path)).toMatchObject({ code: 2 });
		expect(await run("recall", "x", "--all", "--session", path)).toMatchObject({ code: 2 });
		expect(await run("recall", "x")).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_NO_STORE"),
		});
	});
});

describe("recall in a folder", () => {
	test("asks the session written to last there, or all of them", async () => {
		const work = join(home, "work");
		mkdirSync(work);
		for (const id of ["older", "newer"]) {
			const { path } = writeRecording(home, { id, cwd: work });
			cpSync(path, join(sessions, "one", `${id}.jsonl`));
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		writeRecording(join(sessions, "one"), { id: "elsewhere", cwd: CWD });
		const ask = async (...args: string[]) => {
			const surroundings = { home, cwd: work, env: { PI_CODING_AGENT_SESSION_DIR: sessions } };
			return JSON.parse((await palimpsest(["recall", "helper7", ...args, "--json"], surroundings)).text);
		};
		expect((await ask()).sessions.map(({ session }: { session: string }) => session)).toEqual(["newer"]);
		const all = await ask("--all");
		expect(all.sessions.map(({ session }: { session: string }) => session)).toEqual(["newer", "older"]);
		expect(new Set(all.hits.map(({ session }: { session: string }) => session))).toEqual(
			new Set(["newer", "older"]),
		);
	});

	test("opens one store after the other, so that copies of a session do not stand in each other's way", async () => {
		const work = join(home, "copied");
		mkdirSync(work);
		const { path } = writeRecording(home, { id: "copied", cwd: work });
		await run("replay", path, "--quiet");
		for (const name of ["a", "b", "c"]) cpSync(path, join(sessions, "one", `copied-${name}.jsonl`));
		const surroundings = { home, cwd: work, env: { PI_CODING_AGENT_SESSION_DIR: sessions } };
		const { text, stderr } = await palimpsest(["recall", "helper7", "--all", "--json"], surroundings);
		expect(JSON.parse(text).sessions).toMatchObject(Array(3).fill({ session: "copied", from: "index" }));
		expect(stderr).toBe("");
	});
});

describe("recall eval", () => {
	const shipped = fileURLToPath(new URL("../sessions/recorded.jsonl", import.meta.url));

	test("finds what was planted, and what later replies used, among the first five", async () => {
		const found = await json("recall", "eval", shipped);
		expect(found.planted.r5).toBeGreaterThanOrEqual(0.95);
		expect(found.natural.r5).toBeGreaterThanOrEqual(0.91);
		expect(found.planted.plain).toBeLessThan(0.5);
		expect(found.natural.plain).toBeLessThan(found.natural.r5);
		expect(found.queries).toBe(found.planted.queries + found.natural.queries);
		expect(found.natural.queries).toBeGreaterThan(50);
	});
});
