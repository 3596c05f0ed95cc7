import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";
import { palimpsest } from "./run.ts";

let home: string;
let recording: Recording;
let head: string;
let store: string;
const run = (...args: string[]) => inside(home, ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).text);
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
	recording = writeRecording(home);
	const replayed = await json("replay", recording.path, ...TIGHT);
	({ head, store } = replayed);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("log", () => {
	test("lists every event of the stream on a line of its own, oldest first", async () => {
		const { text } = await run("log", recording.path);
		const lines = text.trimEnd().split("\n");
		const { events } = await json("stats", store);
		expect(lines).toHaveLength(events);
		expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(lines.map((_, index) => index));
		expect(lines[0]).toMatch(
			/^ +0 {2}2026-01-05T00:00:15\.000Z {2}host +session\/opened +rec-1, pi-v3, root e1/,
		);
	});

	test("takes a store's folder, a session file and a session id for the same store", async () => {
		const [byFolder, byFile, byId] = [
			await run("log", store, "--limit", "3"),
			await run("log", recording.path, "--limit", "3"),
			await run("log", "--store", recording.id, "--limit", "3"),
		];
		expect(byFile.text).toBe(byFolder.text);
		expect(byId.text).toBe(byFolder.text);
	});

	test("says of each commit what was waited for and what it cost", async () => {
		const { text } = await run("log", store, "--type", "commit/applied");
		for (const line of text.trimEnd().split("\n")) {
			expect(line).toMatch(
				/c\d+-\S+: (economic|cold|budget) \(economic\), folds through cut \d+.*frees [\d,]+, rewrites [\d,]+ for \$.*waiting has cost \$\S+ over [\d,]+ requests/,
			);
		}
	});

	test("narrows by type and noun, position, time and entry, newest first where asked", async () => {
		const all = (await json("log", store)).log as { position: number; type: string; at: number }[];
		const folds = all.filter(({ type }) => type.startsWith("fold/"));
		const positions = async (...args: string[]) =>
			(await json("log", store, ...args)).log.map(({ position }: { position: number }) => position);
		expect(await positions("--type", "fold")).toEqual(folds.map(({ position }) => position));
		expect(await positions("--from", "3", "--to", "5")).toEqual([3, 4, 5]);
		expect(await positions("--reverse", "--limit", "2")).toEqual([all.length - 1, all.length - 2]);
		const since = "2026-01-05T00:20";
		const late = all.filter(({ at }) => at >= Date.parse(`${since}Z`)).map(({ position }) => position);
		expect(await positions("--since", since)).toEqual(late);
		const named = (await json("log", store, "--entry", "e5")).log as { type: string }[];
		expect(named.map(({ type }) => type)).toContain("entry/recorded");
		expect(JSON.stringify(named[0])).toContain('"e5"');
	});

	test.each([
		[["--type", "bogus"], /There are session, .*commit, .*store\./],
		[["--type", "fold/bogus"], /There are fold\/made, fold\/grouped, fold\/clipped/],
		[["--from", "5", "--to", "3"], /--from 5 is behind --to 3/],
		[["--since", "2026-02-01", "--until", "2026-01-01"], /--since is later/],
		[["--limit", "99999999999999999999"], /a whole number from 1 to 9007199254740991/],
		[["--limit", "-1"], /a whole number from 1 on/],
		[["--from", "1.5"], /a whole number from 0 on/],
	])("refuses what no event can answer to: %j", async (args, why) => {
		const { code, stderr } = await run("log", store, ...args);
		expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(why) });
	});

	test("says that nothing names an entry, and knows digests by the digits it prints", async () => {
		expect(await run("log", store, "--entry", "nope")).toMatchObject({
			code: 0,
			text: "",
			stderr: "palimpsest: no event asked for names nope\n",
		});
		const [{ data }] = (await json("log", store, "--type", "entry/recorded", "--limit", "1")).log;
		const short = await json("log", store, "--entry", data.digest.slice(0, 12));
		expect(short.log[0].data.digest).toBe(data.digest);
	});

	test("gives events raw, a line of JSON each", async () => {
		const { text } = await run("log", store, "--raw", "--limit", "2");
		expect(
			text
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line).position),
		).toEqual([0, 1]);
	});
});

