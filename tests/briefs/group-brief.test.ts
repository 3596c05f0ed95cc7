import fc from "fast-check";
import { expect, test } from "vitest";
import {
	BRIEF_CHARS,
	type Brief,
	GROUP_CHARS,
	ITEM_NAMES,
	LINE_CHARS,
	SUPPLIED_CHARS,
} from "../../projections/brief/brief.ts";
import { cutBrief } from "../../projections/brief/cut-brief.ts";
import { groupBrief } from "../../projections/brief/group-brief.ts";
import { tokensIn } from "../../projections/brief/names.ts";
import { withSupplied } from "../../projections/brief/render.ts";
import { cut } from "./made-cuts.ts";
import { ran, said, user } from "./transcripts.ts";

const cuts = fc.array(cut, { minLength: 1, maxLength: 10 });

/** Briefs of cuts one after another, each told what stands before it. */
function briefsOf(spans: readonly Parameters<typeof cutBrief>[0][]): Brief[] {
	const briefs: Brief[] = [];
	for (const span of spans) briefs.push(cutBrief(span, briefs));
	return briefs;
}

test("a group names what its children named, as long as it fits", () => {
	fc.assert(
		fc.property(cuts, (spans) => {
			const children = briefsOf(spans);
			const group = groupBrief(children);
			if (group.text.length > GROUP_CHARS - 400) return;
			const tokens = tokensIn(group.text);
			for (const [name] of children.flatMap((child) => child.items.flatMap((item) => item.names)))
				expect(tokens.has(name)).toBe(true);
		}),
	);
});

test("groups of groups keep to their room, to 24 names an item and to 300 characters a line", () => {
	fc.assert(
		fc.property(fc.array(cuts, { minLength: 1, maxLength: 3 }), (groups) => {
			const { text } = groupBrief(groups.map((spans) => groupBrief(briefsOf(spans))));
			expect(text.length).toBeLessThanOrEqual(GROUP_CHARS);
			for (const line of text.split("\n")) {
				expect(line.length).toBeLessThanOrEqual(LINE_CHARS);
				expect(line.slice(line.indexOf(": ") + 2).split(" ").length).toBeLessThanOrEqual(ITEM_NAMES * 8);
			}
		}),
		{ numRuns: 40 },
	);
});

test("a group adds up what ran, and tells the first question and the last remark", () => {
	const first = cutBrief([
		user("Find the leak."),
		...ran("bash", { command: "npm test" }, "", true),
		said("It leaks."),
	]);
	const last = cutBrief([
		user("And now?"),
		...ran("bash", { command: "npm test" }, ""),
		...ran("read", { path: "a.ts" }, ""),
		said("Fixed."),
	]);
	expect(groupBrief([first, last]).text.split("\n")[0]).toBe(
		'User asked "Find the leak" (+1 more). Ran bash ×2 (1 failed), read; assistant: "Fixed".',
	);
});

test("a supplied brief stands word for word, and the index gives way", () => {
	const many = Array.from({ length: 400 }, (_, i) => `someName${i}Here someName${i}Here`).join(" ");
	const brief = cutBrief([
		user("Rename them."),
		...ran("edit", { path: "src/a.ts", newText: many }, "ok"),
		said(many),
	]);
	const supplied = `${"kept word for word; ".repeat(29)}the end`;
	const both = withSupplied(brief, supplied);
	expect(both.text).toContain(supplied);
	expect(both.text.length).toBeLessThanOrEqual(BRIEF_CHARS);
	expect(both.items.length).toBeGreaterThan(0);
	expect(() => withSupplied(brief, "x".repeat(SUPPLIED_CHARS + 1))).toThrow(RangeError);
});

test("what a supplied brief names outlives its child", () => {
	const child = withSupplied(cutBrief([user("Go.")]), "the culprit is flushQueue in src/queue.ts");
	expect(groupBrief([child]).text).toContain("note: flushQueue src/queue.ts");
});
