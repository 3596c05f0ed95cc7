import fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "../../src/debug/history.ts";
import { type WindowView, windowView } from "../../src/debug/window-view.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { STREAM } from "../walk/walk-state.ts";
import { cutShort, walkedHistory } from "./walked-history.ts";

test("a window is shown as it was sent, whatever came behind it", async () => {
	const standings = new Set<string>();
	const property = fc.asyncProperty(walks(40), fc.nat(), async (walk, which) => {
		const { walked, history, content } = await walkedHistory(walk);
		for (const { prepared } of history.requests) {
			const view = windowView(history, content, prepared.request) as WindowView;
			expect([view.same, view.items]).toEqual([true, prepared.items]);
			expect(new Set(view.rows.map(({ key }) => key)).size).toBe(view.items);
			const told = view.base + view.rows.reduce((sum, { tokens }) => sum + tokens, 0);
			// the estimate of a prompt counts results whose call a compaction hides, which are not sent
			if (!walk.heedsCompactions) expect(Math.abs(told - view.tokens)).toBeLessThanOrEqual(view.items + 1);
			for (const { standing } of view.rows) standings.add(standing);
		}
		const then = history.requests[which % Math.max(1, history.requests.length)];
		if (!then) return;
		const short = await History.read(cutShort(walked.store, then.position + 1).store, STREAM);
		const { request } = then.prepared;
		const { paid: _billedLater, ...view } = windowView(history, content, request) as WindowView;
		expect(windowView(short, content, request)).toMatchObject(view);
	});
	await fc.assert(property, runs(25));
	const all = [
		"raw",
		"folded",
		"grouped",
		"clipped",
		"pinned",
		"held",
		"edited",
		"opened",
		"shown",
		"summary",
	];
	expect([...standings]).toEqual(expect.arrayContaining(all));
});
