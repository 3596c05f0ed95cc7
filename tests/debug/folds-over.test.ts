import fc from "fast-check";
import { expect, test } from "vitest";
import { entryRows, foldsOver } from "../../src/debug/fold-rows.ts";
import { type Deciding, drive } from "../engine/drive.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";

const deciding = fc.array(fc.constantFrom<Deciding>("now", "undo", "due", "tighter"), { minLength: 1 });

test("the folds over some entries are those that their rows tell, and entries of no path have none", async () => {
	let folded = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, deciding, async (entries, rules, chosen) => {
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const { engine } = await drive(entries, { settings: rules, decide });
			const { states } = engine;
			const { leaf } = states.tree;
			const ids = [...entries.map(({ id }) => id), "nobody"];
			const told = entryRows(states, leaf).flatMap(({ id, fold }) =>
				fold === undefined ? [] : [[id, fold]],
			);
			const folds = foldsOver(states, leaf, ids);
			expect(Object.fromEntries(folds)).toEqual(Object.fromEntries(told));
			for (const id of ids) expect(foldsOver(states, leaf, [id]).get(id)).toBe(folds.get(id));
			folded += folds.size;
		}),
		{ numRuns: 40 },
	);
	expect(folded).toBeGreaterThan(0);
});
