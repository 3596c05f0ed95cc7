import fc from "fast-check";
import { expect, test } from "vitest";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { proofOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

const hash = (words: string) => sha256Node(new TextEncoder().encode(words));

test("invariant 5: a node is in force only with the very event it names, or where the path gives the window it proves", async () => {
	let refused = 0;
	const property = fc.asyncProperty(walks(40, { heedsCompactions: true }), async (walk) => {
		const { engine, host } = await walkThrough(walk, {}, { compares: false });
		for (const [id, node] of [...host.nodes].slice(0, 4)) {
			const entry = host.entry(id);
			if (!entry) throw new Error(`no entry ${id}`);
			const other = { ...node, hash: hash("another event"), window: hash("another window") };
			const forged = { ...entry, id: `forged ${id}` };
			expect(await engine.meet(forged, other)).toBe("refused");
			expect(planAt(engine.states, forged.id)).toBe(planAt(engine.states, forged.parent));
			refused++;
			const honest = { ...entry, id: `again ${id}` };
			if ((await engine.meet(honest, { ...node, hash: hash("another event") })) !== "rebuilt") continue;
			const items = windowItems(engine.states, honest.id, planAt(engine.states, honest.id));
			expect(proofOf(items, hash)).toBe(node.window);
		}
	});
	await fc.assert(property, runs(20));
	expect(refused).toBeGreaterThan(20);
});
