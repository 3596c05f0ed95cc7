import { join } from "node:path";
import { expect, test } from "vitest";
import type { WhatIf } from "../../src/debug/what-if.ts";
import { TIGHT } from "./recording.ts";
import { ReplayedHome } from "./replayed-home.ts";

const home = new ReplayedHome();
const { run, json } = home;

test("the same settings give the same history, from the start and from the middle", async () => {
	const head = (await json("stats", home.store)).head;
	for (const from of ["1", "30"]) {
		const { recorded, other }: WhatIf = await json("what-if", home.store, "--from", from);
		expect(recorded.commits).toBeGreaterThan(2);
		expect({ ...other, label: "" }).toEqual({ ...recorded, label: "" });
	}
	expect((await json("stats", home.store)).head).toBe(head);
});

test("other settings give what a replay under them gives", async () => {
	const { other, settings }: WhatIf = await json("what-if", home.store, "--policy", "band");
	expect(settings).toMatchObject({ policy: "band", inputBudget: 40_000, floorTokens: 6_000 });
	const elsewhere = join(home.path, "band");
	await run("replay", home.recording.path, ...TIGHT, "--policy", "band", "--store", elsewhere, "--quiet");
	const { recorded }: WhatIf = await json("what-if", elsewhere);
	expect({ ...other, label: "" }).toEqual({ ...recorded, label: "" });
	const compared = await json("replay", home.recording.path, ...TIGHT, "--compare");
	expect(other.hidden).toBe(compared.policies.band.hiddenNeeds);
	expect(other.unmet).toBe(compared.policies.band.unmetNeeds);
	expect(other.commits).toBe(compared.policies.band.commits);
});

test("both histories stand beside each other, within a hundred columns", async () => {
	const { code, text } = await run("what-if", home.store, "--from", "20", "--policy", "off");
	const lines = text.trimEnd().split("\n");
	expect(code).toBe(0);
	expect(lines[0]).toBe("from request 20 on: policy off");
	expect(lines.filter((line) => /^(as recorded|otherwise) +\$/.test(line))).toHaveLength(2);
	expect(lines.filter((line) => /^\d+ .*\$.*\$/.test(line))).toHaveLength(20);
	for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});

test.for([
	{ args: ["--from", "61"], code: 1, says: "CLI_NO_SUCH_REQUEST: no request 61: requests 1 to 60 were made" },
	{ args: ["--from", "0"], code: 2, says: "CLI_USAGE: " },
	{ args: ["--policy", "greedy"], code: 2, says: "CLI_USAGE: " },
	{
		args: ["--floor", "40000"],
		code: 2,
		says: "CLI_USAGE: a floor of 40000 tokens is not below the budget, 40000",
	},
	{ args: ["--min-target", "0.9"], code: 2, says: "CLI_USAGE: minTarget 0.9 is not below maxTarget 0.8" },
	{ args: ["--model", "nobody/nothing"], code: 2, says: "CLI_NO_SUCH_MODEL: " },
	{
		args: ["--model", "claude-sonnet-4"],
		code: 2,
		says: "CLI_NO_SUCH_MODEL: the host's catalogue has no model claude-sonnet-4; like it are ",
	},
	{ args: ["--model", ""], code: 2, says: "CLI_USAGE: --model is an empty text" },
])("$args is refused", async ({ args, code, says }) => {
	expect(await run("what-if", home.store, ...args)).toMatchObject({
		code,
		text: "",
		stderr: expect.stringContaining(says),
	});
});
