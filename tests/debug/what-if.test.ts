import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Content } from "../../src/debug/content.ts";
import { History } from "../../src/debug/history.ts";
import { keepsWarm } from "../../src/debug/modelled-cache.ts";
import { type WhatIfOptions, whatIf } from "../../src/debug/what-if.ts";
import { runOtherwise } from "../../src/debug/what-if-run.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { STREAM } from "../walk/walk-state.ts";
import { walkThrough } from "../walk/walker.ts";
import { BilledSession, PRICED } from "./billed-session.ts";

/** A window that a policy fills and empties again in few rounds. */
const TIGHT = { policy: "economic", inputBudget: 14_000, floorTokens: 2_000 } as const;

/** A live session whose policy commits by itself, with more in it where asked for. */
async function live(
	meanwhile: (session: BilledSession) => Promise<unknown> = async () => {},
): Promise<BilledSession> {
	const session = await BilledSession.open(TIGHT);
	await session.works(14, 3_000, { decides: true });
	await meanwhile(session);
	await session.works(10, 3_000, { decides: true });
	return session;
}

async function asked(session: BilledSession, options: WhatIfOptions) {
	return whatIf(await session.history(), session.store, session.content, options);
}

async function otherwise(session: BilledSession, { from = 1, ...options }: WhatIfOptions) {
	const was = await session.history();
	const { store, content } = session;
	return { was, run: await runOtherwise(was, store, content, { from, ...options, warms: keepsWarm(was) }) };
}

/** A window as it went out, but for the names a host gives the nodes of decisions. */
function windows({ requests }: History, from = 1, to = requests.length) {
	return requests.slice(from - 1, to).map(({ prepared: { leaf: _name, ...prepared } }) => prepared);
}

describe("the same settings", () => {
	test("give the same windows, from whatever request on", async () => {
		const session = await live();
		for (const from of [1, 2, 9, 24]) {
			const { was, run } = await otherwise(session, { from, settings: {} });
			expect(windows(run.history)).toEqual(windows(was));
		}
		const { recorded, other } = await asked(session, { settings: {} });
		expect(recorded.commits).toBeGreaterThan(1);
		expect({ ...other, label: "" }).toEqual({ ...recorded, label: "" });
		expect(other.label).toBe("the same settings");
	});

	test("go along branches as the session did", async () => {
		const session = await live(async (one) => {
			const there = one.leaf;
			one.leaf = "e9";
			await one.works(3, 3_000, { decides: true });
			one.leaf = there;
		});
		const { was, run } = await otherwise(session, { settings: {} });
		expect(windows(run.history)).toEqual(windows(was));
	});
});

test("another policy decides from a request on, and what was decided before stands", async () => {
	const session = await live();
	const history = await session.history();
	const [first, second] = history.decisions.map(({ after }) => after + 1);
	expect(second).toBeGreaterThan(first ?? 0);
	const answer = await asked(session, { from: second, settings: { policy: "off" } });
	expect(answer.recorded.commitAt).toEqual(history.decisions.map(({ after }) => after + 1));
	expect(answer.other.commitAt).toEqual([first]);
	expect(answer.other.peak).toBeGreaterThan(answer.recorded.peak);
	expect(answer.other.tokens.slice(0, (second ?? 0) - 1)).toEqual(
		answer.recorded.tokens.slice(0, (second ?? 0) - 1),
	);
	expect(answer.other.hidden).toBeLessThanOrEqual(answer.recorded.hidden);
	expect(answer.settings).toMatchObject({ policy: "off", floorTokens: 2_000 });
	expect(answer.before).toBeCloseTo(answer.recorded.spent[(second ?? 0) - 2] ?? 0, 12);
	expect(answer.before).toBeCloseTo(answer.other.spent[(second ?? 0) - 2] ?? 0, 12);
});

test("what a user or the model decided later is left out, and that is said", async () => {
	const session = await live(async (one) => {
		await one.decides({ do: "pin", ids: ["e20"] });
		await one.decides({ do: "expand", fold: one.folds()[0] ?? "" });
	});
	const { was, run } = await otherwise(session, { settings: {} });
	expect(run.dropped.others).toBe(2);
	expect(run.history.decisions.map(({ event }) => event.type)).not.toContain("pin/placed");
	const commits = (of: History) => of.decisions.filter(({ event }) => event.type === "commit/applied").length;
	expect(commits(run.history)).toBeGreaterThan(1);
	// no node of the recorded decisions acts: everything in force there was decided there
	for (const { prepared } of run.history.requests)
		if (prepared.commit) expect(run.history.states.plans.commits.has(prepared.commit)).toBe(true);
	const { notes } = await asked(session, { settings: {} });
	expect(notes.join("\n")).toMatch(/2 decisions .* are left out of the other side\./);
	expect(was.decisions.length).toBeGreaterThan(run.history.decisions.length);
});

