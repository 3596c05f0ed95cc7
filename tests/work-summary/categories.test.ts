import { expect, test } from "vitest";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { evidenceLine } from "../../projections/work-summary/lines.ts";
import { ran, said, user } from "../briefs/transcripts.ts";
import { excerpts, found } from "./given.ts";

test("what the user asks for is a goal, in any language, with its entry's id", () => {
	const asked = user("Add a --json flag to the export command, please");
	expect(found("goal", asked)).toEqual([
		{ category: "goal", entry: asked.id, text: "Add a --json flag to the export command, please" },
	]);
	expect(excerpts("goal", user("Bitte den Export um eine JSON-Ausgabe ergänzen"))).toHaveLength(1);
	expect(excerpts("goal", user("请给导出命令加上参数"))).toEqual(["请给导出命令加上参数"]);
});

test("a word of assent is no goal, and code between fences is none of its text", () => {
	expect(excerpts("goal", user("continue"), user("ja, bitte"), user("继续"))).toEqual([]);
	const pasted = user(
		"Fix this stack trace for me\n```\nTypeError: x is not a function\n```\nand add a test",
	);
	expect(excerpts("goal", pasted)).toEqual(["Fix this stack trace for me and add a test"]);
});

test.each([
	"Fix the build",
	"Use tabs only",
	"Rename x to y",
	"run tests",
	"add a README",
	"Remove foo.ts",
	"keep the API",
	"see src/a.ts",
	"nur Tabs",
	"Teste alles",
	"Run e2e, and lint",
	"README.md",
])("%s is a request, short as it is", (text) => {
	expect(excerpts("goal", user(text))).toEqual([text]);
});

test.each([
	"ok",
	"y",
	"weiter",
	"thanks",
	"yes please",
	"go on",
	"do it",
	"try again",
	"keep going",
	"run it",
	"see above",
	"no thanks",
	"kein Problem",
	"don't worry",
	"never mind",
	"no, thanks",
	"OK, keep going",
	"mach weiter",
	"looks good",
	"fix",
	"y/n",
])("%s asks for nothing", (text) => {
	expect(excerpts("goal", user(text))).toEqual([]);
});

test("a short rule is a decision, and what only begins like one is none", () => {
	expect(excerpts("decision", user("Use tabs only"), user("keep the API"))).toEqual([
		"Use tabs only",
		"keep the API",
	]);
	expect(excerpts("decision", user("keep going"), user("Use the list to find it"))).toEqual([]);
});

test("what denies something is quoted with the sentence behind it, or with a sign that the text goes on", () => {
	const goal = user("No wait, do NOT use Drizzle. Use Kysely instead. And hurry.");
	expect(excerpts("decision", goal)).toEqual(["No wait, do NOT use Drizzle. Use Kysely instead."]);
	const long = user(`Do not use Drizzle. Use ${"a very long name ".repeat(20)}instead.`);
	expect(excerpts("decision", long)).toEqual(["Do not use Drizzle. …"]);
	expect(excerpts("decision", user("Never use Drizzle. Always use Kysely."))).toEqual([
		"Never use Drizzle.",
		"Always use Kysely.",
	]);
	expect(excerpts("decision", user("Do not use Drizzle."))).toEqual(["Do not use Drizzle."]);
});

test("a file whose path has blanks in it stands as any other", () => {
	const entries = [
		ran("write", { path: "src/new file.ts", content: "x" }, "done"),
		ran("edit", { path: "src/neu häuser.ts", oldText: "x", newText: "y" }, "done"),
		ran("read", { path: "docs/read me.md" }, "text"),
		ran("apply_patch", { input: "*** Update File: src/old file.ts\n@@" }, "done"),
	];
	expect(excerpts("changed", ...entries)).toEqual([
		"src/new file.ts",
		"src/neu häuser.ts",
		"src/old file.ts",
	]);
	expect(excerpts("read", ...entries)).toEqual(["docs/read me.md"]);
});

test("a sentence that says what holds from now on is a decision", () => {
	const english = user(
		"Add a cache. Always use LevelDB for it! Don't touch the schema.\nThen run the tests.",
	);
	expect(excerpts("decision", english)).toEqual(["Always use LevelDB for it!", "Don't touch the schema."]);
	expect(excerpts("decision", user("Baue den Cache. Wir verwenden LevelDB. Danach testen."))).toEqual([
		"Wir verwenden LevelDB.",
	]);
	expect(excerpts("decision", user("加一个缓存。必须用 LevelDB。然后跑测试。"))).toEqual([
		"必须用 LevelDB。",
	]);
});

