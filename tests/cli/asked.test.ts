import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { goneBefore } from "../../src/cli/bisect.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { ReplayedHome } from "./replayed-home.ts";

const home = new ReplayedHome();
const { run, json } = home;
let commit: { id: string; parent: string; after: number };

beforeAll(async () => {
	const { log } = await json("log", home.store, "--type", "commit/applied", "--limit", "1");
	const { log: sent } = await json("log", home.store, "--type", "request/prepared");
	const after = sent.filter(({ position }: { position: number }) => position < log[0].position).length;
	commit = { ...log[0].data, after };
});

describe("diff", () => {
	test("names what a commit took out of the window and what stands there instead", async () => {
		const { code, text, stderr } = await run("diff", `${commit.after}`, `${commit.after + 1}`, home.store);
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		const lines = text.split("\n");
		expect(lines[0]).toMatch(
			new RegExp(
				`^request ${commit.after} → ${commit.after + 1}: about [\\d,]+ → [\\d,]+ tokens; both begin `,
			),
		);
		expect(text).toMatch(new RegExp(`^ +${commit.after + 1} +commit +${commit.id} `, "m"));
		expect(text).toMatch(
			new RegExp(`^- removed, by commit ${commit.id} \\(\\w+\\); \\S+ stands for it`, "m"),
		);
		expect(text).toMatch(new RegExp(`^\\+ added, by commit ${commit.id} `, "m"));
		expect(text).toMatch(/^\+ added, come since: /m);
		for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
	});

	test("gives both windows whole as JSON, whichever request is named first", async () => {
		const diff = await json("diff", "40", "12", home.store);
		expect(diff).toMatchObject({ from: 12, to: 40, same: [true, true] });
		for (const [side, at] of [
			["a", 12],
			["b", 40],
		] as const) {
			const { items } = await json("window", home.store, "--at", `${at}`);
			const ids = diff.rows.flatMap((row: { a?: { id: string }; b?: { id: string } }) => row[side]?.id ?? []);
			expect(ids).toEqual(items.map(({ id }: { id: string }) => id));
		}
	});

	test("of one request and itself, nothing changed", async () => {
		expect((await run("diff", "5", "5", home.store)).text).toContain("nothing changed");
	});

	test("of a request that was not made is refused with how many there were", async () => {
		expect(await run("diff", "5", "61", home.store)).toMatchObject({
			code: 1,
			stderr: "CLI_NO_SUCH_REQUEST: no request 61: requests 1 to 60 were made\n",
		});
		expect((await run("diff", "0", "1", home.store)).code).toBe(2);
	});
});

describe("why", () => {
	test("says by which commit an entry left the window, from what, what else there was, and how to get at it", async () => {
		const { code, text } = await run("why", "e3", home.store);
		expect(code).toBe(0);
		expect(text).toMatch(/^e3 \(result, about [\d,]+ tokens\) was not in the window itself at request 60/);
		expect(text).toContain(`Commit ${commit.id} folded it: `);
		expect(text).toMatch(/^ {2}waiting had cost +\$0\.\d+$/m);
		expect(text).toMatch(/^ {2}wait one more request +costs \$/m);
		expect(text).toMatch(/^ {2}peek +pi_fold_context \{"action":"peek","id":"e3"\}$/m);
		for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
	});

	test("takes the request that is named, and the same object as JSON", async () => {
		const answer = await json("why", "e3", home.store, "--at", `${commit.after}`);
		expect(answer).toMatchObject({ about: "entry", id: "e3", request: commit.after, visible: "whole" });
		expect((await json("why", commit.id, home.store)).about).toBe("decision");
		expect((await json("why", "Part 2 reads", home.store)).about).toBe("text");
	});

	test("of what nobody knows is refused with ids that are near", async () => {
		const { code, text, stderr } = await run("why", "e999", home.store);
		expect({ code, text }).toEqual({ code: 1, text: "" });
		expect(stderr).toMatch(/^CLI_NO_SUCH_ID: nothing is called e999, and no window .*near it are e9/);
		expect(await run("why", "e3", home.store, "--at", "61")).toMatchObject({
			code: 1,
			stderr: "CLI_NO_SUCH_REQUEST: no request 61: requests 1 to 60 were made\n",
		});
		expect((await run("why", "", home.store)).code).toBe(2);
		expect((await run("why", "x".repeat(50_000), home.store)).stderr.length).toBeLessThan(250);
	});
});

