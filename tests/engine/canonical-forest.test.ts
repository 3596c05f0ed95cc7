import fc from "fast-check";
import { expect, test } from "vitest";
import { cutOf, standingParts } from "../../projections/forest.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { candidateAt } from "../../src/commands/commit-candidate.ts";
import { drive } from "./drive.ts";
import { pathTo, someLeaf } from "./paths.ts";
import { sessions, settings } from "./session-arbitrary.ts";

const RUNS = { seed: 13, numRuns: 60, interruptAfterTimeLimit: 40_000 };

/** The cuts at a leaf, newest first, with their texts; and what would stand if all of them were folded. */
function forestAt({ tree, forest }: SessionStates, leaf: string) {
	const last = nodeOf(tree, leaf)?.cut ?? null;
	const cuts: unknown[] = [];
	for (let cut = cutOf(forest, last); cut; cut = cutOf(forest, cut.before)) cuts.push(cut);
	return { cuts, standing: standingParts(forest, last).map(({ text }) => text) };
}

const decisions = fc.array(fc.constantFrom("now" as const, "undo" as const, "due" as const), {
	minLength: 1,
});

test("cuts, texts and grouping at a leaf depend on its path alone, whatever was committed and whatever else grew", async () => {
	let cuts = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, fc.nat(1000), async (entries, rules, chosen, which) => {
			const leaf = someLeaf(entries, which);
			if (!leaf) return;
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const whole = await drive(entries, { settings: rules, decide });
			const alone = await drive(pathTo(entries, leaf.id), { settings: { ...rules, policy: "off" } });
			const expected = forestAt(alone.engine.states, leaf.id);
			expect(forestAt(whole.engine.states, leaf.id)).toEqual(expected);
			cuts += expected.cuts.length;
		}),
		RUNS,
	);
	expect(cuts).toBeGreaterThan(100);
});

test("what a commit would fold and hold depends on the path alone, never on the commit in force", async () => {
	let candidates = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, fc.nat(1000), async (entries, rules, chosen, which) => {
			const leaf = someLeaf(entries, which);
			if (!leaf) return;
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const { states } = (await drive(entries, { settings: rules, decide })).engine;
			const alone = (await drive(pathTo(entries, leaf.id), { settings: rules })).engine.states;
			const { rules: inForce, calibration } = states;
			const expected = candidateAt({ ...alone, rules: inForce, calibration }, leaf.id);
			expect(candidateAt(states, leaf.id)).toEqual(expected);
			if (expected) candidates++;
		}),
		RUNS,
	);
	expect(candidates).toBeGreaterThan(20);
});
