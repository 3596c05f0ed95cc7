import { expect, test } from "vitest";
import { tableLines } from "../../src/cli/table.ts";
import { mergedSpans } from "../../src/debug/merged-spans.ts";

/** More than can be handed to a function as its arguments. */
const MANY = 200_000;

test("a text that very many entries hold was in view as long as one of them was", () => {
	const things = Array.from({ length: MANY }, (_, index) => ({
		spans: [{ from: index + 1, to: MANY, as: "whole", through: "e1" }] as const,
	}));
	expect(mergedSpans(things)).toEqual([{ from: 1, to: MANY, as: "whole", through: "e1" }]);
});

test("a table of very many rows is as wide as the widest of them", () => {
	const rows = Array.from({ length: MANY }, (_, index) => [`${index}`, "x"]);
	expect(tableLines(["n", "what"], rows).at(-1)).toBe(`${MANY - 1}     x`);
});
