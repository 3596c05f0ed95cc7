import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestOf, typedRequest } from "../../src/debug/recall/request.ts";

const DEFAULTS = {
	action: "search",
	ids: [],
	page: 1,
	limit: 8,
	raw: false,
	scope: "active-lineage",
	unheeded: [],
};

describe("fields of a call", () => {
	test("nothing said is a search with the defaults", () => {
		expect(requestOf({})).toEqual({ ...DEFAULTS, query: { words: [], phrases: [], thinking: false } });
	});

	test("ids make it a read of all of them, in the order they were named, each once", () => {
		const { action, ids, limit } = requestOf({ entryIds: ["b", "a", "b"], query: "x", file: "y" });
		expect({ action, ids, limit }).toEqual({ action: "read", ids: ["b", "a"], limit: 30 });
		expect(requestOf({ entryIds: "a", action: "list" })).toMatchObject({ action: "read", ids: ["a"] });
	});

	test.each([
		["page", [0, -1, 1.5, "x", null, {}, Number.NaN], 1],
		["limit", [0, -3, 2.5, "many", [], Number.POSITIVE_INFINITY], 8],
	] as const)("a %s that is none is the default", (field, values, otherwise) => {
		for (const value of values) expect(requestOf({ [field]: value })[field]).toBe(otherwise);
		expect(requestOf({ [field]: "3" })[field]).toBe(3);
	});

	test("a limit beyond the most is the most", () => {
		expect(requestOf({ limit: 500 }).limit).toBe(30);
	});

	test("an offset or a rawLimit asks for a slice, and a malformed one for none", () => {
		expect(requestOf({ offset: 7 }).slice).toEqual({ offset: 7 });
		expect(requestOf({ rawLimit: "9" }).slice).toEqual({ offset: 0, limit: 9 });
		expect(requestOf({ offset: "seven", rawLimit: 0 }).slice).toBeUndefined();
	});

	test("filters of the query hold, and a field wins over them", () => {
		const { query } = requestOf({ query: 'kind:user file:a.ts "as said" word', kind: "bash" });
		expect(query).toMatchObject({ kind: "bash", file: "a.ts", phrases: ["as said"], words: ["word"] });
		expect(requestOf({ query: "sourceClass:derived x", sourceClass: "all" }).query.sourceClass).toBe(
			undefined,
		);
	});

	test("no fields whatever make it fail", () => {
		fc.assert(
			fc.property(fc.dictionary(fc.constantFrom(...FIELDS), fc.anything()), (fields) => {
				const { page, limit, slice } = requestOf(fields);
				expect(page).toBeGreaterThanOrEqual(1);
				expect(limit).toBeGreaterThanOrEqual(1);
				expect(limit).toBeLessThanOrEqual(30);
				expect(slice?.offset ?? 0).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

const FIELDS = ["action", "query", "entryIds", "file", "kind", "scope", "page", "limit", "raw"].concat(
	"offset",
	"rawLimit",
	"sourceClass",
);

describe("what is typed", () => {
	test("tokens are the fields of a call, and the rest is looked for", () => {
		expect(
			typedRequest('page:2 limit:5 needle scope:all file:"my docs/a b.md" "two words" since:2026-01-02'),
		).toMatchObject({
			page: 2,
			limit: 5,
			scope: "all",
			query: {
				words: ["needle"],
				phrases: ["two words"],
				file: "my docs/a b.md",
				since: Date.UTC(2026, 0, 2),
			},
		});
	});

	test("ids, raw and a slice", () => {
		expect(typedRequest("ids:a,b raw offset:10 rawLimit:20")).toMatchObject({
			action: "read",
			ids: ["a", "b"],
			raw: true,
			slice: { offset: 10, limit: 20 },
		});
		expect(typedRequest("ids:a RAW:true").raw).toBe(true);
	});

	test("a malformed number is the default, and no text", () => {
		const { page, query } = typedRequest("page:two needle");
		expect({ page, words: query.words }).toEqual({ page: 1, words: ["needle"] });
	});

	test("a token that is not known, or has no value, is looked for", () => {
		const typed = ["src:main", "page:", "ids:", "action:", "http://x.y/z"];
		expect(typedRequest(typed.join(" "))).toMatchObject({ query: { words: typed }, unheeded: [] });
	});

	test.each(["scope:world", "action:jump", "raw:maybe", "page:-1", "limit:abc", "offset:x", "rawLimit:0"])(
		"%s is not heeded, which is told as of a field of a call",
		(typed) => {
			const [field = "", value] = typed.split(":");
			const { unheeded, query } = typedRequest(`${typed} needle`);
			expect(query.words).toEqual(["needle"]);
			expect(unheeded).toEqual([expect.stringMatching(`^${typed} is no \\w+ and was not heeded; .`)]);
			expect(requestOf({ [field]: value, query: "needle" }).unheeded).toEqual(unheeded);
		},
	);

	test("a field of another type or kind is told in short, and an empty one says nothing", () => {
		expect(requestOf({ kind: "x".repeat(500) }).unheeded).toEqual([
			expect.stringMatching(/^kind:x{55}… is no kind and was not heeded; /),
		]);
		expect(requestOf({ kind: {}, file: 7 }).unheeded).toHaveLength(2);
		expect(requestOf({ kind: "", file: null, page: undefined }).unheeded).toEqual([]);
	});

	test("list alone is the action, and a word among others", () => {
		expect(typedRequest("list kind:user page:2")).toMatchObject({ action: "list", page: 2 });
		expect(typedRequest("list of users")).toMatchObject({ action: "search" });
		expect(typedRequest("read ids:a")).toMatchObject({ action: "read", query: { words: [] } });
		expect(typedRequest("read")).toMatchObject({ action: "search", query: { words: ["read"] } });
		expect(typedRequest("action:summary_search tests").action).toBe("summary_search");
	});
});
