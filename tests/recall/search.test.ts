import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "../../projections/recall/query.ts";
import type { RecallOptions } from "../../src/debug/recall/recall.ts";
import { scanRecall } from "../../src/debug/recall/scan.ts";
import { SNIPPET_CHARS } from "../../src/debug/recall/snippet.ts";
import { call, entriesOf, type Said, sessionWith } from "./recalled.ts";

type Asked = Partial<RecallOptions>;

const search = async (said: readonly Said[], typed: string, asked: Asked = {}) => {
	const { recall, engine } = await sessionWith(said);
	const { leaf } = engine.states.tree;
	return recall.search(parseQuery(typed), { leaf, scope: "branch", limit: 10, ...asked });
};
const ids = async (...args: Parameters<typeof search>) => (await search(...args)).hits.map(({ id }) => id);
const said = (...texts: string[]): Said[] => texts.map((says) => ({ says }));

describe("ranking", () => {
	test("not every word is required, but who holds more of them stands first", async () => {
		const texts = said("alpha alpha alpha alpha", "beta and alpha", "gamma", "beta beta beta");
		expect((await ids(texts, "alpha beta"))[0]).toBe("e2");
		expect(await ids(texts, "alpha beta")).toHaveLength(3);
	});

	test("the word itself stands before its forms, and these before what begins with it", async () => {
		const texts = said("the foldaway there", "it was folding here", "a fold it is", "nothing");
		expect(await ids(texts, "fold")).toEqual(["e3", "e2", "e1"]);
	});

	test("a rare word counts more than a common one", async () => {
		const texts = said("common one", "common two", "rare three", "common four", "common five");
		expect((await ids(texts, "common rare"))[0]).toBe("e3");
	});

	test("a part of a name or a path finds the whole, and the whole stands before its parts", async () => {
		const texts = said("see src/auth/live-session.ts", "a live session", "getUserName()", "user and name");
		expect((await ids(texts, "live-session.ts"))[0]).toBe("e1");
		expect(await ids(texts, "getUserName")).toEqual(["e3", "e4"]);
		expect(await ids(texts, "user")).toEqual(expect.arrayContaining(["e3", "e4"]));
	});

	test("what is typed with signs between its letters stands first where it stands to the letter", async () => {
		const texts = said(
			"from ../config.js",
			"config.js config.js",
			"./config.js and js",
			"version 27.0",
			"at 0.27.0",
		);
		expect((await ids(texts, "../config.js"))[0]).toBe("e1");
		expect((await ids(texts, "0.27.0?"))[0]).toBe("e5");
		const paths = said(
			"read src/oak/heron.ts",
			"read src/elm/heron.ts",
			"src/elm/heron.ts beside src/oak/wren.ts",
		);
		expect((await ids(paths, "oak/heron.ts"))[0]).toBe("e1");
	});

	test("words that only hold a sentence together count for nothing beside others", async () => {
		const texts = said(
			"the lever was softened",
			"what did we have to do with it and what was that",
			"a lever",
		);
		expect(await ids(texts, "what did we do with the lever and when was it softened?")).toEqual(["e1", "e3"]);
		expect(await ids(texts, "what did we")).toEqual(["e2"]);
	});

	test("a name itself stands before its forms that hold the parts of it too", async () => {
		const texts = said(
			"assistantMessages, once in all of this",
			"assistantMessage messages assistantMessage messages",
		);
		expect(await ids(texts, "assistantMessages")).toEqual(["e1", "e2"]);
	});

	test("a path longer than any term is found by its parts", async () => {
		const path = `/home/someone/${"deep/".repeat(15)}wanted-file.ts`;
		expect(await ids(said(`read ${path}`, "deep home of someone"), path)).toEqual(["e1", "e2"]);
	});

	test("scripts without spaces are searched by what stands together in them", async () => {
		const texts = said("我们删除了旧的会话文件", "会话是新的", "データベースを読む");
		expect(await ids(texts, "会话文件")).toEqual(["e1", "e2"]);
		expect(await ids(texts, "ベース")).toEqual(["e3"]);
		expect(await ids(texts, "旧")).toEqual(["e1"]);
	});

	test("German forms are found", async () => {
		expect(await ids(said("Die Sitzungen wurden gelöscht", "etwas anderes"), "Sitzung")).toEqual(["e1"]);
	});

	test("arguments of calls are searched as they were meant, line ends and all", async () => {
		const texts: Said[] = [
			{ role: "assistant", calls: [call("c1", "edit", { newText: "one\nprivate\tfield" })] },
		];
		expect(await ids(texts, "private")).toEqual(["e1"]);
	});

	test("of texts that begin alike only the best is told", async () => {
		const same = "the same beginning ".repeat(20);
		const texts = said(`${same} x`, `${same} needle`, "another needle");
		expect((await ids(texts, "needle beginning")).sort()).toEqual(["e2", "e3"]);
	});
});