describe("show", () => {
	test("writes the exact bytes of an entry and nothing else", async () => {
		const { stdout, code, stderr } = await run("show", "e2", store);
		expect({ code, stderr, text: stdout.toString() }).toEqual({
			code: 0,
			stderr: "",
			text: recording.lines.get("e2"),
		});
	});

	test("writes the entries of a fold, each on a line, and the text that stands for it", async () => {
		const [written] = (await json("log", store, "--type", "brief/written")).log;
		const { fold, text } = written.data;
		const [mark] = (await json("log", store, "--type", "mark/set", "--entry", fold)).log;
		const ids = [...recording.lines.keys()];
		const span = ids.slice(ids.indexOf(mark.data.from), ids.indexOf(mark.data.to) + 1);
		const shown = await run("show", fold, store);
		expect(shown.text).toBe(span.map((id) => `${recording.lines.get(id)}\n`).join(""));
		expect(sha256((await run("show", fold, store, "--text")).stdout)).toBe(text);
	});

	test("knows content by the first twelve digits of its digest, where one begins so", async () => {
		const line = recording.lines.get("e2") as string;
		expect((await run("show", sha256(line).slice(0, 12), store)).text).toBe(line);
		expect((await run("show", "0123456789ab", store)).stderr).toMatch(/^CLI_NO_SUCH_ID: /);
	});

	test("names what is near an id it does not know", async () => {
		const { code, text, stderr } = await run("show", "e999", store);
		expect({ code, text }).toEqual({ code: 1, text: "" });
		expect(stderr).toMatch(/^CLI_NO_SUCH_ID: .*e999; near it are e9/);
	});
});

describe("window", () => {
	test("is the one that was recorded, item for item, at every request", async () => {
		const prepared = (await json("log", store, "--type", "request/prepared")).log;
		for (const at of [1, 2, 31, 45, 60]) {
			const { data, position } = prepared[at - 1];
			const window = await json("window", store, "--at", String(at));
			expect(window).toMatchObject({ request: at, position, digest: data.window, tokens: data.tokens });
			expect(window.items).toHaveLength(data.items);
			let chained = sha256("palimpsest window 1");
			const letter: Record<string, string> = {
				clipped: "c",
				edited: "r",
				fold: "f",
				shown: "s",
				answer: "a",
			};
			for (const { kind, form, id, digest } of window.items) {
				const mark = kind === "entry" ? (form === "whole" ? "e" : "u") : letter[kind];
				chained = sha256(`${chained} ${mark} ${id}${digest === undefined ? "" : ` ${digest}`}`);
			}
			expect(chained).toBe(data.window);
		}
	});

	test("prints messages: recorded ones byte for byte, adjacent texts of ours as one, an answer for every call", async () => {
		const { text } = await run("window", store, "--at", "60");
		const lines = text.trimEnd().split("\n");
		const messages = lines.map((line) => JSON.parse(line));
		const { items } = await json("window", store, "--at", "60");
		const kinds = items.map(({ kind }: { kind: string }) => kind);
		const texts = kinds.filter((kind: string) => kind === "fold" || kind === "shown").length;
		expect(texts).toBeGreaterThan(2);
		const together = messages.find(({ content }) => content[0]?.text?.includes("Written by the runtime"));
		expect(together).toMatchObject({ role: "user" });
		expect(together.content).toHaveLength(texts);
		const last = items.at(-1);
		expect(recording.lines.get(last.id)).toContain(`"message":${lines.at(-1)}}`);
		const calls = messages.flatMap(({ role, content }) =>
			role === "assistant" ? content.filter((b: { type: string }) => b.type === "toolCall") : [],
		);
		const answers = messages.filter(({ role }) => role === "toolResult");
		expect(answers.map(({ toolCallId }) => toolCallId)).toEqual(calls.map(({ id }) => id));
	});

	test("answers a call whose result never came in plain words", async () => {
		const { text } = await run("window", store, "--at", "31");
		const answer = text.split("\n").find((line) => line.includes("No result was recorded"));
		expect(JSON.parse(answer ?? "")).toMatchObject({
			role: "toolResult",
			toolCallId: "call-30",
			toolName: "read",
			content: [{ type: "text", text: "No result was recorded for this call." }],
		});
	});

	test("of a request that was never made is refused with how many there were", async () => {
		const { code, stderr } = await run("window", store, "--at", "61");
		expect({ code, stderr }).toEqual({
			code: 1,
			stderr: "CLI_NO_SUCH_REQUEST: no request 61: requests 1 to 60 were made\n",
		});
	});
});

describe("stats and verify", () => {
	test("stats counts events by type and measures parts and disk", async () => {
		const stats = await json("stats", store);
		expect(stats).toMatchObject({ head, requests: 60, byType: { "request/prepared": 60 } });
		expect(stats.entries).toBe(recording.lines.size + stats.commits);
		const { sizes } = stats;
		expect(sizes.events.records).toBe(stats.events);
		expect(sizes.raw).toBe(sizes.events.bytes + sizes.blobs.bytes + sizes.heads.bytes);
		const files = readdirSync(join(store, "level")).map((file) => statSync(join(store, "level", file)).size);
		expect(sizes.database).toBeGreaterThan(0);
		expect(Math.abs(sizes.database - files.reduce((sum, size) => sum + size, 0))).toBeLessThan(20_000);
	});

	test("a sound store verifies, blobs included", async () => {
		const verified = await json("verify", store);
		expect(verified).toMatchObject({ sound: true, damage: [] });
		expect(verified.streams).toEqual([
			{ stream: `session/${recording.id}`, version: expect.any(Number), hash: head },
		]);
		expect(verified.checked.blobs).toBeGreaterThan(recording.lines.size);
	});
});

