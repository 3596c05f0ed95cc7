import fc from "fast-check";
import { expect, test } from "vitest";
import { itemKey } from "../../projections/window-plan.ts";
import { windowsOf } from "../walk/logged.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

const CAUSES = ["commit", "expand", "refold", "pin", "undo", "leaf", "compaction", "contextEdit", "answer"];

test("invariant 2: a window extends the one before, or the first item that changed is told with a cause that is known", async () => {
	const causes = new Set<string>();
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const walked = await walkThrough(walk, {}, { compares: false });
		let before: string[] | undefined;
		for (const { items, prepared } of windowsOf(await walked.events())) {
			const keys = items.map(itemKey);
			const differs = before?.findIndex((key, n) => key !== keys[n]) ?? -1;
			expect(prepared.change?.item ?? -1).toBe(differs);
			if (prepared.change) {
				expect(CAUSES).toContain(prepared.change.cause);
				causes.add(prepared.change.cause);
			}
			before = keys;
		}
	});
	await fc.assert(property, runs(30));
	expect(causes.size).toBeGreaterThan(5);
});
