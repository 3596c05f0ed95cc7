import fc from "fast-check";
import { expect, test } from "vitest";
import { truncationCutBrief, truncationGroupBrief } from "../../projections/brief/truncation.ts";
import { cut } from "./made-cuts.ts";
import { ran, said, user } from "./transcripts.ts";

test("a tool batch is told by its calls, its opening paragraph and its last words", () => {
	const { text } = truncationCutBrief(
		ran("read", { path: "a.ts", limit: 5 }, "The head.\nGoes on.\n\nbody\nthe end"),
	);
	expect(text).toBe(
		'Read read(limit=5, path=a.ts) · opens "The head. Goes on." · ends "The head. Goes on. body the end" · exact source here',
	);
});

test("a chapter has a piece per message, in order, and says what it leaves out", () => {
	const entries = [
		user("Why?"),
		...ran("bash", { command: "ls" }, "a b", true),
		said("Because.\n\nMore."),
		said(""),
	];
	expect(truncationCutBrief(entries).text).toBe(
		'User asked: Why? · bash({"command":"ls"}) [errored] → "a b" · Noted: Because.',
	);
	const many = Array.from({ length: 30 }, (_, i) => user(`${i} ${"word ".repeat(40)}`));
	expect(truncationCutBrief(many).text).toMatch(/ · \d+ more entries in this span$/);
});

test("a group tells its children, then every note", () => {
	const children = [
		truncationCutBrief([said("First.")]),
		truncationCutBrief([user("And?"), said("Second.")]),
	];
	expect(truncationGroupBrief(children).text).toBe(
		"Grouped completed context covering 2 folds and 2 agent notes: Noted: First. | User asked: And? · Noted: Second. | First. | Second.",
	);
});

test("no brief has more than 2,000 characters", () => {
	fc.assert(
		fc.property(fc.array(cut, { maxLength: 10 }), (spans) => {
			const briefs = spans.map((span) => truncationCutBrief(span));
			for (const { text } of [...briefs, truncationGroupBrief(briefs)])
				expect(text.length).toBeLessThanOrEqual(2000);
		}),
		{ numRuns: 50 },
	);
});