describe("derived text", () => {
	const texts: Said[] = [
		{ says: "summary: the needle, needle, needle", kind: "compaction", role: "summary" },
		{ says: "needle", kind: "note", role: "note", noteType: "pi-compact-resume" },
		{ says: "needle needle", role: "result", tool: "pi_compact_recall" },
		{ says: "among many other words there is a needle in this long sentence" },
	];

	test("never stands before what was said first", async () => {
		expect((await ids(texts, "needle"))[0]).toBe("e4");
		expect(await ids(texts, "needle")).toHaveLength(4);
	});

	test("is left out where primary text is asked for, and alone where derived is", async () => {
		expect(await ids(texts, "needle sourceClass:primary")).toEqual(["e4"]);
		expect((await ids(texts, "needle sourceClass:derived")).sort()).toEqual(["e1", "e2", "e3"]);
	});
});

describe("phrases and filters", () => {
	test("a phrase must stand there, whatever its capitals and spaces", async () => {
		const texts = said("Cold\n Cache here", "cache cold", "cold and cache", "我们删除了旧文件");
		expect(await ids(texts, '"cold cache"')).toEqual(["e1"]);
		expect(await ids(texts, '"删除了旧"')).toEqual(["e4"]);
		expect(await ids(texts, '"cold cache" "not there"')).toEqual([]);
	});

	const session: Said[] = [
		{ says: "please look" },
		{ role: "assistant", calls: [call("c1", "read", { path: "src/my notes/a.ts" })] },
		{ role: "result", answers: "c1", tool: "read", says: "please find it here" },
		{ role: "bash", says: "Ran `please tests/b.test.ts`" },
		{ kind: "note", role: "note", says: "please note" },
	];

	test.each([
		['file:"my notes"', ["e3", "e2"]],
		["file:My", []],
		["file:b.test.ts", ["e4"]],
		["please kind:user", ["e1"]],
		["read kind:tool_call", ["e2"]],
		["please kind:tool_result tool:read", ["e3"]],
		["please kind:bash", ["e4"]],
		["please kind:custom", ["e5"]],
		["please role:result", ["e3"]],
		["please since:000000004000", ["e4", "e5"]],
		["please until:000000001000", ["e1"]],
		["kind:user", []],
		["", []],
	])("%s finds %j", async (typed, wanted) => {
		const got = await ids(session, typed);
		expect(typed.startsWith("file:") ? got : got.sort()).toEqual(wanted);
	});

	test("what was thought is searched where that is asked for, and only there", async () => {
		const texts: Said[] = [
			{ role: "assistant", says: "done", calls: [{ type: "thinking", text: "secret doubt", signed: false }] },
		];
		expect(await ids(texts, "doubt")).toEqual([]);
		expect(await ids(texts, "doubt thinking:true")).toEqual(["e1"]);
		expect(await ids(texts, '"secret doubt"')).toEqual([]);
		expect(await ids(texts, '"secret doubt" thinking:true')).toEqual(["e1"]);
	});

	test("system messages, extensions' state and what was kept from the model are not searched", async () => {
		const texts: Said[] = [
			{ role: "system", says: "needle" },
			{ kind: "custom", role: undefined as never, says: "needle" },
			{ role: "bash", hidden: true },
		];
		expect(await ids(texts, "needle")).toEqual([]);
	});
});

