import fc from "fast-check";
import { expect, test } from "vitest";
import { inOrder } from "../../src/debug/recall/top.ts";

const scored = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 800 });

test("documents come by their scores, the newer of equals first, however many are asked for", () => {
	fc.assert(
		fc.property(scored, (scores) => {
			const documents = scores.map((_, document) => document);
			const sorted = documents.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || b - a);
			expect([...inOrder(documents, scores)].map(({ document }) => document)).toEqual(sorted);
		}),
	);
});