describe("where there is no store", () => {
	test("the user is told what was looked for, with a misuse's exit code", async () => {
		const fresh = writeRecording(home, { id: "fresh", requests: 1 });
		for (const where of [fresh.path, "no-such-id", home]) {
			const { code, stderr } = await run("log", where);
			expect(code).toBe(2);
			expect(stderr).toMatch(/^CLI_NO_STORE: /);
		}
		expect((await run("log", fresh.path)).stderr).toContain(`palimpsest replay ${fresh.path}`);
	});

	test("an id with a live store too is read from its replay, and the user is told where the other is", async () => {
		const live = join(home, "sessions", recording.id);
		cpSync(store, live, { recursive: true });
		const { stderr } = await run("log", recording.id, "--limit", "1");
		rmSync(live, { recursive: true });
		expect(stderr).toBe(
			`palimpsest: reading the replay of ${recording.id}, ${store}; its live store is ${live}\n`,
		);
	});

	test("a command that names none reads the replay made last, and says which", async () => {
		await run("replay", recording.path, ...TIGHT, "--quiet");
		const { text, stderr } = await run("log", "--limit", "1");
		expect(text).toContain("session/opened");
		expect(stderr).toBe(`palimpsest: reading ${store}\n`);
	});
});

test("two files that share an id and not their first entry have a replay each", async () => {
	const text = readFileSync(recording.path, "utf8");
	const path = join(home, "renamed.jsonl");
	writeFileSync(path, text.replaceAll('"e1"', '"another"'));
	const twin = await json("replay", path, ...TIGHT);
	expect(twin.store).toBe(`${store}~another`);
	expect((await json("replay", recording.path, ...TIGHT)).store).toBe(store);
	for (const [file, root] of [
		[recording.path, "e1"],
		[path, "another"],
	] as const) {
		const { log } = await json("log", file, "--limit", "1");
		expect(log[0].data.root).toBe(root);
	}
	await json("replay", path, ...TIGHT);
	expect((await run("log", "--limit", "1")).stderr).toBe(`palimpsest: reading ${twin.store}\n`);
	expect(readdirSync(join(home, "replays")).filter((name) => name.endsWith("~replaced"))).toEqual([]);
});

test("a store that is open elsewhere is read from a copy", async () => {
	await using writer = await openStore({ directory: store, registry: REGISTRY });
	const shown = await run("show", "e2", store);
	expect(writer.readOnly).toBe(false);
	expect(shown.text).toBe(recording.lines.get("e2"));
	expect(shown.stderr).toContain("is open elsewhere: read from a copy");
});

test("every command explains itself, and an unknown one is a misuse", async () => {
	for (const command of ["replay", "log", "show", "window", "verify", "repair", "stats"]) {
		const { code, text } = await run(command, "--help");
		expect(code).toBe(0);
		expect(text).toContain(`Usage: palimpsest ${command}`);
		expect(text).toContain("--json");
	}
	expect(await run("rewind")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^CLI_USAGE: /) });
	expect(await run()).toMatchObject({ code: 2, text: "" });
	expect((await run("--version")).text).toBe(
		`${JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version}\n`,
	);
});

test("a reader that closes the pipe early ends the command quietly", () => {
	const script = `"${process.execPath}" src/cli.ts log "${store}" --raw | head -c 100`;
	const env = { ...process.env, PALIMPSEST_HOME: home };
	const { stderr, stdout } = spawnSync("sh", ["-c", script], { env, encoding: "utf8" });
	expect(stdout).toHaveLength(100);
	expect(stderr).toBe("");
});

test.runIf(existsSync("/dev/full"))("output that cannot be written is told with a code, not a stack", () => {
	const script = `"${process.execPath}" src/cli.ts log "${store}" > /dev/full`;
	const { stderr, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
	expect({ status, stderr }).toEqual({
		status: 1,
		stderr: expect.stringMatching(/^CLI_SYSTEM: the output could not be written: ENOSPC.*\n$/),
	});
});

test("the real process ends with the code of what it found", async () => {
	const ended = await palimpsest(["show", "nobody", store], { home });
	expect(ended).toMatchObject({ code: 1, text: "", stderr: expect.stringMatching(/^CLI_NO_SUCH_ID: /) });
});
