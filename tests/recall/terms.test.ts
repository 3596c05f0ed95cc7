import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonStem, formsOf } from "../../projections/recall/inflection.ts";
import { eachTerm, LONGEST_TERM, termsOf, textOf } from "../../projections/recall/terms.ts";
import { Units } from "../../projections/recall/units.ts";

describe("terms", () => {
	test.each([
		["English, in lower case", "The Cache is COLD", ["the", "cache", "is", "cold"]],
		["German, with its letters", "Die Straßen wurden größer", ["die", "straßen", "wurden", "größer"]],
		["Greek and Cyrillic", "Ελλάδα Привет", ["ελλάδα", "привет"]],
		["Korean, which writes spaces", "세션 기록을", ["세션", "기록을"]],
		["Chinese in pairs", "旧的会话", ["旧的", "的会", "会话", "话"]],
		["Japanese in pairs", "データを読む", ["デー", "ータ", "タを", "を読", "読む", "む"]],
		["Thai in pairs", "ภาษา", ["ภา", "าษ", "ษา", "า"]],
		["characters beyond the basic plane", "𠀀𠀁 x1", ["𠀀𠀁", "𠀁", "x1"]],
		["letters of two code units, with their capitals", "x𐐀𐐨Big_𐐨", ["x𐐨𐐨big_𐐨", "𐐨𐐨", "big", "𐐨"]],
		["wide forms as narrow ones", "ＡＢＣ１２", ["abc12"]],
		["parts of camelCase beside the whole", "getUserName", ["getusername", "get", "user", "name"]],
		["capitals in a row", "HTTPServer2", ["httpserver2", "http", "server2"]],
		["parts of snake_case", "MAX_FILE_size", ["max_file_size", "max", "file", "size"]],
		["names without the bars around them", "__proto__", ["proto"]],
		[
			"a path whole and by segments",
			"see src/auth/live-session.ts:12",
			["see", "src", "auth", "live", "session", "ts", "src/auth/live-session.ts", "live-session.ts", "12"],
		],
		["nothing of single letters", "a b 7 - _ /", []],
	])("are found of %s", (_, text, terms) => {
		expect(termsOf(text)).toEqual(terms);
	});

	test("are 1 to 64 characters, without space, and in lower case", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
				for (const term of termsOf(text)) {
					expect(term.length).toBeGreaterThan(0);
					expect(term.length).toBeLessThanOrEqual(LONGEST_TERM);
					expect(term).not.toMatch(/\s/);
					expect(term).toBe(term.toLowerCase());
				}
			}),
		);
	});

	test("of two texts with a space between are those of each", () => {
		const units = new Units();
		const told = (text: string) => {
			const terms: string[] = [];
			units.read(text);
			eachTerm(units, (from, to) => terms.push(textOf(units.lower, from, to)));
			return terms;
		};
		const text = fc.string({ unit: fc.constantFrom(..."aB9_./- 漢字ไทÄß\n"), maxLength: 60 });
		fc.assert(
			fc.property(text, text, (a, b) => {
				expect(told(`${a} ${b}`)).toEqual([...told(a), ...told(b)]);
			}),
		);
	});

	test("are the same for any form in which a text is composed", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
				expect(termsOf(text.normalize("NFD"))).toEqual(termsOf(text.normalize("NFC")));
			}),
		);
	});

	test("long data are none", () => {
		expect(termsOf("x".repeat(LONGEST_TERM))).toHaveLength(1);
		expect(termsOf("x".repeat(LONGEST_TERM + 1))).toEqual([]);
	});
});

describe("inflections", () => {
	test.each([
		["fold", "folding"],
		["folded", "folds"],
		["cache", "caching"],
		["retry", "retries"],
		["stop", "stopped"],
		["compaction", "compact"],
		["validate", "validation"],
		["Sitzung".toLowerCase(), "sitzungen"],
		["datei", "dateien"],
		["löschen", "löscht"],
	])("%s and %s are forms of one word", (one, other) => {
		expect(formsOf(one)(other)).toBe(true);
		expect(formsOf(other)(one)).toBe(true);
	});

	test.each([
		["fold", "folder-name"],
		["cat", "car"],
		["port", "form"],
		["session", "sessile"],
		["the", "then"],
	])("%s and %s are not", (one, other) => expect(formsOf(one)(other)).toBe(false));

	test("what every form begins with begins the term", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom(..."adeginorsty"), minLength: 2, maxLength: 12 }),
				(term) => {
					const stem = commonStem(term);
					expect(term.startsWith(stem)).toBe(true);
					expect(stem.length).toBeGreaterThanOrEqual(Math.min(3, term.length));
				},
			),
		);
	});
});
