import fc from "fast-check";
import { expect, test } from "vitest";
import { isDecision } from "../../projections/plans.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { Observer } from "../../src/engine/observer.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { ASKS } from "./asking.ts";
import { type Deciding, type Driven, drive } from "./drive.ts";
import { chain, custom, reply, result, user } from "./made-entries.ts";
import { sessions, settings } from "./session-arbitrary.ts";

const RUNS = { seed: 7, numRuns: 80, interruptAfterTimeLimit: 40_000 };

const commitsIn = ({ events }: Driven) =>
	events.filter(({ event }) => event.type === "commit/applied").length;

test("whatever a session holds and whichever policy runs, no window has a fault", async () => {
	let commits = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const driven = await drive(entries, { settings: rules });
			expect(driven.checker.faults).toEqual([]);
			commits += commitsIn(driven);
		}),
		RUNS,
	);
	expect(commits).toBeGreaterThan(10);
});

const decisions = fc.array(fc.constantFrom("now" as const, "undo" as const, "due" as const), {
	minLength: 1,
});

test("commits and undos at any moment leave no fault", async () => {
	let commits = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, async (entries, rules, chosen) => {
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const driven = await drive(entries, { settings: rules, decide });
			expect(driven.checker.faults).toEqual([]);
			commits += commitsIn(driven);
		}),
		RUNS,
	);
	expect(commits).toBeGreaterThan(100);
});

const refusals = fc.array(fc.constantFrom<Deciding>("tighter", "lighter", "due", "now", "undo"), {
	minLength: 1,
});

test("tighter commits at any moment leave no fault, and each frees what it says", async () => {
	let emergencies = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, refusals, async (entries, rules, chosen) => {
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const { checker, events } = await drive(entries, { settings: rules, decide });
			expect(checker.faults).toEqual([]);
			for (const [n, { event }] of events.entries()) {
				if (event.type !== "commit/applied") continue;
				if (event.data.emergency) emergencies++;
				const sent = events.slice(n).find((later) => later.event.type === "request/prepared")?.event;
				if (event.data.trigger !== "overflow" || sent?.type !== "request/prepared") continue;
				// the receipt is left out of the quote
				expect(sent.data.tokens).toBeLessThanOrEqual(event.data.quote.after + 300);
			}
		}),
		RUNS,
	);
	expect(emergencies).toBeGreaterThan(30);
});

const DECISIONS = [
	"brief/supplied",
	"commit/applied",
	"commit/undone",
	"fold/expanded",
	"fold/refolded",
	"mark/recut",
	"mark/withdrawn",
	"pin/lifted",
	"pin/placed",
];

const anything = fc.array(fc.constantFrom<Deciding>("now", "now", "due", "tighter", ...ASKS), {
	minLength: 1,
});

test("whatever is asked of a window at any moment, and taken back, leaves no fault", async () => {
	const made = new Set<string>();
	await fc.assert(
		fc.asyncProperty(sessions, settings, anything, async (entries, rules, chosen) => {
			const wrong: string[] = [];
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const observer = (engine: () => Engine) => fromRoot(wrong, engine);
			const { checker, events } = await drive(entries, { settings: rules, decide, observer });
			expect(checker.faults).toEqual([]);
			expect(wrong).toEqual([]);
			for (const { event } of events) if (isDecision(event)) made.add(event.type);
		}),
		{ ...RUNS, numRuns: 160 },
	);
	expect([...made].sort()).toEqual(DECISIONS);
});

/** Reads each window from its root and counts those whose digest is not the one recorded. */
function fromRoot(wrong: string[], engine: () => Engine): Observer {
	const hash = (text: string) => sha256Node(new TextEncoder().encode(text));
	return {
		entry: () => undefined,
		window: () => undefined,
		event: (event) => {
			if (event.type !== "request/prepared") return;
			const { states } = engine();
			const items = windowItems(states, event.data.leaf, planAt(states, event.data.leaf));
			if (digestOf(items, hash) !== event.data.window) wrong.push(`request ${event.data.request}`);
		},
	};
}

test("a window followed from the one before is the window read from the root", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, settings, decisions, async (entries, rules, chosen) => {
			const wrong: string[] = [];
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			await drive(entries, { settings: rules, decide, observer: (engine) => fromRoot(wrong, engine) });
			expect(wrong).toEqual([]);
		}),
		RUNS,
	);
});

test("a result that comes after a request went out without it is a change with a cause of its own", async () => {
	const called = [user("u"), reply("a", 9, ["c"]), reply("cut off", 9, [], { stop: "aborted" })];
	const entries = chain([...called, result("r", "c"), reply("b"), custom("x")]);
	const { events, checker } = await drive(entries, { settings: DEFAULT_SETTINGS });
	const changes = events.flatMap(({ event }) =>
		event.type === "request/prepared" ? [event.data.change] : [],
	);
	expect(changes).toEqual([undefined, undefined, { item: 2, cause: "answer" }]);
	expect(checker.faults).toEqual([]);
});
