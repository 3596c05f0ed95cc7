import fc from "fast-check";
import { expect, test } from "vitest";
import type { Content } from "../../src/debug/content.ts";
import { foldRows } from "../../src/debug/fold-rows.ts";
import { foldTree, type TreeRow } from "../../src/debug/fold-tree.ts";
import type { History } from "../../src/debug/history.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkedHistory } from "./walked-history.ts";

/** Every row of a tree, opened a level at a time and read two rows at a time. */
function allRows(history: History, content: Content, request: number, parent?: string): TreeRow[] {
	const rows: TreeRow[] = [];
	for (let from = 0; ; from += 2) {
		const page = foldTree(history, content, request, { ...(parent && { parent }), from, limit: 2 });
		for (const row of page.rows)
			rows.push(row, ...(row.children > 0 ? allRows(history, content, request, row.id) : []));
		if (from + 2 >= page.total) return rows;
	}
}

test("opened a level at a time, the tree of any request holds the folds that its path has", async () => {
	const states = new Set<string>();
	const property = fc.asyncProperty(walks(45), async (walk) => {
		const { history, content } = await walkedHistory(walk);
		for (const { prepared } of history.requests) {
			const rows = allRows(history, content, prepared.request);
			const expected = foldRows(history.states, prepared.leaf);
			const named = ({ id, state, from, to, children, supplied }: (typeof expected)[number] | TreeRow) =>
				JSON.stringify([id, state, from, to, children, supplied]);
			expect(rows.map(named).sort()).toEqual(expected.map(named).sort());
			for (const row of rows) {
				states.add(row.state);
				const around = rows.find(({ id }) => id === row.parent);
				expect(row.depth).toBe(row.parent === undefined ? 0 : (around?.depth ?? -2) + 1);
				if (row.state === "pending") expect(row.madeBy).toBeUndefined();
				else expect(row.madeAt).toBeLessThanOrEqual(prepared.request);
			}
		}
	});
	await fc.assert(property, runs(25));
	expect([...states]).toEqual(expect.arrayContaining(["standing", "nested", "open", "pending", "compacted"]));
});