describe("branches", () => {
	const tree: Said[] = [
		{ says: "root needle" },
		{ says: "left needle" },
		{ says: "right needle", parent: "e1" },
		{ says: "right needle again", parent: "e3" },
	];

	test("only what is on the path to the leaf is found, unless every branch is asked for", async () => {
		expect((await ids(tree, "needle", { leaf: "e2" })).sort()).toEqual(["e1", "e2"]);
		expect((await ids(tree, "needle", { leaf: "e4" })).sort()).toEqual(["e1", "e3", "e4"]);
		expect(await ids(tree, "needle", { leaf: null })).toEqual([]);
		expect(await ids(tree, "needle", { scope: "all" })).toHaveLength(4);
	});

	test("one session tells each leaf's path, in whatever order it is asked and as it grows", async () => {
		const entries = entriesOf(
			Array.from({ length: 12 }, (_, n) => ({
				says: `needle ${n}`,
				parent: n === 0 ? null : `e${((n * 7) % n) + 1}`,
			})),
		);
		const parents = new Map(entries.map(({ id, parent }) => [id, parent]));
		const pathTo = (leaf: string) => {
			const path: string[] = [];
			for (let id: string | null = leaf; id !== null; id = parents.get(id) ?? null) path.push(id);
			return path.sort();
		};
		const session = await sessionWith([]);
		for (const entry of entries) {
			await session.record([entry]);
			const known = session.engine.states.tree.count;
			for (let n = known; n > 0; n -= 3) {
				const leaf = `e${n}`;
				const { hits } = await session.recall.search(parseQuery("needle"), {
					leaf,
					scope: "branch",
					limit: 50,
				});
				expect(hits.map(({ id }) => id).sort()).toEqual(pathTo(leaf));
			}
		}
	});

	test("what an edit took out of the model's sight is the user's alone to find", async () => {
		const edited: Said[] = [
			{ says: "the old needle" },
			{ kind: "contextEdit", role: undefined as never, target: "e1", omits: false, says: "the new needle" },
		];
		expect(await ids(edited, "needle", { scope: "model" })).toEqual(["e2"]);
		expect((await ids(edited, "needle", { scope: "branch" })).sort()).toEqual(["e1", "e2"]);
	});
});

describe("answers", () => {
	test("come in pages that do not overlap", async () => {
		const texts = said(...Array.from({ length: 9 }, (_, n) => `needle number ${n}`));
		const pages = await Promise.all([0, 4, 8].map((offset) => ids(texts, "needle", { limit: 4, offset })));
		expect(pages.map((page) => page.length)).toEqual([4, 4, 1]);
		expect(new Set(pages.flat()).size).toBe(9);
	});

	test("show at most 700 characters from the start of a line on, with what was found", async () => {
		const line = fc.string({ unit: fc.constantFrom(..."ab \n."), minLength: 50, maxLength: 3000 });
		await fc.assert(
			fc.asyncProperty(line, line, async (before, behind) => {
				const text = `${before}\nThe needle stands here.\n${behind}`;
				const { hits } = await search([{ says: text }], "needle");
				const { snippet } = hits[0] as { snippet: string };
				expect(snippet.length).toBeLessThanOrEqual(SNIPPET_CHARS);
				expect(snippet).toContain("needle");
				expect(text).toContain(snippet);
				const at = text.indexOf(snippet);
				expect(at === 0 || /\s/.test(text[at - 1] as string)).toBe(true);
			}),
			{ numRuns: 30 },
		);
	});

	test("are the same where the session is scanned", async () => {
		const word = fc.constantFrom(
			"fold",
			"folding",
			"cache",
			"src/a/b.ts",
			"getName",
			"name",
			"会话",
			"warm cache",
			"x",
		);
		const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
		const role = fc.constantFrom("user" as const, "assistant" as const, "summary" as const);
		const session = fc.array(fc.record({ says: text, role, up: fc.nat(3) }), { minLength: 1, maxLength: 12 });
		const query = fc.array(fc.oneof(word, fc.constant('"warm cache"'), fc.constant("role:user")), {
			minLength: 1,
			maxLength: 3,
		});
		await fc.assert(
			fc.asyncProperty(session, query, async (made, words) => {
				const entries = made.map(({ up, ...fields }, n) => ({
					...fields,
					parent: n - up < 1 ? null : `e${n - up}`,
				}));
				const { recall, engine } = await sessionWith(entries);
				const { leaf } = engine.states.tree;
				for (const scope of ["branch", "all"] as const) {
					const query = parseQuery(words.join(" "));
					const found = await recall.search(query, { leaf, scope, limit: 20 });
					const scanned = await scanRecall(entriesOf(entries), query, { scope, limit: 20 });
					expect(scanned).toEqual({ ...found, from: "scan" });
				}
			}),
			{ numRuns: 60 },
		);
	});
});
