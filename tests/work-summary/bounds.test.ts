import fc from "fast-check";
import { expect, test } from "vitest";
import { accumulated } from "../../projections/work-summary/accumulate.ts";
import { CATEGORIES, type Evidence } from "../../projections/work-summary/evidence.ts";
import { findEvidence } from "../../projections/work-summary/find.ts";
import { renderWorkSummary, workSummaryData } from "../../projections/work-summary/render.ts";
import { ODD_IDS } from "../engine/odd-words.ts";
import { piece } from "./given.ts";

const evidence: fc.Arbitrary<Evidence[]> = fc
	.array(
		fc.record({
			category: fc.constantFrom(...CATEGORIES),
			text: fc.string({ minLength: 1, maxLength: 240, unit: "grapheme" }),
			failed: fc.boolean(),
			exit: fc.integer({ min: -1, max: 255 }),
			counts: fc.record({ passed: fc.nat(99), failed: fc.nat(9) }),
		}),
		{ maxLength: 120, size: "max" },
	)
	.map((pieces) =>
		pieces.map((one, n) => ({ ...one, entry: ODD_IDS[n] ?? `e${n}`, digest: `d${n}`, of: `o${n}` })),
	);
const limits = fc.record({
	maxChars: fc.integer({ min: -1, max: 40_000 }),
	maxEvidence: fc.integer({ min: -1, max: 600 }),
});
const RUNS = { seed: 4, numRuns: 200 };

/** Lines of a summary that hold evidence. */
const linesOf = (summary: string | undefined) =>
	(summary ?? "").split("\n").filter((line) => line.startsWith("["));

test("a summary keeps its bounds in characters and pieces, whatever it is made from", () => {
	fc.assert(
		fc.property(evidence, limits, (pieces, bound) => {
			const most = Math.min(30_000, Math.max(0, bound.maxChars));
			const count = Math.min(500, Math.max(2, bound.maxEvidence));
			const text = renderWorkSummary(pieces, bound);
			expect(text?.length ?? 0).toBeLessThanOrEqual(most);
			expect(linesOf(text).length).toBeLessThanOrEqual(count);
			const data = workSummaryData(pieces, bound);
			expect(data.evidence.length).toBeLessThanOrEqual(count);
			expect(data.evidence.length + data.omitted).toBe(pieces.length);
			if (data.evidence.length > 0) expect(JSON.stringify(data).length).toBeLessThanOrEqual(most);
			expect(accumulated([pieces], count).length).toBeLessThanOrEqual(count);
		}),
		RUNS,
	);
});

test("the same evidence gives the same summary, and is left as it was", () => {
	fc.assert(
		fc.property(evidence, limits, (pieces, bound) => {
			const before = structuredClone(pieces);
			const text = renderWorkSummary(pieces, bound);
			expect(renderWorkSummary(before, bound)).toBe(text);
			expect(workSummaryData(pieces, bound)).toEqual(workSummaryData(before, bound));
			expect(accumulated([pieces], 50)).toEqual(accumulated([before], 50));
			expect(pieces).toEqual(before);
		}),
		RUNS,
	);
});

test("the first goal and the newest of each category stay longest", () => {
	fc.assert(
		fc.property(evidence, fc.integer({ min: 9, max: 40 }), (pieces, maxEvidence) => {
			const { evidence: left } = workSummaryData(pieces, { maxEvidence, maxChars: 30_000 });
			const isLeft = (one: Evidence | undefined) =>
				!one || left.some(({ entryId, category }) => entryId === one.entry && category === one.category);
			expect(isLeft(pieces.find(({ category }) => category === "goal"))).toBe(true);
			for (const category of CATEGORIES)
				expect(isLeft(pieces.findLast((one) => one.category === category))).toBe(true);
		}),
		{ ...RUNS, numRuns: 100 },
	);
});

test("two pieces are the first goal and what came last", () => {
	const pieces = [piece("goal", "a", "first"), piece("goal", "b", "second"), piece("read", "c", "x.ts")];
	expect(workSummaryData(pieces, { maxEvidence: 2 }).evidence.map(({ entryId }) => entryId)).toEqual([
		"a",
		"c",
	]);
});

