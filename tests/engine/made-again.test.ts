import fc from "fast-check";
import { expect, test } from "vitest";
import { isDecision } from "../../projections/plans.ts";
import type { Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { itemKey, planAt, windowItems } from "../../projections/window-plan.ts";
import type { DecisionNode } from "../../src/engine/decision-node.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { ASKS } from "./asking.ts";
import { type Deciding, drive } from "./drive.ts";
import { sessions, settings } from "./session-arbitrary.ts";

const RUNS = { seed: 13, numRuns: 80, interruptAfterTimeLimit: 40_000 };

const anything = fc.array(fc.constantFrom<Deciding>("now", "now", "due", "tighter", ...ASKS), {
	minLength: 3,
});

const windowAt = ({ states }: Engine, leaf: string | null) =>
	windowItems(states, leaf, planAt(states, leaf)).map(itemKey);

/** An engine that knows the entries and what the nodes among them say, and nothing else. */
async function madeAgain(
	entries: readonly TranscriptEntry[],
	nodes: ReadonlyMap<string, DecisionNode>,
	rules: Settings,
): Promise<{ engine: Engine; met: string[] }> {
	const engine = new Engine({
		journal: forgetfulJournal(),
		hash: sha256Node,
		decode: (_bytes, { id }) => entries.find((entry) => entry.id === id) ?? expect.fail(id),
		driver: "live",
	});
	await engine.note([{ type: "session/settingsChanged", data: rules }], 0, "host");
	const met: string[] = [];
	for (const entry of entries) {
		const node = nodes.get(entry.id);
		if (node) met.push(await engine.meet(entry, node));
		else await engine.record(entry);
	}
	return { engine, met };
}

test("a session without its log gets every decision back from its nodes, and the same windows", async () => {
	let decisions = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, anything, async (made, rules, chosen) => {
			const entries: TranscriptEntry[] = [];
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const none = () => undefined;
			const observer = () => ({
				event: none,
				window: none,
				entry: (one: TranscriptEntry) => entries.push(one),
			});
			const { engine, events } = await drive(made, { settings: rules, decide, observer });
			const nodes = new Map<string, DecisionNode>();
			for (const { event, position } of events) {
				if (!isDecision(event)) continue;
				nodes.set(`node-${position}`, engine.nodeFor({ id: event.data.id, position, event }));
			}
			const again = await madeAgain(entries, nodes, rules);
			decisions += nodes.size;
			expect(again.met).toEqual([...nodes].map(() => "rebuilt"));
			for (const { id } of entries) expect(windowAt(again.engine, id)).toEqual(windowAt(engine, id));
		}),
		RUNS,
	);
	expect(decisions).toBeGreaterThan(100);
});