test("nothing is written to the store", async () => {
	const session = await live();
	const before = session.store.head("session/billed");
	await asked(session, { settings: { policy: "calm" } });
	expect(session.store.head("session/billed")).toEqual(before);
});

test("on another model the other side has its prices", async () => {
	const session = await live();
	const dearer = { ...PRICED, model: "test/two", input: 50, read: 5, write: 50, output: 250 };
	const { recorded, other, settings } = await asked(session, {
		settings: { policy: "off" },
		valuation: dearer,
	});
	expect(settings.model).toBe("test/two");
	expect(other.label).toBe("policy off, model test/two");
	expect(other.cost).toBeGreaterThan(5 * recorded.cost);
	const half = await otherwise(session, { from: 12, settings: {}, valuation: dearer });
	expect(new Set(half.run.history.requests.slice(11).map(({ prepared }) => prepared.model))).toEqual(
		new Set(["test/two"]),
	);
});

test("entries whose content is gone are counted by their recorded sizes", async () => {
	const session = await live();
	const history = await session.history();
	const { content } = session;
	const missing = new Set<string>();
	for await (const run of session.store.readRuns("session/billed"))
		for (const { type, data } of run) {
			const { id, digest } = data as { id: string; digest: string };
			if (type === "entry/recorded" && ["e3", "e8"].includes(id)) missing.add(digest);
		}
	const holey: Content = Object.assign(
		(digest: string) => (missing.has(digest) ? undefined : content(digest)),
		{ decode: content.decode },
	);
	const answer = await whatIf(history, session.store, holey, { settings: {} });
	const [first = 0] = answer.recorded.commitAt;
	expect(answer.other.commitAt).toEqual(answer.recorded.commitAt);
	expect(answer.other.tokens.slice(0, first - 1)).toEqual(answer.recorded.tokens.slice(0, first - 1));
	// what stands for them tells less, and that is all
	for (const [index, tokens] of answer.other.tokens.entries())
		expect(Math.abs(tokens - (answer.recorded.tokens[index] ?? 0))).toBeLessThan(200);
	expect(answer.notes.join("\n")).toContain(
		"2 entries whose content is gone are counted by recorded sizes: ",
	);
});

test("of many requests places are told, each with the largest window of its run", async () => {
	const session = await live();
	const whole = await asked(session, { settings: {} });
	const few = await asked(session, { settings: {}, most: 5 });
	expect(whole.request).toHaveLength(24);
	expect(few.request).toEqual([5, 10, 15, 20, 24]);
	expect(few.recorded.tokens[0]).toBe(Math.max(...whole.recorded.tokens.slice(0, 5)));
	expect(few.recorded.spent.at(-1)).toBe(whole.recorded.cost);
});

test("settings that do not go together and a request that was never made are refused", async () => {
	const session = await live();
	await expect(asked(session, { settings: { minTarget: 0.9 } })).rejects.toThrow(
		/minTarget 0.9 is not below/,
	);
	await expect(asked(session, { settings: { floorTokens: 20_000 } })).rejects.toThrow(/not below the budget/);
	await expect(asked(session, { from: 25, settings: {} })).rejects.toThrow("no request 25");
});

test("whatever happened in a session, it happens again: entries, requests, and all before the fork", async () => {
	let followed = 0;
	const property = fc.asyncProperty(walks(30), fc.nat(99), async (walk, which) => {
		const { store, host } = await walkThrough(walk, {}, { compares: false });
		const history = await History.read(store, STREAM);
		const { requests } = history;
		if (requests.length === 0) return;
		const from = (which % requests.length) + 1;
		const content: Content = Object.assign((digest: string) => store.blob(digest), {
			decode: (_bytes: Uint8Array, { id }: { readonly id: string }) => host.entry(id) as never,
		});
		const run = await runOtherwise(history, store, content, {
			from,
			settings: { policy: "off" },
			warms: true,
		});
		expect(run.history.requests).toHaveLength(requests.length);
		expect(windows(run.history, 1, from - 1)).toEqual(windows(history, 1, from - 1));
		expect(run.history.decisions.filter(({ after }) => after >= from)).toEqual([]);
		for (const { prepared } of requests) {
			const replayed = run.history.request(prepared.request);
			expect(replayed?.prepared.at).toBe(prepared.at);
		}
		followed += requests.length - from + 1;
	});
	await fc.assert(property, runs(20));
	expect(followed).toBeGreaterThan(10);
});