test("what is left out is old and of the middle", () => {
	const goals = Array.from({ length: 20 }, (_, n) => piece("goal", `e${n}`, `goal number ${n} of all`));
	const left = linesOf(renderWorkSummary(goals, { maxEvidence: 4 }));
	expect(left.map((line) => line.slice(0, 5).trim())).toEqual(
		["[e0]", "[e17]", "[e18]", "[e19]"].map((id) => id.slice(0, 5)),
	);
});

/** A gap, or the id of an entry, by line. */
const told = (summary: string | undefined) =>
	(summary ?? "").split("\n").flatMap((line) => /^\[(\w+)\]|^…/.exec(line)?.slice(0, 1) ?? []);

test("where pieces are left out it is said how many, in their place, and what was left out when cuts closed counts too", () => {
	const goals = Array.from({ length: 120 }, (_, n) => piece("goal", `e${n}`, `goal number ${n} of all`));
	const cuts = [goals.slice(0, 60), goals.slice(60)].map((cut) => accumulated([cut], 48));
	const summary = renderWorkSummary(accumulated(cuts, 500), { maxEvidence: 4 });
	expect(told(summary)).toEqual(["[e0]", "…", "[e117]", "[e118]", "[e119]"]);
	expect(summary).toContain("\n… 116 more not shown\n");
	const files = Array.from({ length: 60 }, (_, n) => piece("read", `e${n}`, `src/f${n}.ts`));
	expect(renderWorkSummary(files, { maxEvidence: 50 })).toContain("Files read:\n… 10 more not shown\n[e10]");
	const again = accumulated([accumulated([files], 48), [piece("read", "x", "src/f20.ts")]], 500);
	expect(renderWorkSummary(again)).toContain("Files read:\n… up to 12 more not shown\n[e12]");
	expect(workSummaryData(again).omitted).toBe(12);
	expect(renderWorkSummary(goals.slice(0, 5))).not.toContain("not shown");
	expect(told(renderWorkSummary(goals, { maxEvidence: 2, maxChars: 215 }))).toEqual(["[e0]", "…"]);
});

test("a piece that comes again takes what was left out before it along", () => {
	const files = Array.from({ length: 60 }, (_, n) => piece("read", `e${n}`, `src/f${n}.ts`));
	const cut = accumulated([files], 48);
	const [first] = cut;
	expect(first?.left).toBe(12);
	const changed = accumulated([cut, [piece("changed", "x", first?.text ?? "")]], 500);
	expect(changed.reduce((sum, { left = 0 }) => sum + left, 0)).toBe(12);
	const read = accumulated([cut, [piece("read", "x", first?.text ?? "")]], 500);
	expect(read.at(-1)?.left).toBe(12);
});

test("a summary says what it is, and with nothing to say there is none", () => {
	const text = renderWorkSummary([piece("goal", "a", "make it work")]) ?? "";
	expect(text.split("\n")[0]).toMatch(/excerpts .*not conclusions; data, not instructions/);
	expect(renderWorkSummary([])).toBeUndefined();
	expect(renderWorkSummary([piece("open", "a", "", { of: "todo" })])).toBeUndefined();
	expect(renderWorkSummary([piece("goal", "a", "make it work")], { maxChars: 100 })).toBeUndefined();
});

test("a search finds evidence by words, most of them first, then the newest, in any case and width", () => {
	const pieces = [
		piece("goal", "a", "Cache the parser's output"),
		piece("error", "b", "Error: parser broke", { during: "npm test" }),
		piece("changed", "c", "src/parser.ts"),
		piece("goal", "d", "缓存解析器的输出"),
	];
	const idsOf = (query: string, limit = 8) =>
		findEvidence(pieces, query, limit).map(({ entryId }) => entryId);
	expect(idsOf("parser OUTPUT")).toEqual(["a", "c", "b"]);
	expect(idsOf("ＰＡＲＳＥＲ", 1)).toEqual(["c"]);
	expect(idsOf("npm")).toEqual(["b"]);
	expect(idsOf("解析器")).toEqual(["d"]);
	expect([...idsOf(""), ...idsOf("  ")]).toEqual([]);
	expect(findEvidence(pieces, "src", 8)).toEqual([
		{ entryId: "c", category: "changed", excerpt: "src/parser.ts", files: ["src/parser.ts"] },
	]);
});
