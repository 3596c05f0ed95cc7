import { expect, test } from "vitest";
import { nodeOf } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import { commitNow } from "../../src/commands/commit.ts";
import { candidateAt } from "../../src/commands/commit-candidate.ts";
import { isCold, quoteFor } from "../../src/commands/quote.ts";
import { fact, Given, line } from "./given.ts";

const MINUTE = 60_000;

const receipt = () => ({ text: "receipt", chars: 0 });

/** 60,000 characters in two cuts of 10,000 tokens each, and 3,000 characters behind them. */
function twoCuts() {
	const facts = [fact("u", "user", 30_000), fact("a", "assistant", 30_000), fact("v", "user", 3_000)];
	const log = new Given({ minFoldChars: 30_000, floorTokens: 1_000, consolidateAfter: 10 }).valuation();
	return log.entries(line(facts), 600);
}

function quoteAt(log: Given) {
	const candidate = candidateAt(log.states, "v");
	if (!candidate) throw new TypeError("nothing is foldable");
	return quoteFor(log.states, "v", undefined, candidate);
}

test("a quote counts what the window loses, what is written again, and both in money", () => {
	const quote = quoteAt(twoCuts());
	expect(quote).toMatchObject({ unit: "usd", before: 21_000, after: 1_400, freed: 19_600, rewritten: 1_400 });
	expect(quote.saves).toBeCloseTo(19_600 / 1e6);
	expect(quote.cost).toBeCloseTo((1_400 * (10 - 1)) / 1e6);
});

test("what is kept of a folded window ends where a message was held that is not held any more", () => {
	const log = new Given({ minFoldChars: 30_000, floorTokens: 0, consolidateAfter: 10 }).valuation();
	log.entries(
		line([fact("t", "assistant", 9), fact("u", "user", 30_000), fact("a", "assistant", 30_000)]),
		300,
	);
	const request = {
		at: 1,
		leaf: "a",
		model: "test/model",
		clip: () => undefined,
		receipt,
		digest: () => "w",
	};
	for (const event of commitNow(log.states, request)) log.event(event);
	const decision = [...log.states.plans.after.keys()][0] ?? -1;
	const later = [
		fact("n", undefined, 0, { decision }),
		fact("v", "user", 30_000),
		fact("b", "assistant", 30_000),
	];
	log.entries(line(later, "a"), 300);
	const candidate = candidateAt(log.states, "b");
	const commit = planAt(log.states, "b");
	if (!candidate || !commit) throw new TypeError("nothing was folded, or nothing is foldable");
	const quote = quoteFor(log.states, "b", commit, candidate);
	expect(quote).toMatchObject({ after: 300 + 10_000, rewritten: 200 + 10_000 });
	log.valuation({ cache: "breakpoint" });
	expect(quoteFor(log.states, "b", commit, candidate).rewritten).toBe(300 + 10_000);
});

test("what waiting has cost includes the request at hand", () => {
	const log = twoCuts().sent(0, "test/model", { holding: 0.25 }).sent(1, "test/model", { holding: 0.5 });
	expect(quoteAt(log).held).toBeCloseTo(0.75 + 19_600 / 1e6);
});

test("waiting is over once a commit was made; it begins anew where that commit does not hold", () => {
	const log = twoCuts().sent(0, "test/model", { holding: 0.25 });
	const request = {
		at: 1,
		leaf: "v",
		model: "test/model",
		clip: () => undefined,
		receipt,
		digest: () => "w",
	};
	for (const event of commitNow(log.states, request)) log.event(event);
	expect(quoteAt(log)).toMatchObject({ waited: 1 });
	expect(quoteAt(log).held).toBeCloseTo(19_600 / 1e6);
});

test("a request falls into a price tier as a whole", () => {
	const tiers = [{ above: 10_000, input: 20, read: 2, write: 20, output: 100 }];
	const quote = quoteAt(twoCuts().valuation({ tiers }));
	expect(quote.saves).toBeCloseTo((21_000 * 2 - 1_400) / 1e6);
});

test("without a valuation the quote is in token equivalents", () => {
	const facts = line([fact("u", "user", 30_000), fact("a", "assistant", 30_000), fact("v", "user", 3_000)]);
	const log = new Given({ minFoldChars: 30_000, floorTokens: 1_000 }).entries(facts, 600);
	expect(quoteAt(log)).toMatchObject({ unit: "token", freed: 19_600 });
});

const next = (at: number, more: { model?: string; warmedAt?: number; leaf?: string } = {}) => ({
	at,
	leaf: null,
	model: "test/model",
	...more,
});

test("a cache is cold when nothing was sent on its model with this commit within its lifetime", () => {
	const log = new Given().valuation();
	expect(isCold(log.states, next(0), undefined)).toBe(true);
	log.sent(10 * MINUTE, "test/model");
	expect(isCold(log.states, next(15 * MINUTE), undefined)).toBe(false);
	expect(isCold(log.states, next(15 * MINUTE + 1), undefined)).toBe(true);
	expect(isCold(log.states, next(11 * MINUTE, { model: "test/other" }), undefined)).toBe(true);
});

test("where no request was seen, as in a fork, the last reply on the path says when one went out", () => {
	const log = new Given()
		.valuation()
		.entries(line([fact("u", "user", 100), fact("a", "assistant", 100), fact("v", "user", 100)]));
	const replied = nodeOf(log.states.tree, "a")?.at ?? 0;
	expect(isCold(log.states, next(replied + 5 * MINUTE, { leaf: "v" }), undefined)).toBe(false);
	expect(isCold(log.states, next(replied + 5 * MINUTE + 1, { leaf: "v" }), undefined)).toBe(true);
	expect(isCold(log.states, next(replied, { leaf: "u" }), undefined)).toBe(true);
	log.sent(replied + 10 * MINUTE, "test/other");
	expect(isCold(log.states, next(replied + 1, { leaf: "v" }), undefined)).toBe(true);
});

test("a clock that jumped back means warm", () => {
	const log = new Given().valuation().sent(60 * MINUTE, "test/model");
	expect(isCold(log.states, next(1 * MINUTE), undefined)).toBe(false);
});

test("a refresh keeps a cache warm from when it was made", () => {
	const log = new Given().valuation().sent(10 * MINUTE, "test/model");
	expect(isCold(log.states, next(18 * MINUTE, { warmedAt: 14 * MINUTE }), undefined)).toBe(false);
	expect(isCold(log.states, next(20 * MINUTE, { warmedAt: 14 * MINUTE }), undefined)).toBe(true);
});

test("a refresh keeps the window sent last warm, and no other", () => {
	const log = new Given().valuation().sent(10 * MINUTE, "test/model");
	log.sent(11 * MINUTE, "test/other");
	expect(isCold(log.states, next(18 * MINUTE, { warmedAt: 14 * MINUTE }), undefined)).toBe(true);
});