test("neither an ordinary request nor a question nor what the assistant says is a decision", () => {
	expect(excerpts("decision", user("Run the tests and show me the output"))).toEqual([]);
	expect(excerpts("decision", user("Should we always do that?"), user("必须这样吗？"))).toEqual([]);
	expect(excerpts("decision", said("I will always use LevelDB."))).toEqual([]);
});

test("a file is read or changed by what the call does, and stands once, where it was touched last", () => {
	const entries = [
		ran("read", { path: "src/a.ts" }, "old"),
		ran("read", { path: "src/b.ts" }, "old"),
		ran("edit", { path: "src/a.ts", oldText: "x", newText: "y" }, "done"),
		ran("read", { path: "src/a.ts" }, "new"),
		ran("write", { path: "src/c.ts", content: "z" }, "done"),
		ran("grep", { path: "src", pattern: "x" }, "src/a.ts: x"),
	];
	expect(excerpts("changed", ...entries)).toEqual(["src/a.ts", "src/c.ts"]);
	expect(excerpts("read", ...entries)).toEqual(["src/b.ts"]);
	expect(found("changed", ...entries)[0]?.entry).toBe(entries[2]?.[0]?.id);
});

test("a call that failed changed nothing", () => {
	const failed = ran(
		"edit",
		{ path: "src/a.ts", oldText: "x", newText: "y" },
		"Could not find the text",
		true,
	);
	expect(excerpts("changed", failed)).toEqual([]);
	expect(excerpts("error", failed)).toEqual(["Could not find the text"]);
});

test("a command stands once, with the exit code of its last run", () => {
	const first = ran("bash", { command: "cd /repo && make all" }, "boom\n\nCommand exited with code 2", true);
	const [run] = found("command", first);
	expect(run).toMatchObject({ text: "make all", exit: 2, failed: true, entry: first[1]?.id });
	expect(run && evidenceLine(run)).toBe(`[${first[1]?.id}] make all → exit 2`);
	const again = found("command", first, ran("bash", { command: "cd /repo && make all" }, "made"));
	expect(again.map(evidenceLine)).toEqual([expect.stringMatching(/make all → ok$/)]);
});

test("a command the user ran counts as one of the assistant's does; one kept from the model does not", () => {
	const bash = (text: string, more: Partial<TranscriptEntry> = {}): TranscriptEntry => {
		const blocks = [{ type: "text" as const, text }];
		return { ...user(""), role: "bash", blocks, ...more };
	};
	const failed = bash("Ran `npm run build`\n```\nerror TS1: no\n```\n\nCommand exited with code 1", {
		failed: true,
	});
	expect(found("command", failed)).toMatchObject([{ text: "npm run build", exit: 1, failed: true }]);
	expect(excerpts("error", failed)).toEqual(["error TS1: no"]);
	expect(found("command", bash("Ran `true`\n(no output)"))).toMatchObject([{ text: "true", failed: false }]);
	expect(found("command", bash("Ran `true`\n(no output)", { hidden: true }))).toEqual([]);
});

test.each([
	[
		"vitest",
		" Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 30 passed (32)\n   Start at  1",
		30,
		2,
	],
	["jest", "Tests:       1 failed, 5 passed, 6 total\nSnapshots:   7 passed, 7 total\nTime: 1 s", 5, 1],
	["pytest", "====== 3 failed, 10 passed in 1.20s ======", 10, 3],
	["cargo", "test result: ok. 12 passed; 0 failed; 1 ignored", 12, 0],
	["node", "ℹ tests 12\nℹ pass 10\nℹ fail 2\nℹ cancelled 0", 10, 2],
	["mocha", "  10 passing (2s)\n  2 failing", 10, 2],
	["unittest", "Ran 12 tests in 0.1s\n\nFAILED (failures=2, errors=1)", 9, 3],
	["unittest, skipped", "Ran 5 tests in 0.1s\n\nOK (skipped=2)", 3, 0],
	["unittest, expected", "Ran 5 tests in 0.1s\n\nFAILED (failures=1, expected failures=2)", 2, 1],
	["unittest, unexpected", "Ran 5 tests in 0.1s\n\nFAILED (unexpected successes=1)", 4, 1],
	["unittest, before any test", "Ran 0 tests in 0.0s\n\nFAILED (errors=1)", 0, 1],
	["German", "12 bestanden, 3 fehlgeschlagen", 12, 3],
	["Chinese", "测试：12 个通过，3 个失败", 12, 3],
	["Chinese, words first", "通过：12，失败：3", 12, 3],
	["colours", "\u001b[32m 4 passed\u001b[39m, \u001b[31m1 failed\u001b[39m", 4, 1],
])("tests are counted as %s counts them", (_, output, passed, failed) => {
	expect(found("tests", ran("bash", { command: "run the tests" }, output))).toMatchObject([
		{ text: "run the tests", counts: { passed, failed } },
	]);
});

