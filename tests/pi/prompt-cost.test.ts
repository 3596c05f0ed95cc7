import { expect, test } from "vitest";
import { run } from "../../bench/prompt.ts";

test("all our tools together take at most 1,200 tokens of a prompt", async () => {
	const [row] = await run();
	expect(row).toMatchObject({ name: "tools in a prompt: pi_fold_context", limit: 1_200, ok: true });
	expect(row?.value).toBeGreaterThan(300);
});
