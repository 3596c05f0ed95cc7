import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import {
	commitForReasoning,
	commitIfDue,
	commitNow,
	observeIfDue,
	prepareRequest,
} from "../../src/commands/commit.ts";
import { expandFold } from "../../src/commands/expand.ts";
import { toRaw } from "../../src/commands/withdraw.ts";
import { requestAt as at, fact, Given, line } from "./given.ts";

/** When no cache lives any more. */
const muchLater = (leaf: string) => ({ ...at(leaf), at: 3_600_000 });

/** Cuts of 10,000 tokens, of which the texts leave 100. */
function cuts(count: number, settings = {}) {
	const facts = Array.from({ length: count }, (_, n) => fact(`a${n + 1}`, "assistant", 30_000));
	const log = new Given({ minFoldChars: 30_000, floorTokens: 0, maxTarget: 0.8, ...settings }).valuation();
	return log.entries(line(facts), 300);
}

const applied = (events: readonly DomainEvent[]) =>
	events.flatMap((event) => (event.type === "commit/applied" ? [event.data] : []));

test("nothing is committed where nothing is foldable", () => {
	const log = new Given({ minFoldChars: 30_000 }).entries([fact("u", "user", 100)]);
	expect(commitIfDue(log.states, at("u"))).toEqual([]);
	expect(commitNow(log.states, at("u"))).toEqual([]);
	expect(commitNow(log.states, at(null))).toEqual([]);
});

test("less than 8,000 tokens are not folded by rule, but are when someone asks", () => {
	const log = new Given({ minFoldChars: 20_000, floorTokens: 0 }).valuation();
	log.entries([fact("u", "assistant", 24_000)], 300);
	expect(commitIfDue(log.states, at("u"))).toEqual([]);
	expect(applied(commitNow(log.states, at("u")))).toMatchObject([{ trigger: "user", through: "f1-u" }]);
});

test("a cold cache brings a commit, and the record says what was folded and what for", () => {
	const log = cuts(2);
	const [commit, ...folds] = commitIfDue(log.states, muchLater("a2"));
	expect(commit).toMatchObject({
		type: "commit/applied",
		data: {
			trigger: "cold",
			through: "f2-a2",
			cut: 2,
			before: null,
			held: [],
			window: "window",
		},
	});
	expect(folds.map((event) => event.type)).toEqual(["fold/made", "fold/made", "shown/appended"]);
});

test("a warm cache brings none until the budget is reached", () => {
	const sent = (log: Given) => log.sent(0, "test/model");
	expect(commitIfDue(sent(cuts(2, { policy: "calm" })).states, at("a2"))).toEqual([]);
	const full = sent(cuts(2, { inputBudget: 25_000 }));
	expect(applied(commitIfDue(full.states, at("a2")))).toMatchObject([{ trigger: "budget" }]);
});

test("what is folded already is not folded again", () => {
	const log = cuts(2);
	for (const event of commitNow(log.states, at("a2"))) log.event(event);
	const position = [...log.states.plans.after.keys()][0] ?? -1;
	log.entries([{ ...fact("node", undefined, 0, { decision: position }), parent: "a2" }]);
	expect(commitNow(log.states, at("node"))).toEqual([]);
	log.entries([{ ...fact("a3", "assistant", 30_000), parent: "node" }]);
	const events = commitNow(log.states, at("a3"));
	expect(applied(events)).toMatchObject([{ through: "f3-a3", before: "c2-a2" }]);
	expect(events.map((event) => event.type)).toEqual(["commit/applied", "fold/made", "shown/appended"]);
});

test("two commits through one cut at one leaf keep their names apart", () => {
	const log = cuts(2);
	const ids: string[] = [];
	for (let n = 0; n < 3; n++) {
		const events = commitNow(log.states, at("a2"));
		for (const event of events) log.event(event);
		ids.push(...applied(events).map(({ id }) => id));
	}
	expect(ids).toEqual(["c2-a2", "c2-a2~2", "c2-a2~3"]);
});

test("a request records what waiting costs, and nothing where nothing is foldable", () => {
	const request = { ...muchLater("a2"), window: "w", items: 2 };
	const { data } = prepareRequest(cuts(2).states, request);
	expect(data).toMatchObject({ request: 1, leaf: "a2", tokens: 20_000, foldable: 19_800, cold: true });
	expect(data.holding).toBeCloseTo(19_800 / 1e6);
	const none = prepareRequest(cuts(2, { floorTokens: 90_000 }).states, request);
	expect(none.data).toMatchObject({ foldable: 0, holding: 0 });
});

test("thinking that a commit strips does not count as saved", () => {
	const facts = [fact("a1", "assistant", 30_000), fact("a2", "assistant", 29_000, { thinking: 9_000 })];
	const quoted = (reasoning: "keep" | "strip") => {
		const log = new Given({ minFoldChars: 30_000, floorTokens: 0 }).valuation({ reasoning });
		return applied(commitNow(log.entries(line(facts), 300).states, at("a2")))[0];
	};
	expect(quoted("strip")?.quote).toEqual(quoted("keep")?.quote);
	expect(quoted("strip")?.fixed.chars).toBe(300 + 40 - 9_000);
});

test("what would be committed is noted once where the user only watches, and not made", () => {
	const log = cuts(2, { observe: true });
	expect(commitIfDue(log.states, muchLater("a2"))).toEqual([]);
	const noted = observeIfDue(log.states, muchLater("a2"));
	expect(noted).toMatchObject([{ data: { trigger: "cold", through: "f2-a2", cut: 2, before: null } }]);
	for (const event of noted) log.event(event);
	expect(observeIfDue(log.states, muchLater("a2"))).toEqual([]);
	log.entries([{ ...fact("a3", "assistant", 30_000), parent: "a2" }], 300);
	expect(observeIfDue(log.states, muchLater("a3"))).toMatchObject([{ data: { through: "f3-a3" } }]);
	expect(observeIfDue(cuts(2).states, muchLater("a2"))).toEqual([]);
});

test("a commit through a cut of another branch is none", () => {
	const log = cuts(2);
	log.entries([{ ...fact("b2", "assistant", 30_000), parent: "a1" }], 300);
	expect(applied(commitNow(log.states, at("b2"), "f1-a1"))).toMatchObject([{ through: "f1-a1" }]);
	expect(commitNow(log.states, at("b2"), "f2-a2")).toEqual([]);
});

test("thinking that was refused is treated the other way in the commit in force, all else as it stands", () => {
	const log = cuts(3);
	const refused = (mode: "keep" | "strip") =>
		log.event({ type: "reasoning/changed", data: { model: "test/model", mode, why: "refused" } });
	expect(commitForReasoning(refused("strip").states, at("a3"))).toEqual([]);
	refused("keep");
	const tools = (leaf: string) => ({ leaf, ordinal: 99, digest: () => "window" });
	let leaf = log.decided(commitNow(log.states, at("a3")), "a3");
	leaf = log.decided(expandFold(log.states, { ...tools(leaf), fold: "f1-a1" }), leaf);
	leaf = log.decided(toRaw(log.states, { ...tools(leaf), ids: ["f2-a2"] }), leaf);
	expect(commitForReasoning(log.states, at(leaf))).toEqual([]);
	const [commit] = applied(commitForReasoning(refused("strip").states, at(leaf)));
	expect(commit).toMatchObject({ trigger: "reasoning", reasoning: "strip", through: "f3-a3" });
	expect(commit?.expanded.map(({ fold }) => fold)).toEqual(["f1-a1", "f2-a2"]);
	expect(commit?.dropped).toBe(undefined);
});
