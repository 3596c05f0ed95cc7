import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery, tokensOf } from "../../projections/recall/query.ts";
import { timeIn } from "../../projections/recall/time.ts";

describe("a typed query", () => {
	test("is words, phrases and filters, paths with spaces in quotes", () => {
		const query = parseQuery(
			'cold cache "exact words" file:"my notes/a b.md" kind:user tool:read role:result sourceClass:primary thinking:true',
		);
		expect(query).toEqual({
			words: ["cold", "cache"],
			phrases: ["exact words"],
			file: "my notes/a b.md",
			kind: "user",
			tool: "read",
			role: "result",
			sourceClass: "primary",
			thinking: true,
		});
	});

	test.each(["http://host/path", "foo:bar", "file:", "since:", '"never closed', "C:\\x"])(
		"takes %s for text",
		(typed) => expect(parseQuery(typed)).toEqual({ words: typed.split(" "), phrases: [], thinking: false }),
	);

	test.each([
		["since:yesterday", "time"],
		["until:2025-13-45", "time"],
		["since:12/09/2025", "time"],
		["kind:nonsense", "kind"],
		["role:nobody", "role"],
		["sourceClass:best", "class"],
		["thinking:maybe", "switch"],
	])("does not heed %s, and tells what is of this kind", (typed, noun) =>
		expect(parseQuery(`${typed} word`)).toEqual({
			words: ["word"],
			phrases: [],
			thinking: false,
			unheeded: [expect.stringMatching(`^${typed} is no ${noun} and was not heeded; .`)],
		}),
	);

	test("leaves derived text in where all is asked for, and takes the last of a key", () => {
		expect(parseQuery("sourceClass:all x")).toEqual({ words: ["x"], phrases: [], thinking: false });
		expect(parseQuery("kind:user kind:bash").kind).toBe("bash");
	});

	test("loses nothing of what was typed", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'ab:" file'), maxLength: 40 }), (typed) => {
				let at = 0;
				for (const token of tokensOf(typed)) {
					const found = typed.indexOf(token.typed, at);
					expect(typed.slice(at, found).trim()).toBe("");
					at = found + token.typed.length;
				}
				expect(typed.slice(at).trim()).toBe("");
			}),
		);
	});
});

describe("a time", () => {
	test.each([
		"2026-01-31T12:00:00.500Z",
		"2024-02-29T00:00:00.000Z",
		"1970-01-01T00:00:00.000Z",
		"1969-12-31T23:59:59.999Z",
		"2026-01-31T12:00:00.500+02:00",
	])("%s is what the language says it is", (typed) => expect(timeIn(typed)).toBe(Date.parse(typed)));

	test("of any day is what the language says", () => {
		const day = fc.date({ min: new Date("1600-01-01"), max: new Date("2400-01-01"), noInvalidDate: true });
		fc.assert(
			fc.property(day, (date) => {
				expect(timeIn(date.toISOString())).toBe(date.getTime());
			}),
		);
	});

	test("without a zone is UTC, and a day or month as an end is meant whole", () => {
		expect(timeIn("2026-01-31T12:00")).toBe(Date.UTC(2026, 0, 31, 12));
		expect(timeIn("2026-01-31", true)).toBe(Date.UTC(2026, 1, 1) - 1);
		expect(timeIn("2026-02", true)).toBe(Date.UTC(2026, 2, 1) - 1);
		expect(parseQuery("until:2026-01-31").until).toBe(Date.UTC(2026, 1, 1) - 1);
	});

	test("is a year alone, or a day or moment without dashes and colons", () => {
		expect(timeIn("2030")).toBe(Date.UTC(2030, 0));
		expect(timeIn("2030", true)).toBe(Date.UTC(2031, 0) - 1);
		expect(timeIn("20251209")).toBe(Date.UTC(2025, 11, 9));
		expect(timeIn("20251209", true)).toBe(Date.UTC(2025, 11, 10) - 1);
		expect(timeIn("20251209T153000+0100")).toBe(Date.UTC(2025, 11, 9, 14, 30));
		expect(timeIn("20251209T1530Z")).toBe(Date.UTC(2025, 11, 9, 15, 30));
	});

	test.each([
		"20261",
		"202613",
		"20261301",
		"20260230",
		"2026-13",
		"2026-02-30",
		"2026-01-01T25:00",
		"tomorrow",
		"12",
	])("is not %s", (typed) => expect(timeIn(typed)).toBeUndefined());
});
