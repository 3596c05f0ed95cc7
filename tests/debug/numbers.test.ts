import { expect, test } from "vitest";
import { aboutDollars, dollars } from "../../src/debug/numbers.ts";

test.each([
	[0, "$0.00"],
	[1e-12, "less than $0.001"],
	[0.000499, "less than $0.001"],
	[0.00051, "$0.001"],
	[0.0994, "$0.099"],
	[0.1, "$0.10"],
	[12.345, "$12.35"],
	[-0.02, "-$0.020"],
])("%f is told as %s", (amount, words) => {
	expect(dollars(amount)).toBe(words);
});

test("as many digits as asked for are told, and what is too small for them is said to be", () => {
	expect(dollars(0.000_49, 4)).toBe("$0.0005");
	expect(dollars(0.000_04, 4)).toBe("less than $0.0001");
	expect(dollars(3.2, 4)).toBe("$3.20");
});

test("an estimate is about an amount, unless it is less than one", () => {
	expect(aboutDollars(0.004)).toBe("about $0.004");
	expect(aboutDollars(0.0004)).toBe("less than $0.001");
	expect(aboutDollars(0)).toBe("$0.00");
});
