import fc from "fast-check";
import { expect, test } from "vitest";
import { windowDiff } from "../../src/debug/window-diff.ts";
import { windowView } from "../../src/debug/window-view.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkedHistory } from "./walked-history.ts";

const HOST = ["compaction", "edit", "leaf", "new", "answer"];

test("a difference applied to the earlier window is the later one, and says why of each change", async () => {
	const causes = new Map<string, number>();
	const property = fc.asyncProperty(
		walks(60),
		fc.array(fc.tuple(fc.nat(999), fc.nat(999)), { minLength: 3, maxLength: 3 }),
		async (walk, picks) => {
			const { history, content } = await walkedHistory(walk);
			const { requests, decisions } = history;
			const made = new Map(decisions.map(({ event, after }) => [event.data.id, after + 1]));
			if (requests.length === 0) return;
			const picked = picks.map((pick) => pick.map((one) => (one % requests.length) + 1));
			// where a window only went on, its difference from the one before is as any other's
			const changed = requests.filter(({ prepared }) => prepared.request > 1 && prepared.change);
			const neighbours = changed.map(({ prepared: { request } }) => [request - 1, request]);
			for (const [n = 1, m = 1] of [...neighbours, ...picked]) {
				const diff = windowDiff(history, content, n, m);
				if (!diff) return expect.fail("both requests were made");
				expect([diff.from, diff.to, diff.same]).toEqual([Math.min(n, m), Math.max(n, m), [true, true]]);
				const [before, after] = [diff.from, diff.to].map((at) => windowView(history, content, at)?.rows);
				// compared as text: that takes a tenth of the time
				expect(JSON.stringify(diff.rows.flatMap(({ a }) => a ?? []))).toBe(JSON.stringify(before));
				expect(JSON.stringify(diff.rows.flatMap(({ b }) => b ?? []))).toBe(JSON.stringify(after));
				for (const { request } of diff.steps) expect(request > diff.from && request <= diff.to).toBe(true);
				const told = diff.rows.map(({ change, a, b }) => `${change} ${changeOf(a, b, change)}`);
				expect(told.filter((one) => new Set(one.split(" ")).size > 1)).toEqual([]);
				for (const { change, cause, decision } of diff.rows) {
					if (change === "same") {
						if (cause !== undefined) expect.fail(`the same, by ${cause}`);
						continue;
					}
					causes.set(cause ?? "", (causes.get(cause ?? "") ?? 0) + 1);
					if (decision === undefined) expect(HOST).toContain(cause);
					else if (cause === "leaf") expect(made.get(decision)).toBeLessThanOrEqual(diff.from);
					else expect(made.get(decision)).toBeGreaterThan(diff.from);
				}
			}
		},
	);
	await fc.assert(property, runs(40));
	expect([...causes.keys()]).toEqual(
		expect.arrayContaining(["new", "leaf", "compaction", "edit", "commit", "undo", "expand", "pin"]),
	);
});

function changeOf(a: unknown, b: unknown, both: string): string {
	if (!a) return "added";
	return b ? (both === "same" ? "same" : "replaced") : "removed";
}