test("a command that only shows what others said counts no tests and quotes no errors", () => {
	const shown = ran(
		"bash",
		{ command: "grep -rn passed . | head" },
		"notes.md: 12 passed, 1 failed\nError: none",
	);
	expect(found("tests", shown)).toEqual([]);
	expect(found("error", shown)).toEqual([]);
	expect(found("command", shown)).toHaveLength(1);
});

test("of a failed run the lines that call themselves errors are quoted, else those that tell of something wrong", () => {
	const output =
		"building\nsrc/a.ts(3,1): error TS2304: Cannot find name 'x'.\nnpm failed\n\nCommand exited with code 1";
	const failed = ran("bash", { command: "npm run build" }, output, true);
	expect(found("error", failed)).toMatchObject([
		{
			text: "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
			during: "npm run build",
			entry: failed[1]?.id,
		},
	]);
	expect(excerpts("error", ran("bash", { command: "./go" }, "Fehler: Datei nicht da\nEnde", true))).toEqual([
		"Fehler: Datei nicht da",
	]);
	expect(excerpts("error", ran("bash", { command: "./go" }, "错误：找不到文件\n结束", true))).toEqual([
		"错误：找不到文件",
	]);
});

test("of a failed run without a line that looks like an error none is quoted, of a tool that failed its last line is", () => {
	const listing = "total 8\n-rw-r--r-- 1 me me 10 Jan 1 a.ts\n\nCommand exited with code 3";
	const failed = ran("bash", { command: "ls -la src; exit 3" }, listing, true);
	expect(found("error", failed)).toEqual([]);
	expect(found("command", failed).map(evidenceLine)).toEqual([
		expect.stringMatching(/ls -la src; exit 3 → exit 3$/),
	]);
	const read = ran("read", { path: "a.ts", offset: 9 }, "Offset 9 is beyond the end", true);
	expect(excerpts("error", read)).toEqual(["Offset 9 is beyond the end"]);
});

test("what a final reply says is left is open, with the list it opens", () => {
	const reply = said("All green.\n\nNext steps:\n\n- rename the flag\n- write the docs\n\nThe cache works.");
	expect(excerpts("open", reply)).toEqual(["Next steps: rename the flag; write the docs"]);
	expect(excerpts("open", said("Fertig. Noch offen ist die Doku."))).toEqual(["Noch offen ist die Doku."]);
	expect(excerpts("open", said("完成了。下一步是写文档和测试。"))).toEqual(["下一步是写文档和测试。"]);
	expect(excerpts("open", said("Done. What are the next steps?"))).toEqual([]);
});

test("a list of things to do takes the place of its last state, and goes when all is done", () => {
	const todo = (...states: string[]) =>
		ran("todo_write", { todos: states.map((status, n) => ({ content: `part ${n}`, status })) }, "ok");
	const begun = todo("completed", "in_progress", "pending");
	expect(excerpts("open", begun)).toEqual(["2 open: part 1; part 2"]);
	expect(excerpts("open", begun, todo("completed", "completed", "pending"))).toEqual(["part 2"]);
	expect(excerpts("open", begun, todo("completed", "completed", "completed")).join("")).toBe("");
	expect(excerpts("open", said("Plan:\n- [x] read\n- [ ] write\n- [ ] test"))).toEqual([
		"2 open: write; test",
	]);
});

test("what no model was sent, what the host summed up and what our own tools gave back is no evidence", () => {
	const aborted: TranscriptEntry = { ...said("Next steps: more of it"), stop: "aborted" };
	const summary: TranscriptEntry = { ...user("Always do what the summary says"), role: "summary" };
	const peeked = ran(
		"pi_fold_context",
		{ action: "peek", path: "src/a.ts" },
		"error: once upon a time",
		true,
	);
	for (const category of ["goal", "decision", "open", "error", "read"] as const)
		expect(found(category, aborted, summary, peeked)).toEqual([]);
});

test("an excerpt is one line of at most 240 characters, without markup and without what moves a cursor", () => {
	const [text = ""] = excerpts(
		"goal",
		user(`Do\nthis </summary> now\u202e \u001b[2J ${"word ".repeat(100)}`),
	);
	expect(text.length).toBeLessThanOrEqual(240);
	expect(text).toMatch(/^Do this ‹\/summary> now/);
	for (const sign of ["\n", "\u202e", "\u001b"]) expect(text).not.toContain(sign);
});
