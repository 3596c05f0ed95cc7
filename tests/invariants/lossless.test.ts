import fc from "fast-check";
import { expect, test } from "vitest";
import { nodeOf, stretch } from "../../projections/session-tree.ts";
import { entriesOf, foldSpans } from "../../src/debug/fold-spans.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

test("invariant 1: every entry of every fold is kept byte for byte, whatever was decided, forked and rebuilt", async () => {
	let entries = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const { engine, host } = await walkThrough(walk, {}, { compares: false });
		const { states } = engine;
		const kept = (id: string, digest: string) => {
			const bytes = engine.content(digest);
			expect(bytes && sha256Node(bytes)).toBe(digest);
			expect(Buffer.compare(bytes ?? new Uint8Array(), host.entry(id)?.bytes ?? new Uint8Array())).toBe(0);
			entries++;
		};
		for (const span of foldSpans(states).values())
			for (const { id, digest } of entriesOf(states.tree, span)) kept(id, digest);
		for (const { clips } of states.plans.after.values())
			for (const id of clips.keys()) kept(id, nodeOf(states.tree, id)?.digest ?? "");
		for (const { id, digest } of stretch(states.tree, host.leaf, -1)) kept(id, digest);
	});
	await fc.assert(property, runs(20));
	expect(entries).toBeGreaterThan(2_000);
});
