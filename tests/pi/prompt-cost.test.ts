import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../../bench/prompt.ts";

test("all our tools together take at most 1,200 tokens of a prompt, and as many as the README says", async () => {
	const [row] = await run();
	expect(row).toMatchObject({
		name: "tools in a prompt: pi_fold_context, pi_compact_recall",
		limit: 1_200,
		ok: true,
	});
	const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
	const [, told] = /takes up about (\d+) tokens of every prompt/.exec(readme) ?? [];
	expect(Math.abs(Number(told) - (row?.value ?? 0))).toBeLessThanOrEqual(25);
});
