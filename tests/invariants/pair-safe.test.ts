import fc from "fast-check";
import { expect, test } from "vitest";
import { windowsOf } from "../walk/logged.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

test("invariant 3: every result stands behind its call and every call is answered, whatever is opened, pinned and held", async () => {
	let answers = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const walked = await walkThrough(walk, {}, { compares: false });
		for (const { items } of windowsOf(await walked.events())) {
			let waiting: readonly string[] = [];
			for (const item of items) {
				const node = "node" in item ? item.node : undefined;
				const call = item.kind === "answer" ? item.call : node?.role === "result" ? node.answers : undefined;
				if (call !== undefined) {
					expect(waiting).toContain(call);
					waiting = waiting.filter((other) => other !== call);
					answers++;
					continue;
				}
				expect(waiting).toEqual([]);
				waiting = item.kind === "edited" ? item.edit.opens : (node?.opens ?? []);
			}
			expect(waiting).toEqual([]);
		}
	});
	await fc.assert(property, runs(30));
	expect(answers).toBeGreaterThan(1_000);
});
