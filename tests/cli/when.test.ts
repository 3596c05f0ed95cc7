import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { ReplayedHome } from "./replayed-home.ts";

const home = new ReplayedHome();
const { run, json } = home;

describe("when", () => {
	test("tells the requests that could read a text whole and in a brief, and the commit between", async () => {
		const { code, text, stderr } = await run("when", "export const value4x3", home.store);
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		const [first, , heads, whole, hidden] = text.split("\n");
		expect(first).toMatch(/^It stands in 1 message.*; the session made 60 requests\.$/);
		expect(heads).toMatch(/^requests +readable +in +since$/);
		expect(whole).toMatch(/^\d+–\d+ +whole +e\d+ +it came$/);
		expect(hidden).toMatch(/^\d+–\d+ +(in a brief|no) .* commit c\d+-\S+ \(\w+\)$/);
		for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
	});

	test("agrees with the windows themselves", async () => {
		const needle = "export const value9x2 ";
		const { spans } = await json("when", needle, home.store);
		for (const { from, to, as } of spans) {
			for (const at of new Set([from, to])) {
				const { text } = await run("window", home.store, "--at", String(at));
				expect([at, text.includes(needle)]).toEqual([at, as !== "hidden"]);
			}
		}
		expect(spans.at(-1).to).toBe(60);
		expect(spans.map(({ as }: { as: string }) => as)).toContain("hidden");
	});

	test("takes letters as they are unless told otherwise", async () => {
		const typed = "PART 7 READS";
		const none = await run("when", typed, home.store);
		expect(none).toMatchObject({
			code: 1,
			text: "",
			stderr: "palimpsest: no window of 60 requests held this text\n",
		});
		expect((await run("when", typed, home.store, "-i")).code).toBe(0);
	});

	test("lists as many messages as are wanted, and counts the others", async () => {
		const { text } = await run("when", "helper", home.store, "--limit", "2");
		expect(text).toMatch(/^e\d+ {2}assistant {2}2026-01-05T/m);
		expect(text).toMatch(/^… and \d+ others; --limit shows more$/m);
		expect((await json("when", "helper", home.store)).holders.length).toBeGreaterThan(60);
	});

	test("refuses an empty text", async () => {
		expect(await run("when", "", home.store)).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^CLI_USAGE: /),
		});
	});
});

test("of a damaged store they read what comes before the damage, say so, and end with 1", async () => {
	const damaged = join(home.path, "damaged");
	cpSync(home.store, damaged, { recursive: true });
	await changeStored(damaged, eventKeyAt(200), flipped(-1));
	const { code, text, stderr } = await run("when", "Part 2 reads", damaged);
	expect(code).toBe(1);
	expect(stderr).toMatch(/STORE_CHAIN_BROKEN: .*; what comes before is read$/m);
	expect(text).toMatch(/^\d+–\d+ +whole/m);
});

test("a store of which no request is known answers that there was none", async () => {
	const empty = join(home.path, "begun");
	const writer = await openStore({ directory: empty, registry: REGISTRY });
	const opened = { session: "begun", root: null, format: "pi-v3" };
	await writer.append(
		"session/begun",
		[{ event: { type: "session/opened", data: opened }, at: 0, actor: "host" }],
		0,
	);
	await writer.close();
	expect(await run("when", "anything", empty)).toMatchObject({
		code: 1,
		stderr: "palimpsest: no window of 0 requests held this text\n",
	});
});
