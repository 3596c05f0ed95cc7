import { expect, test } from "vitest";
import type { Evidence } from "../../projections/work-summary/evidence.ts";
import type { EvidenceHit } from "../../projections/work-summary/render.ts";
import { evidenceText, summaryText } from "../../src/debug/recall/summary.ts";

const evidence: Evidence[] = Array.from({ length: 12 }, (_, n) => ({
	category: "goal",
	entry: `e${n}`,
	text: `a "goal" ${n} ${"ü".repeat(n)}`,
}));
const hits: EvidenceHit[] = [
	{ entryId: "e1", category: "tests", excerpt: "npm test", counts: { passed: 3, failed: 1 }, exitCode: 1 },
	{ entryId: "e2", category: "error", excerpt: "TypeError: x", goneSince: "e5" },
];

test("the summary is within any budget, and JSON is whole or an error", () => {
	for (let budget = 0; budget < 1_500; budget += 3) {
		const limits = { maxChars: budget };
		expect(summaryText(evidence, false, limits, budget).text.length).toBeLessThanOrEqual(budget);
		const { text, truncated } = summaryText(evidence, true, limits, budget);
		expect(text.length).toBeLessThanOrEqual(budget);
		const told = text === "" ? {} : JSON.parse(text);
		expect(truncated).toBe(told.evidence?.length !== evidence.length);
	}
});

test("what was found tells how it went, and what is left is on the next page", () => {
	expect(evidenceText({ hits, total: 5, nextPage: 2 }, false, 1_000).text.split("\n")).toEqual([
		"5 excerpts found; [id]: the entry",
		"[e1] tests: npm test → 3 passed, 1 failed (exit 1)",
		"[e2] error: TypeError: x (gone since e5)",
		"[more on page 2]",
	]);
});

test("pieces that were found are whole, within any budget", () => {
	for (let budget = 0; budget < 400; budget++) {
		for (const raw of [true, false]) {
			const { text, count, truncated } = evidenceText({ hits, total: 2 }, raw, budget);
			expect(text.length).toBeLessThanOrEqual(budget);
			if (raw && text !== "") JSON.parse(text);
			for (const { excerpt } of hits.slice(0, count)) expect(text).toContain(excerpt);
			if (count === hits.length) expect(truncated).toBe(false);
		}
	}
});
