import fc from "fast-check";
import { expect, test } from "vitest";
import { editsAt } from "../../projections/edits.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { renderWorkSummary } from "../../projections/work-summary/render.ts";
import { evidenceAt } from "../../src/engine/work-summary.ts";
import { drive } from "../engine/drive.ts";
import { chain, edit, type Made, reply, user } from "../engine/made-entries.ts";
import { pathTo, someLeaf } from "../engine/paths.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";

const RUNS = { seed: 21, numRuns: 60, interruptAfterTimeLimit: 30_000 };

const decisions = fc.array(fc.constantFrom("now" as const, "undo" as const, "due" as const), {
	minLength: 1,
});

test("the evidence at a leaf is that of its path alone, whatever was committed and whatever else grew", async () => {
	let pieces = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, fc.nat(1000), async (entries, rules, chosen, which) => {
			const leaf = someLeaf(entries, which);
			if (!leaf) return;
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const whole = await drive(entries, { settings: rules, decide });
			const path = pathTo(entries, leaf.id);
			const alone = await drive(path, { settings: { ...rules, policy: "off" } });
			const evidence = evidenceAt(whole.engine, leaf.id);
			expect(evidence).toEqual(evidenceAt(alone.engine, leaf.id));
			const ids = new Set(path.map(({ id }) => id));
			for (const { entry, gone = entry } of evidence)
				expect([ids.has(entry), ids.has(gone)]).toEqual([true, true]);
			const edits = editsAt(whole.engine.states.tree, leaf.id);
			expect(evidence.filter(({ entry }) => edits.get(entry)?.omits === true)).toEqual([]);
			pieces += evidence.length;
		}),
		RUNS,
	);
	expect(pieces).toBeGreaterThan(100);
});

test("a session gives the same summary live and replayed", async () => {
	let summaries = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const live = await drive(entries, { settings: rules, driver: "live" });
			const replayed = await drive(entries, { settings: rules, driver: "replay" });
			for (const { id } of entries.slice(-5)) {
				const summary = renderWorkSummary(evidenceAt(live.engine, id));
				expect(renderWorkSummary(evidenceAt(replayed.engine, id))).toBe(summary);
				if (summary) summaries++;
			}
		}),
		{ ...RUNS, numRuns: 30 },
	);
	expect(summaries).toBeGreaterThan(20);
});

const asking = (id: string, text: string): Made => ({ ...user(id), blocks: [{ type: "text", text }] });

test("what an edit took away is in no summary below it, in cuts that closed as in what follows them", async () => {
	const rules = { ...DEFAULT_SETTINGS, minFoldChars: 100, consolidateAfter: 2 };
	const made = [
		asking("u1", "Find the red door in the house"),
		reply("a1", 100),
		asking("u2", "Always keep the blue door shut"),
		reply("a2", 100),
		asking("u3", "Paint the green door of the house"),
		edit("x1", "u1"),
		edit("x2", "u2", [{ type: "text", text: "Always keep the black door shut" }]),
		edit("x3", "u3"),
	];
	const { engine } = await drive(chain(made), { settings: rules });
	const at = (leaf: string) => renderWorkSummary(evidenceAt(engine, leaf)) ?? "";
	for (const door of ["red", "blue", "green"]) expect(at("u3")).toContain(`${door} door`);
	expect(at("x3")).not.toMatch(/(?:red|blue|green) door/);
	expect(at("x3")).toContain("black door");
});
