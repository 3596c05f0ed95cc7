import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EndedInside, inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";
import { palimpsest } from "./run.ts";

let home: string;
let recording: Recording;
let first: EndedInside;
const run = (...args: string[]) => inside(home, ...args);
const replayed = ({ text }: { readonly text: string }) => JSON.parse(text);

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
	recording = writeRecording(home, { brokenAt: 30 });
	first = await run("replay", recording.path, ...TIGHT, "--json");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("a replay says in JSON what it found, and ends with 0 where every window and fold is sound", () => {
	expect(first).toMatchObject({ code: 0, stderr: "" });
	expect(replayed(first)).toMatchObject({
		session: recording.id,
		format: "pi-v3",
		requests: 60,
		entries: recording.lines.size,
		quarantined: 1,
		quarantinedLines: [{ line: 31, reason: "truncated" }],
		model: "anthropic/claude-sonnet-4-5",
		policy: "economic",
		pricesAssumed: false,
		floorTokens: 6000,
		budgetTokens: 40_000,
		head: expect.stringMatching(/^[0-9a-f]{64}$/),
		windows: { checked: 60, invalid: 0 },
	});
});

test("every fold and every clipped result is read back from the store as the file has it", () => {
	const { restored, commits } = replayed(first);
	expect(commits).toBeGreaterThan(1);
	expect(restored.folds).toBeGreaterThan(3);
	expect(restored.exact).toBe(restored.folds);
	expect(restored.clipped).toBeGreaterThan(0);
	expect(restored.clippedExact).toBe(restored.clipped);
});

test("the store is at home under the session's id, and the session file is left as it was", async () => {
	expect(replayed(first).store).toBe(join(home, "replays", recording.id));
	expect(existsSync(join(home, "replays", recording.id, "level", "CURRENT"))).toBe(true);
	const before = readFileSync(recording.path);
	await run("replay", recording.path, ...TIGHT, "--quiet");
	expect(readFileSync(recording.path).equals(before)).toBe(true);
});

