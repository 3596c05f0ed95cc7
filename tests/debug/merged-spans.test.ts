import { expect, test } from "vitest";
import { mergedSpans } from "../../src/debug/merged-spans.ts";
import type { VisibilitySpan } from "../../src/debug/visibility.ts";

const whole = (through: string, from: number, to: number): VisibilitySpan => ({
	from,
	to,
	as: "whole",
	through,
});

test("of several that show the same, the one that does so longest is named", () => {
	const things = [
		{ spans: [whole("system", 1, 20)] },
		{ spans: [whole("user", 1, 4), { from: 5, to: 20, as: "hidden", because: "c1" } as const] },
	];
	expect(mergedSpans(things)).toEqual([whole("system", 1, 20)]);
});

test("what takes the place of one that is lost names why that was", () => {
	const things = [
		{ spans: [whole("a", 1, 4), { from: 5, to: 9, as: "hidden", because: "c1" } as const] },
		{ spans: [whole("b", 2, 6), { from: 7, to: 9, as: "hidden", because: "c2" } as const] },
		{ spans: [whole("c", 3, 9)] },
	];
	expect(mergedSpans(things)).toEqual([whole("a", 1, 4), { ...whole("c", 5, 9), because: "c1" }]);
});
