import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Cost } from "../../src/debug/cost.ts";
import { TIGHT } from "./recording.ts";
import { ReplayedHome } from "./replayed-home.ts";

const home = new ReplayedHome();
const { run, json } = home;

test("a replay is priced by its own windows, close to what its comparison says", async () => {
	const cost: Cost = await json("cost", home.store);
	const compared = await json("replay", home.recording.path, ...TIGHT, "--compare");
	expect(cost).toMatchObject({ basis: "modelled", from: 1, to: 60 });
	expect(cost.totals.measured).toBe(0);
	const { usd, commits } = compared.policies.economic;
	expect(cost.commits).toHaveLength(commits);
	expect(Math.abs(cost.totals.cost - usd) / usd).toBeLessThan(0.05);
	expect(cost.rows.at(-1)?.spent).toBeCloseTo(cost.totals.cost, 10);
});

test("the byte of a break is the first in which two windows differ, as window prints them", async () => {
	const { breaks }: Cost = await json("cost", home.store);
	const inside = breaks.filter(({ byte = 0 }) => byte > 0);
	expect(inside.length).toBeGreaterThan(2);
	for (const { request, byte = 0 } of inside) {
		const { stdout: before } = await run("window", "--at", String(request - 1), home.store);
		const { stdout: now } = await run("window", "--at", String(request), home.store);
		expect(now.subarray(0, byte).equals(before.subarray(0, byte))).toBe(true);
		expect(now[byte]).not.toBe(before[byte]);
	}
});

test("a table tells each request, and with --breaks only those whose cache broke", async () => {
	const all = (await run("cost", home.store)).text.split("\n");
	expect(all[0]).toMatch(/^requests 1 to 60: \$\d+\.\d{3}$/);
	expect(all.filter((line) => /^\d+ .* ~\$/.test(line))).toHaveLength(60);
	expect(all.some((line) => line.startsWith("commit "))).toBe(true);
	const { breaks }: Cost = await json("cost", home.store);
	const broken = (await run("cost", home.store, "--breaks")).text.split("\n");
	expect(broken.filter((line) => /^\d+ .* ~\$/.test(line))).toHaveLength(breaks.length);
	expect(broken.filter((line) => /^#\d+ /.test(line))).toHaveLength(breaks.length);
	expect(broken.join("\n")).toMatch(/\ncache broken by +breaks +tokens lost +cost\n/);
	for (const line of [...all, ...broken]) expect(line.length).toBeLessThanOrEqual(100);
	expect((await run("cost", home.store, "--from", "3", "--to", "3")).text).toMatch(/^request 3: \$/);
});

test("a request that was never made, a backward stretch and no store are told apart", async () => {
	expect(await run("cost", home.store, "--from", "61")).toMatchObject({
		code: 1,
		stderr: "CLI_NO_SUCH_REQUEST: no request 61: requests 1 to 60 were made\n",
	});
	expect(await run("cost", home.store, "--from", "9", "--to", "8")).toMatchObject({
		code: 2,
		stderr: "CLI_USAGE: --to 8 is before --from 9\n",
	});
	expect(await run("cost", home.store, "--from", "0")).toMatchObject({ code: 2 });
	expect(await run("cost", join(home.path, "nothing"))).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^CLI_NO_STORE: /),
	});
});

test("of a session that made no request all that is said is that", async () => {
	const empty = join(home.path, "empty.jsonl");
	const header = {
		type: "session",
		version: 3,
		id: "empty",
		timestamp: "2026-01-05T00:00:00.000Z",
		cwd: "/",
	};
	const message = { role: "user", content: "hello", timestamp: Date.UTC(2026, 0, 5) };
	const entry = { type: "message", id: "e1", parentId: null, timestamp: header.timestamp, message };
	writeFileSync(empty, `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
	const replayed = await json("replay", empty);
	expect(await run("cost", replayed.store)).toMatchObject({ code: 0, text: "no request was made\n" });
	expect(await json("cost", replayed.store)).toMatchObject({ rows: [], totals: { requests: 0, cost: 0 } });
	expect(await run("cost", replayed.store, "--from", "1")).toMatchObject({
		code: 1,
		stderr: "CLI_NO_SUCH_REQUEST: no request 1: no request was made\n",
	});
});
