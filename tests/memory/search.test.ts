import fc from "fast-check";
import { expect, test } from "vitest";
import { PROVISIONAL_MS } from "../../projections/memory/list.ts";
import { decideForget } from "../../src/commands/memory/forget.ts";
import { decidePropose } from "../../src/commands/memory/propose.ts";
import { decideRemember, type Remember } from "../../src/commands/memory/remember.ts";
import { EXCERPT_CHARS, type MemorySearch, searchMemory } from "../../src/debug/memory/search.ts";
import { GivenMemory, SOMEBODY } from "./given.ts";

function remembering(...texts: readonly string[]): GivenMemory {
	const given = new GivenMemory();
	for (const text of texts) remember(given, text);
	return given;
}

function remember(given: GivenMemory, text: string, more: Partial<Remember> = {}): string {
	return given.write(decideRemember(given, { ...SOMEBODY, id: given.id(), text, ...more }), "user");
}

function propose(given: GivenMemory, text: string): string {
	return given.write(decidePropose(given, { ...SOMEBODY, id: given.id(), text }), "model");
}

function search(given: GivenMemory, query: string | undefined, more: Partial<MemorySearch> = {}) {
	return searchMemory({
		memories: [given.memory],
		textOf: (digest) => given.text(digest),
		session: "s1",
		now: 1_000,
		query,
		limit: 30,
		...more,
	});
}

function found(given: GivenMemory, query: string | undefined, more: Partial<MemorySearch> = {}): string[] {
	return search(given, query, more).hits.map(({ excerpt }) => excerpt);
}

test("words, their forms and beginnings are found, and phrases only as they are", () => {
	const given = remembering(
		"Run the migrations by hand",
		"The parser lives in src/parse/json.ts",
		"Hands off main",
	);
	expect(found(given, "migration")).toEqual(["Run the migrations by hand"]);
	expect(found(given, "migr")).toEqual(["Run the migrations by hand"]);
	expect(found(given, "json.ts")).toEqual(["The parser lives in src/parse/json.ts"]);
	expect(found(given, '"by hand"')).toEqual(["Run the migrations by hand"]);
	expect(found(given, '"hand by"')).toEqual([]);
});

test("any script is searched", () => {
	const given = remembering(
		"总是使用制表符缩进",
		"コミット前にテストを実行",
		"Всегда запускай тесты",
		"استخدم الأداة",
	);
	expect(found(given, "制表符")).toEqual(["总是使用制表符缩进"]);
	expect(found(given, "テスト")).toEqual(["コミット前にテストを実行"]);
	expect(found(given, "тесты")).toEqual(["Всегда запускай тесты"]);
	expect(found(given, "الأداة")).toEqual(["استخدم الأداة"]);
});

test("what holds more of the words comes first, whatever its standing", () => {
	const given = new GivenMemory();
	remember(given, "Use tabs in Go files", { pinned: true, priority: "high" });
	propose(given, "Indent makefiles with tabs and continuation lines with spaces");
	expect(found(given, "makefiles tabs spaces")[0]).toMatch(/^Indent makefiles/);
});

test("of two that match alike the one that stands higher comes first", () => {
	const given = new GivenMemory();
	propose(given, "tabs for Python files");
	remember(given, "tabs for Kotlin files");
	remember(given, "tabs for Haskell files", { pinned: true });
	expect(found(given, "tabs")).toEqual([
		"tabs for Haskell files",
		"tabs for Kotlin files",
		"tabs for Python files",
	]);
});

test("what is over is found where its status is asked for, and not else", () => {
	const given = remembering("Use tabs");
	const id = given.memory.records.keys().next().value ?? "";
	remember(given, "Use two tabs", { supersede: id });
	expect(found(given, "tabs")).toEqual(["Use two tabs"]);
	expect(found(given, "tabs", { status: "superseded" })).toEqual(["Use tabs"]);
	expect(found(given, undefined, { status: "superseded" })).toEqual(["Use tabs"]);
});

test("a proposal that expired is found where provisional ones are asked for, and not else", () => {
	const given = new GivenMemory();
	propose(given, "Use tabs");
	const later = { now: PROVISIONAL_MS + 10 };
	expect(found(given, "tabs", later)).toEqual([]);
	expect(found(given, "tabs", { ...later, status: "provisional" })).toEqual(["Use tabs"]);
});

test("a query without a word finds nothing, and without a query all that stands is listed", () => {
	const given = remembering("Use tabs", "Use spaces");
	expect(found(given, "?!")).toEqual([]);
	expect(found(given, "a")).toEqual([]);
	expect(found(given, " ")).toHaveLength(2);
	expect(found(given, undefined)).toHaveLength(2);
});

test("a record is found by its id and by a file it is about", () => {
	const given = new GivenMemory();
	const id = remember(given, "Keep it pure", { files: ["src/commands/pin.ts"] });
	remember(given, "Something else");
	expect(found(given, id)).toEqual(["Keep it pure"]);
	expect(found(given, "pin.ts")).toEqual(["Keep it pure"]);
});

test("other sessions' records are not found", () => {
	const given = new GivenMemory();
	remember(given, "Use tabs here", { scope: "session", session: "s2" });
	expect(found(given, "tabs")).toEqual([]);
	expect(found(given, "tabs", { session: "s2" })).toEqual(["Use tabs here"]);
});

test("a key with a colon in a query is text", () => {
	expect(found(remembering("Set kind:strict in the config"), "kind:strict")).toHaveLength(1);
});

test("a long text is shown around what was found", () => {
	const text = `${"Nothing of note here.\n".repeat(100)}The needle is here.\n${"More of nothing.\n".repeat(100)}`;
	const [hit] = search(remembering(text), "needle").hits;
	expect(hit?.excerpt.length).toBeLessThanOrEqual(EXCERPT_CHARS);
	expect(hit?.excerpt).toContain("The needle is here.");
	expect(hit?.isClipped).toBe(true);
});

test("what was destroyed is not found by its words", () => {
	const given = remembering("Use tabs");
	const [id, record] = given.memory.records.entries().next().value ?? ["", undefined];
	given.write(decideForget(given, { ...SOMEBODY, id }), "user");
	given.event({ type: "payload/shredded", data: { contents: [record?.body ?? ""], records: [id] } }, "user");
	expect(found(given, "tabs", { status: "resolved" })).toEqual([]);
});

const word = fc.constantFrom("tabs", "spaces", "commit", "parser", "缩进", "port", "tests", "Dateien");
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));

test("pages follow each other without gap or overlap, and the same question has the same answer", () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(text, { minLength: 1, maxLength: 20 }),
			fc.array(word, { minLength: 1, maxLength: 3 }),
			fc.integer({ min: 1, max: 5 }),
			(texts, words, limit) => {
				const given = remembering(...texts);
				const query = words.join(" ");
				const whole = search(given, query, { limit: 100 });
				expect(search(given, query, { limit: 100 })).toEqual(whole);
				const pages = [];
				let offset: number | undefined = 0;
				while (offset !== undefined) {
					const page = search(given, query, { limit, offset });
					expect(page.total).toBe(whole.total);
					pages.push(...page.hits);
					offset = page.nextOffset;
				}
				expect(pages).toEqual(whole.hits);
			},
		),
		{ numRuns: 60 },
	);
});
