import fc from "fast-check";
import { expect, test } from "vitest";
import { budgetOf, DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { initialStates, replayStates } from "../../projections/states.ts";
import { drive } from "../engine/drive.ts";
import { chain, reply, result, user } from "../engine/made-entries.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";
import { runs } from "../walk/runs.ts";
import { type Step, walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

test("invariant 8: every request gets a window, and none stays over its budget while anything can be folded", async () => {
	let over = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const { events } = await drive(entries, { settings: { ...rules, policy: "band" } });
			const states = initialStates();
			let requests = 0;
			for (const placed of events) {
				if (placed.event.type === "request/prepared") {
					requests++;
					const { tokens, foldable } = placed.event.data;
					const isOver = tokens >= budgetOf(states.rules);
					if (isOver) over++;
					if (isOver) expect(foldable).toBe(0);
				}
				replayStates(states, [placed]);
			}
			expect(requests).toBe(entries.filter(({ role, model }) => role === "assistant" && model).length);
		}),
		{ seed: 81, numRuns: 60 },
	);
	expect(over).toBeGreaterThan(10);
});

test("invariant 8: one huge message does not keep the window over its budget once it was answered", async () => {
	const huge = 400_000;
	for (const made of [
		[user("u", huge), reply("r")],
		[user("u"), reply("c", 10, ["call"]), result("t", "call", huge), reply("r")],
		[user("u"), reply("r", huge)],
	]) {
		const turns = [1, 2, 3].flatMap((n) => [user(`v${n}`, 60), reply(`s${n}`, 60)]);
		const { events } = await drive(chain([...made, ...turns]), {
			settings: { ...DEFAULT_SETTINGS, policy: "band", inputBudget: 50_000 },
		});
		const tokens = events.flatMap(({ event }) =>
			event.type === "request/prepared" ? [event.data.tokens] : [],
		);
		expect(tokens.slice(-2).every((size) => size < 50_000)).toBe(true);
	}
});

/** Small turns by the rule that commits where the window is full, of 9,000 tokens. */
const GOING_ON: readonly Step[] = [
	{ wait: 0, does: "resume" },
	{ wait: 0, does: "rules", policy: 2, sizes: 10 },
	...Array.from({ length: 8 }, (): Step[] => [
		{ wait: 1_000, does: "user", size: 60 },
		{ wait: 1_000, does: "due", late: 0, lost: false, model: 8 },
		{
			...{ wait: 1_000, does: "exchange", size: 61, results: [], calls: 0, tool: 0, reversed: false },
			...{ thinks: false, stop: "stop", again: false, twice: false },
		},
	]).flat(),
];

test("invariant 8: whatever was decided, the session goes on within its budget, or nothing is left to fold", async () => {
	let within = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const longer = { ...walk, steps: [...walk.steps, ...GOING_ON] };
		const walked = await walkThrough(longer, {}, { compares: false });
		const last = (await walked.events()).findLast(({ event }) => event.type === "request/prepared")?.event;
		if (last?.type !== "request/prepared") throw new Error("no request");
		const { tokens, foldable } = last.data;
		if (tokens < budgetOf(walked.engine.states.rules)) within++;
		else expect(foldable).toBe(0);
	});
	await fc.assert(property, runs(40));
	expect(within).toBeGreaterThan(30);
});
