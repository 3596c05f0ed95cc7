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

	test("reads a query the same whether it is one argument of the shell or several", async () => {
		const { path } = writeRecording(home, { id: "rec-quoted" });
		const ids = async (...query: string[]) =>
			(await json("recall", ...query, "--session", path)).hits.map(({ entry }: { entry: string }) => entry);
		expect(await ids("until:2000-01-01 reads")).toEqual([]);
		const apart = await ids("kind:assistant", "reads");
		expect(apart.length).toBeGreaterThan(0);
		expect(await ids("kind:assistant reads")).toEqual(apart);
	});

	test("finds a path with spaces in the grammar's quotes, and without", async () => {
		const { path } = writeRecording(home, { id: "rec-spaces" });
		writeFileSync(path, readFileSync(path, "utf8").replaceAll("src/part-17.ts", "my docs/a.md"));
		for (const query of ['file:"my docs/a.md"', "file:my docs/a.md"]) {
			const { hits } = await json("recall", query, "--session", path);
			expect(hits[0].files).toEqual(["my docs/a.md"]);
		}
		expect((await json("recall", 'file:"my docs/b.md"', "--session", path)).hits).toEqual([]);
	});

	test("tells of filters that were not heeded, and ends with 1 where nothing was found", async () => {
		const { path } = writeRecording(home, { id: "rec-unheeded" });
		const told = await run("recall", "helper17", "since:yesterday", "limit:abc", "--session", path);
		expect(told).toMatchObject({ code: 0 });
		expect(told.stderr).toContain("palimpsest: since:yesterday is no time and was not heeded; times are");
		expect(told.stderr).toContain("palimpsest: limit:abc is no limit and was not heeded; ");
		expect((await json("recall", "helper17", "kind:nonsense", "--session", path)).unheeded).toHaveLength(1);
		const nothing = await run("recall", "zxqvyyy", "--session", path);
		expect(nothing).toMatchObject({
			code: 1,
			text: "",
			stderr: expect.stringContaining("nothing was found"),
		});
		expect((await run("recall", "helper17", "page:99", "--session", path)).stderr).toContain(
			"page 99 is behind the last of 2 entries found",
		);
	});

	test("lists the newest by filters alone, with a store and without, page by page", async () => {
		const { path } = writeRecording(home, { id: "rec-list" });
		const list = async (...more: string[]) =>
			(await json("recall", "list", "kind:user", ...more, "--session", path)).hits;
		const scanned = await list("limit:5");
		expect(scanned).toHaveLength(5);
		for (const { kinds } of scanned) expect(kinds).toEqual(["user"]);
		expect(await list("--limit", "2", "page:2")).toEqual(scanned.slice(2, 4));
		await run("replay", path, "--quiet");
		expect(await list("limit:5")).toEqual(scanned);
		expect((await json("recall", "list", "of", "helper17", "--session", path)).words).toContain("helper17");
	});

	test("is refused without anything to look for, and where two places are named", async () => {
		const { path } = writeRecording(home, { id: "rec-refused" });
		expect(await run("recall", "kind:user", "--session", path)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("`list` takes other filters alone"),
		});
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
