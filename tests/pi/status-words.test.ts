import { expect, test } from "vitest";
import { askedRawWords, receiptSentence } from "../../src/adapters/pi/receipt-words.ts";
import { statusLine, statusText } from "../../src/adapters/pi/status-words.ts";
import type { FoldStatus } from "../../src/debug/fold-status.ts";
import type { Receipt } from "../../src/debug/receipt.ts";

const quote: Receipt["quote"] = {
	unit: "usd",
	before: 53_400,
	after: 41_100,
	freed: 12_300,
	rewritten: 20_100,
	cost: 0.115,
	saves: 0.0062,
	held: 0,
	waited: 3,
	factor: 1,
};

const receipt: Receipt = {
	trigger: "economic",
	quote,
	saving: { unit: "usd", ours: 3.2, host: 4.9 },
};

const status: FoldStatus = {
	policy: "economic",
	isObserved: false,
	used: 74_100,
	budget: 183_600,
	forced: 146_880,
	folds: { here: 12, nested: 32 },
	staged: { marks: 3, tokens: 9_120 },
	saving: { unit: "usd", ours: 3.2, host: 4.9 },
	outlook: { waits: "pays", requests: 7 },
	receipt,
};

test("a receipt says what a commit freed, cost and will save, and the running sum", () => {
	expect(receiptSentence(receipt, "now")).toBe(
		"folded about 12,300 tokens out of the window: 53,400 before, 41,100 now; the provider takes about 20,100 of them in again, for about $0.12; every later request saves about $0.006; so far $3.20, where Pi's own compaction would have made it $4.90",
	);
	const { saving: _, ...first } = receipt;
	expect(receiptSentence({ ...first, trigger: "cold" }, "now")).toMatch(
		/; at no cost, for no cache held the old one any more; every later request saves about \$0\.006$/,
	);
});

test("what was asked to stay raw follows a receipt, whatever became of it", () => {
	expect(askedRawWords({ raw: [], folded: [] })).toBe("");
	expect(askedRawWords({ raw: ["f1-a"], folded: [] })).toBe("; f1-a stays raw, as was asked before");
	expect(askedRawWords({ raw: ["f1", "f2", "f3", "f4", "f5"], folded: ["f6"] })).toBe(
		"; f1, f2, f3 and 2 more stay raw, as was asked before; f6 had been asked to stay raw, for which there is no room",
	);
});

test("what has no price is told in tokens, never in dollars", () => {
	const saving = { unit: "token" as const, ours: 1_210_000, host: 1_980_000 };
	const unpriced = { ...receipt, quote: { ...quote, unit: "token" as const }, saving };
	const words = [
		receiptSentence(unpriced, "now"),
		statusText({ ...status, receipt: unpriced, saving }),
		statusLine({ ...status, saving }),
	];
	for (const text of words) expect(text).not.toContain("$");
	expect(words[0]).toMatch(
		/; every later request is 12,300 tokens shorter; so far the worth of 1\.21M tokens/,
	);
	expect(words[2]).toBe("palimpsest 40% · 12 folds · 3 staged · saved 770K tokens");
});

test("the status tells everything in lines of 78 columns", () => {
	const text = statusText(status);
	expect(text).toMatchInlineSnapshot(`
		"folding by itself, economic
		[██████████░░░░░░░░░░░░░░] 40%, 74,100 of 183,600 tokens
		next     a commit pays in about 7 requests, or when the cache is cold, or the
		         window is at 146,880 tokens, 72,780 from now
		folds    12 here, 32 with nesting
		staged   3 marks, about 9,120 tokens
		last     folded about 12,300 tokens out of the window: 53,400 before, 41,100
		         then; the provider takes about 20,100 of them in again, for about
		         $0.12; every later request saves about $0.006
		so far   $3.20, where Pi's own compaction would have made it $4.90
		         /fold commits now; /fold-settings looks at the rules or changes them"
	`);
	for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(78);
});

test("a state in which nothing is folded comes first, and what is pinned is counted", () => {
	const paused = { ...status, pinned: 2, halt: { how: "paused" as const } };
	expect(statusText(paused)).toMatch(/^paused; only \/fold makes new folds\n/);
	expect(statusText(paused)).toContain("\npinned   2 entries\n");
	expect(statusLine(paused)).toMatch(/^palimpsest 40% · paused · 12 folds/);
	const off = { ...status, halt: { how: "off" as const, why: "you said so" } };
	expect(statusText(off)).toMatch(/^off in this session: you said so; folds stand as they are/);
	const beside = { ...status, halt: { how: "no new folds" as const, why: "a lock" } };
	expect(statusText(beside)).toMatch(/^no new folds: a lock; those there are stand\n/);
});

test("nothing is guessed before a request was measured", () => {
	const { used: _u, saving: _s, receipt: _r, ...fresh } = status;
	const none = { ...fresh, folds: { here: 0, nested: 0 }, staged: { marks: 0, tokens: 0 } };
	expect(statusText(none)).toContain("] not measured yet; the budget is 183,600 tokens");
	expect(statusText(none)).toContain("\nso far   not measured yet\n");
	expect(statusLine(none)).toBe("palimpsest not measured yet");
});

test("what the next commit waits for is told, and how far it is to one that is forced", () => {
	const next = (more: Partial<FoldStatus>) => statusText({ ...status, ...more }).replace(/\n {9}/g, " ");
	const least = { waits: "foldable" as const, freed: 3_100, least: 8_000 };
	expect(next({ outlook: least })).toContain(
		"a commit waits until 8,000 tokens are foldable (3,100 now), or the window is at 146,880 tokens, 72,780 from now",
	);
	expect(next({ policy: "calm", outlook: { waits: "cold" } })).toContain(
		"a commit waits until the cache is cold, or the window is at",
	);
	expect(next({ policy: "band", outlook: { waits: "full" } })).toContain(
		"a commit comes at 146,880 tokens, 72,780 from now",
	);
	const due = { waits: "request" as const, trigger: "cold" as const };
	expect(next({ outlook: due })).toContain("a commit comes with the next request");
	expect(next({ policy: "off", outlook: { waits: "off" } })).toContain("nothing is committed by itself");
	expect(next({ used: 150_000 })).toContain("the window is full, and nothing more can be folded");
});

test("a bar shows the share of the budget, however much over it", () => {
	expect(statusText({ ...status, used: 0 })).toContain(`[${"░".repeat(24)}] 0%`);
	expect(statusText({ ...status, used: 200_000 })).toContain(`[${"█".repeat(24)}] 109%`);
});

test("a loss is called one", () => {
	expect(statusLine({ ...status, saving: { unit: "usd", ours: 5.15, host: 4.9 } })).toMatch(
		/ · lost \$0\.25$/,
	);
	expect(statusLine({ ...status, saving: { unit: "usd", ours: 4.9, host: 4.901 } })).toMatch(/ · 3 staged$/);
});
