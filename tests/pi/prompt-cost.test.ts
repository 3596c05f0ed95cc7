import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../../bench/prompt.ts";

test("all our tools together take at most 1,600 tokens of a prompt, and as many as the README says", async () => {
	const [row] = await run();
	expect(row).toMatchObject({
		name: expect.stringMatching(/^tools in a prompt: pi_fold_context, .*pi_memory_update/),
		limit: 1_600,
		ok: true,
	});
	const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
	const [, told] = /take up about (\d+) tokens of every prompt/.exec(readme) ?? [];
	expect(Math.abs(Number(told) - (row?.value ?? 0))).toBeLessThanOrEqual(25);
});
