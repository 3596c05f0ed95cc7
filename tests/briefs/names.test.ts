import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_NAME, MIN_NAME, namesIn, tokensIn } from "../../projections/brief/names.ts";

test("paths, files, URLs, identifiers, error codes, numbers and quoted strings are names", () => {
	const text = `see src/store/keys.ts, ./run.sh and https://example.org/a?b=1: readHead() threw ENOENT (code 40713),
		retry_count=3 in v10.2.17 of "left pane" since 9f3c2ab, --no-session, store-lock-held`;
	expect(namesIn(text)).toEqual([
		"src/store/keys.ts",
		"./run.sh",
		"https://example.org/a?b=1",
		"readHead",
		"ENOENT",
		"40713",
		"retry_count",
		"v10.2.17",
		"9f3c2ab",
		"no-session",
		"store-lock-held",
		"left pane",
	]);
});

test("plain words, pairs of words and short numbers are no names", () => {
	expect(
		namesIn("Either read/write or and/or, since 2024 the whole thing took 12.5 s, don't you think it's"),
	).toEqual([]);
});

test("a name is matched as a whole, alone or as a run of a path's segments", () => {
	const tokens = tokensIn("open packages/store/src/key-range.ts and call readHeadTwice(batch)");
	expect(
		["packages/store", "store/src/key-range.ts", "key-range.ts", "readHeadTwice"].every((n) => tokens.has(n)),
	).toBe(true);
	expect(["readHead", "range.t", "ackages/store"].some((n) => tokens.has(n))).toBe(false);
});

test("every name a text has can be matched in it, and fits the limits", () => {
	const word = fc.constantFrom(
		"fooBar",
		"a/b/c.ts",
		"--x-y-z",
		"'quoted text'",
		"`run()`",
		"12345",
		"é",
		" ",
		"\n",
		"(",
		".",
		'"',
		"/tmp/x",
	);
	fc.assert(
		fc.property(fc.array(word), (words) => {
			const text = words.join("");
			const tokens = tokensIn(text);
			for (const name of namesIn(text)) {
				expect(tokens.has(name)).toBe(true);
				expect(name.length).toBeGreaterThanOrEqual(MIN_NAME);
				expect(name.length).toBeLessThanOrEqual(MAX_NAME);
			}
		}),
	);
});