describe("bisect", () => {
	test("finds the commit between the last request that had a text and the first that had not", async () => {
		const { losses, whole } = await json("bisect", "Part 2 reads", home.store);
		expect(losses[0]).toMatchObject({ last: whole, request: whole + 1, decision: { id: commit.id } });
		const had = await run("window", home.store, "--at", `${whole}`);
		const { items } = await json("window", home.store, "--at", `${whole + 1}`);
		expect(had.text).toContain("Part 2 reads");
		expect(items.map(({ id }: { id: string }) => id)).not.toContain(losses[0].before.through);
		const { text } = await run("bisect", "Part 2 reads", home.store);
		expect(text).toContain(`Request ${whole} was the last that was sent all of "Part 2 reads".`);
		expect(text).toMatch(new RegExp(`^ *Commit ${commit.id} (took it out|hid it): `, "m"));
	});

	test("says so where nothing hides what is asked for", async () => {
		const { items } = await json("window", home.store, "--at", "60");
		const { id } = items.at(-1);
		expect((await run("bisect", id, home.store)).text).toBe(
			`Nothing hides ${id}: the last request, 60, was sent all of it.\n`,
		);
	});

	test("says of what is whole again from when to when it was not", () => {
		const whole = (from: number, to: number) => ({ from, to, as: "whole" }) as const;
		const brief = (from: number, to: number) => ({ from, to, as: "brief" }) as const;
		expect(goneBefore([whole(3, 9)])).toBe("");
		expect(goneBefore([brief(1, 2), whole(3, 9)])).toBe("");
		expect(goneBefore([whole(1, 2), brief(3, 4), brief(5, 7), whole(8, 9)])).toMatch(
			/^ From request 3 to 7 .* --at 7 /,
		);
	});

	test("of a decision says that it is one, and what tells of it", async () => {
		expect(await run("bisect", commit.id, home.store)).toMatchObject({
			code: 1,
			stderr: `CLI_NO_SUCH_ID: ${commit.id} is a decision, and no message: palimpsest why ${commit.id} tells what it did\n`,
		});
	});

	test("tells of a branch that was left", async () => {
		// the session goes back to an earlier entry once, behind part 12
		const { text } = await run("bisect", "Part 11 reads", home.store);
		expect(text).toContain("Behind it: the session went to another branch.");
	});
});

test("of a damaged store each reads what comes before the damage, says so, and ends with 1", async () => {
	const damaged = join(home.path, "damaged");
	cpSync(home.store, damaged, { recursive: true });
	await changeStored(damaged, eventKeyAt(100), flipped(-1));
	for (const asked of [
		["diff", "1", "2"],
		["why", "e2"],
		["bisect", "e2"],
	]) {
		const { code, text, stderr } = await run(...asked, damaged);
		expect([asked, code]).toEqual([asked, 1]);
		expect(stderr).toMatch(/STORE_CHAIN_BROKEN: .*; what comes before is read$/m);
		expect(text).not.toBe("");
	}
});

test("a store of a session without a request says that none was made", async () => {
	const empty = join(home.path, "begun");
	const writer = await openStore({ directory: empty, registry: REGISTRY });
	const data = { session: "begun", root: null, format: "pi-v3" };
	const event = { type: "session/opened", data };
	await writer.append("session/begun", [{ event, at: 0, actor: "host" }], 0);
	await writer.close();
	for (const asked of [
		["diff", "1", "2"],
		["why", "e2"],
	])
		expect(await run(...asked, empty)).toMatchObject({
			code: 1,
			stderr: "CLI_NO_SUCH_REQUEST: no request 1: no request was made\n",
		});
	expect((await run("bisect", "e2", empty)).stderr).toMatch(/^CLI_NO_SUCH_ID: /);
});