test("the head is the same in another folder, time zone and locale, under another name of the file", async () => {
	const elsewhere = mkdtempSync(join(tmpdir(), "palimpsest-elsewhere-"));
	try {
		const path = join(elsewhere, "copy.jsonl");
		writeFileSync(path, readFileSync(recording.path));
		const again = await palimpsest(["replay", "copy.jsonl", ...TIGHT, "--json", "--store", "here"], {
			home: elsewhere,
			cwd: elsewhere,
			env: { TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
		});
		expect(replayed(again).head).toBe(replayed(first).head);
		expect(existsSync(join(elsewhere, "here", "level"))).toBe(true);
	} finally {
		rmSync(elsewhere, { recursive: true, force: true });
	}
});

test("other rules make another log: the old store is set aside, beside those before it, and the user is told", async () => {
	const before = await run(
		"replay",
		recording.path,
		"--policy",
		"off",
		"--json",
		"--store",
		join(home, "two"),
	);
	const after = await run("replay", recording.path, ...TIGHT, "--json", "--store", join(home, "two"));
	expect(replayed(before)).toMatchObject({ policy: "off", commits: 0, restored: { folds: 0, exact: 0 } });
	expect(replayed(after).head).toBe(replayed(first).head);
	expect(after.stderr).toContain(`moved to ${join(home, "two~replaced")}`);
	expect(existsSync(join(home, "two~replaced", "level"))).toBe(true);
	const third = await run(
		"replay",
		recording.path,
		"--policy",
		"off",
		"--json",
		"--store",
		join(home, "two"),
	);
	expect(third.stderr).toContain(`moved to ${join(home, "two~replaced-2")}`);
	expect(existsSync(join(home, "two~replaced", "level"))).toBe(true);
});

test("a session that grew is carried on where its replay ended", async () => {
	const grown = writeRecording(home, { id: "grown", requests: 30 });
	const whole = readFileSync(grown.path, "utf8");
	const lines = whole.trimEnd().split("\n");
	writeFileSync(grown.path, `${lines.slice(0, 40).join("\n")}\n`);
	const part = await run("replay", grown.path, ...TIGHT, "--json");
	writeFileSync(grown.path, whole);
	const rest = await run("replay", grown.path, ...TIGHT, "--json");
	const anew = await run("replay", grown.path, ...TIGHT, "--json", "--store", join(home, "anew"));
	expect(replayed(part).events).toBeLessThan(replayed(rest).events);
	expect(rest.stderr).toBe("");
	expect(replayed(rest).head).toBe(replayed(anew).head);
});

test("a model that has no price is folded calmly unless the user names a policy", async () => {
	const path = writeRecording(home, { id: "free", requests: 3 }).path;
	const calm = await run("replay", path, "--json", "--model", FREE_MODEL);
	const band = ["--policy", "band", "--store", join(home, "free")];
	const named = await run("replay", path, "--json", "--model", FREE_MODEL, ...band);
	expect(replayed(calm)).toMatchObject({ policy: "calm", unit: "token", model: FREE_MODEL });
	expect(replayed(named)).toMatchObject({ policy: "band", unit: "token" });
});

/** A model of the catalogue whose input costs nothing. */
const FREE_MODEL = "zai/glm-5.2-highspeed";

test("a comparison prices every policy, twice, and says what was kept", async () => {
	const compared = await run("replay", recording.path, ...TIGHT, "--compare", "--json");
	const { policies, pessimistic, calibration, retention, frontier } = replayed(compared);
	const row = {
		usd: expect.any(Number),
		warmUsd: expect.any(Number),
		freshTokens: expect.any(Number),
		cachedTokens: expect.any(Number),
		outputTokens: expect.any(Number),
		commits: expect.any(Number),
		peakTokens: expect.any(Number),
		meanTokens: expect.any(Number),
		hiddenNeeds: expect.any(Number),
		unmetNeeds: expect.any(Number),
	};
	const names = ["none", "host", "pi-fold", "band", "calm", "economic", "optimum"];
	expect(Object.keys(policies)).toEqual(names);
	expect(Object.keys(pessimistic)).toEqual(names);
	for (const name of names) expect(policies[name]).toMatchObject(row);
	expect(calibration).toHaveProperty("medianError");
	expect(retention).toMatchObject({ kept: expect.any(Number), truncation: { chars: expect.any(Number) } });
	expect(frontier.length).toBeGreaterThan(0);
});

test("what a person reads stays within 100 columns, without colour", async () => {
	const shown = await run("replay", recording.path, ...TIGHT, "--compare", "--store", join(home, "s"));
	const lines = shown.text.trimEnd().split("\n");
	const long = lines.filter((line) => line.length > 100 && !line.startsWith("store"));
	expect(long).toEqual([]);
	expect(shown.text).not.toContain("\u001b");
	expect(shown.text).toMatch(/^economic +\$/m);
	expect(shown.text).toMatch(/^windows +60 checked, 0 invalid$/m);
	expect(shown.text).toMatch(/^broken +1 line gave no entry: 31 \(truncated\)$/m);
	expect(shown.stderr).toBe("");
});

test("on a narrow terminal the table spares columns and text is broken to fit", async () => {
	const { isTTY, columns } = process.stdout;
	Object.assign(process.stdout, { isTTY: true, columns: 60 });
	try {
		const shown = await run("replay", recording.path, ...TIGHT, "--compare");
		const lines = shown.text.trimEnd().split("\n");
		expect(lines.filter((line) => line.length > 60 && !/^(store|head) /.test(line))).toEqual([]);
		expect(shown.text).toMatch(/^policy +cost +×host .*hidden +unmet$/m);
	} finally {
		Object.assign(process.stdout, { isTTY, columns });
	}
});

test("windows that hold more than the budget allows are counted", async () => {
	const over = ["--policy", "off", "--budget", "10000", "--store", join(home, "over")];
	const { windows } = replayed(await run("replay", recording.path, ...over, "--json"));
	expect(windows.overBudget).toBeGreaterThan(0);
	expect((await run("replay", recording.path, ...over)).text).toContain(
		`budget    ${windows.overBudget} windows hold more tokens than the budget allows`,
	);
	expect(replayed(first).windows.overBudget).toBe(0);
});

test("control characters of a file are spelt out, and a line that gave an entry is not said to have given none", async () => {
	const lines = readFileSync(recording.path, "utf8").trimEnd().split("\n");
	const path = join(home, "odd.jsonl");
	lines[0] = JSON.stringify({ ...JSON.parse(lines[0] as string), id: "odd\u001b[31m" });
	lines[5] = `{"half":${lines[5]}`;
	writeFileSync(path, `${lines.join("\n")}\n`);
	const { text } = await run("replay", path, ...TIGHT);
	expect(text).toContain("odd\\u001b[31m (pi-v3)");
	expect(text).not.toContain("\u001b");
	expect(text).toMatch(/^broken +1 line gave no entry: 31 \(truncated\)$/m);
	expect(text).toMatch(/^salvaged +whole entries were found on broken lines 6 \(\w+\)$/m);
});

test("--quiet says nothing", async () => {
	const quiet = await run("replay", recording.path, ...TIGHT, "--quiet");
	expect(quiet).toMatchObject({ code: 0, text: "", stderr: "" });
});

describe("a replay that is refused", () => {
	const cases: { name: string; args: () => string[]; code: string; exit: number }[] = [
		{ name: "no such file", args: () => ["none.jsonl"], code: "SESSION_NOT_FOUND", exit: 2 },
		{ name: "a folder", args: () => [home], code: "SESSION_NOT_A_FILE", exit: 2 },
		{ name: "no session", args: () => [plainFile()], code: "SESSION_NOT_A_SESSION", exit: 1 },
		{ name: "no file at all", args: () => [], code: "CLI_USAGE", exit: 2 },
		{
			name: "an unknown policy",
			args: () => [recording.path, "--policy", "best"],
			code: "CLI_USAGE",
			exit: 2,
		},
		{ name: "an unknown option", args: () => [recording.path, "--fast"], code: "CLI_USAGE", exit: 2 },
		{
			name: "a share above 1",
			args: () => [recording.path, "--max-target", "1.2"],
			code: "CLI_USAGE",
			exit: 2,
		},
		{
			name: "a floor that is no number",
			args: () => [recording.path, "--floor", "1e3"],
			code: "CLI_USAGE",
			exit: 2,
		},
		{
			name: "targets the wrong way round",
			args: () => [recording.path, "--min-target", "0.9"],
			code: "CLI_USAGE",
			exit: 2,
		},
		{
			name: "a floor above the budget of the session's model",
			args: () => [recording.path, "--floor", "999_999_999"],
			code: "CLI_USAGE",
			exit: 2,
		},
		{
			name: "a model of several providers",
			args: () => [recording.path, "--model", "gpt-5"],
			code: "CLI_USAGE",
			exit: 2,
		},
		{
			name: "an unknown model",
			args: () => [recording.path, "--model", "a/b"],
			code: "CLI_NO_SUCH_MODEL",
			exit: 2,
		},
		{
			name: "a folder that is no store",
			args: () => [recording.path, "--store", home],
			code: "REPLAY_STORE_TAKEN",
			exit: 2,
		},
		{
			name: "a file in the store's place",
			args: () => [recording.path, "--store", plainFile()],
			code: "REPLAY_STORE_TAKEN",
			exit: 2,
		},
		{ name: "an empty name", args: () => [""], code: "CLI_USAGE", exit: 2 },
		{
			name: "an empty name of a store",
			args: () => [recording.path, "--store", ""],
			code: "CLI_USAGE",
			exit: 2,
		},
		{
			name: "the place of live sessions",
			args: () => [recording.path, "--store", join(home, "sessions", "x")],
			code: "REPLAY_STORE_TAKEN",
			exit: 2,
		},
		{
			name: "a place the system refuses",
			args: () => [recording.path, "--store", join(recording.path, "below-a-file")],
			code: "STORE_UNAVAILABLE",
			exit: 1,
		},
		{
			name: "the store of another session",
			args: () => [
				writeRecording(home, { id: "other", requests: 1 }).path,
				"--store",
				join(home, "replays", recording.id),
			],
			code: "REPLAY_STORE_TAKEN",
			exit: 2,
		},
	];
	const plainFile = () => {
		const path = join(home, "plain.txt");
		writeFileSync(path, "no session\n");
		return path;
	};

	test("names a code, ends with 2 for a misuse and 1 otherwise, and says so in JSON too", async () => {
		const outcomes: object[] = [];
		for (const { name, args } of cases) {
			const { code, text, stderr } = await run("replay", ...args(), "--json");
			const { error } = JSON.parse(text);
			expect(stderr).toBe(`${error.code}: ${error.message}\n`);
			outcomes.push({ name, code: error.code, exit: code });
		}
		expect(outcomes).toEqual(cases.map(({ name, code, exit }) => ({ name, code, exit })));
	});
});
