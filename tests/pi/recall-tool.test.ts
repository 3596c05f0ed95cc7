import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { DEFAULT_COMPACT_CONFIG } from "../../src/adapters/pi/compact-config.ts";
import { promptAt } from "../../src/adapters/pi/recall-entries.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { Engine } from "../../src/engine/engine.ts";
import { callFold } from "./fold-calls.ts";
import { callRecall, idOf, recalledIn } from "./recall-calls.ts";
import { QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { isFold } from "./shared.ts";
import { expectFound, OPTIONS, SAID, spoken } from "./spoken.ts";

afterEach(() => vi.restoreAllMocks());

test("what is folded is found in German, Chinese and code, and says by which fold, which can be read", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(OPTIONS));
	await host.fold();
	expect((await host.ask("after?")).some(isFold)).toBe(true);
	await expectFound(host);
	const { text } = await callRecall(host, { query: "posting list" });
	const fold = /fold=([fg]\d+-\w+)/.exec(text)?.[1];
	expect((await callFold(host, { action: "peek", id: fold ?? "", bytes: 200_000 })).text).toContain(
		"rebuildPostingList",
	);
});

test("what a checkpoint took away is found, and before the checkpoint that names it", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(OPTIONS));
	await host.session.compact();
	const sent = await host.ask("after?");
	expect(sent.join("")).not.toMatch(/"role":"user","content":\[\{"type":"text","text":"export function/);
	await expectFound(host);
	const checkpoint = host.path("compaction")[0];
	const derived = await callRecall(host, { query: "rebuildPostingList sourceClass:derived" });
	expect(derived.ids).toContain(checkpoint);
	const primary = await callRecall(host, { query: "rebuildPostingList", sourceClass: "primary" });
	expect(primary.ids).not.toContain(checkpoint);
});

test("it is found in a session that goes on later, in its clone and in a fork", async () => {
	await using sandbox = new Sandbox();
	const first = await spoken(await sandbox.create(OPTIONS));
	await first.fold();
	await first.quit();
	const host = await sandbox.open(first.file, OPTIONS);
	await expectFound(host);
	await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
	await expectFound(host);
	const at = host.path("message").at(-8) ?? "";
	await host.runtime.fork(at, { position: "at" });
	await expectFound(host);
});

test("another branch is out of the model's reach, whatever it asks for", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask("a beginning");
	const here = host.session.sessionManager.getLeafId() ?? "";
	await host.ask("the zebra is on the other branch", "noted zebra");
	const there = idOf(host, "the zebra");
	await host.session.navigateTree(here);
	await host.ask("this branch has a giraffe");
	for (const scope of ["all", "active-lineage", "elsewhere"]) {
		expect((await callRecall(host, { query: "zebra", scope })).ids).toEqual([]);
		expect((await callRecall(host, { action: "list", limit: 30, scope })).ids).not.toContain(there);
		const { text, failed } = await callRecall(host, { entryIds: [there], raw: true, scope });
		const [told, ...beside] = text.split("\n");
		expect({ failed, told, isHeeded: beside.length === 0 }).toEqual({
			failed: true,
			told: `ENTRY_UNKNOWN: no entry on this branch is called ${there}; what works: pi_compact_recall {"action":"list"}`,
			isHeeded: scope !== "elsewhere",
		});
	}
	expect((await callRecall(host, { query: "giraffe" })).ids[0]).toBe(idOf(host, "giraffe"));
	expect(host.errors).toEqual([]);
});

test("of a message that was edited the edit is found, and never what stood there", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask("the password is swordfish");
	const edited = idOf(host, "swordfish");
	for (const text of ["the password is catfish", "a redacted word"])
		host.session.sessionManager.appendContextEdit(edited, { content: [{ type: "text", text }] });
	host.session.refreshContext();
	await host.ask("and now?");
	for (const from of ["index", "scan"]) {
		const { ids, details } = await callRecall(host, { query: "swordfish catfish password" });
		expect({ from: details.from, ids }).toEqual({ from, ids: [] });
		for (const raw of [true, false]) {
			const { text } = await callRecall(host, { entryIds: [edited], raw });
			expect(text).toContain("a redacted word");
			expect(text).not.toContain("swordfish");
		}
		// without a log all is read through
		vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("something failed"));
		await host.ask("and then?");
	}
	expect(host.errors).toEqual([]);
});

test("what the model thought is found where that is asked for, and not else", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	const content = [
		{ type: "thinking" as const, thinking: "perhaps a wombat" },
		{ type: "text" as const, text: "an answer" },
	];
	await host.play("what is it?", [() => fauxAssistantMessage(content)]);
	expect((await callRecall(host, { query: "wombat" })).ids).toEqual([]);
	const { ids, text } = await callRecall(host, { query: "wombat thinking:true" });
	expect(ids).toEqual([idOf(host, "perhaps a wombat")]);
	expect(text).toContain("perhaps a wombat");
});

test("neither the question nor its answers before are found instead of what was said", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask("the quokka is here, among many other words that are said in one long sentence");
	const said = idOf(host, "the quokka");
	for (let n = 0; n < 3; n++) expect((await callRecall(host, { query: "quokka" })).ids[0]).toBe(said);
	expect((await callRecall(host, { query: "quokka sourceClass:primary" })).ids).toEqual([said]);
	expect((await callRecall(host, { query: "nobodysaidthis" })).text).toBe("nothing was found");
	const asking = [
		{ type: "text" as const, text: "where is the wallaby?" },
		fauxToolCall("pi_compact_recall", { query: "wallaby" }),
	];
	const sent = await host.play("find it", [
		() => fauxAssistantMessage(asking, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("done"),
	]);
	expect(JSON.parse(sent.at(-1) ?? "").content[0].text).toBe("nothing was found");
});

const WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

test("a list is newest first, page by page, and what has no room is named", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	for (let n = 0; n < 6; n++) await host.ask(`question ${WORDS[n]}`, `answer ${n}`);
	const all = host.path("message").toReversed();
	const first = await callRecall(host, { action: "list", limit: 5, kind: "user" });
	expect(first.ids[0]).toBe(host.path("message").at(-4));
	const users = all.filter((id) =>
		JSON.stringify(host.session.sessionManager.getEntry(id)).includes("question"),
	);
	expect(first.ids.slice(1)).toEqual(users.slice(0, 4));
	expect(first.details).toMatchObject({ count: 5, page: 1, nextPage: 2, total: 7, from: "index" });
	expect(first.text).toMatch(/^7 entries, newest first\n\n.*\[more on page 2\]$/s);
	const second = await callRecall(host, { action: "list", limit: 5, kind: "user", page: "2" });
	expect(second.ids).toHaveLength(3);
	expect(second.ids.slice(-2)).toEqual(users.slice(-2));
	const { ids, text, failed } = await callRecall(host, { query: "question delta", limit: "many", page: -1 });
	expect({ failed, first: ids[0] }).toEqual({ failed: false, first: idOf(host, "question delta") });
	expect(text).toContain("question delta");
});

test("one entry is read as the session file has it, whole or in slices", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.work("alpha", 2, 9_000);
	const id = idOf(host, "page-1.ts line 0");
	const line = host.lines().find((one) => JSON.parse(one).id === id) ?? "";
	expect((await callRecall(host, { entryIds: [id], raw: true })).text).toBe(line);
	let whole = "";
	for (let offset = 0; offset < line.length; ) {
		const { text, details } = await callRecall(host, { entryIds: [id], raw: true, offset, rawLimit: 4_000 });
		whole += JSON.parse(text).body;
		offset = Number(details.nextOffset ?? line.length);
	}
	expect(whole).toBe(line);
	const beyond = await callRecall(host, { entryIds: [id], raw: true, offset: line.length });
	expect(beyond).toMatchObject({ failed: true });
	expect(beyond.text).toMatch(/^OFFSET_BEYOND_END: .* what works: pi_compact_recall \{.*"offset":0\}$/);
	const several = JSON.parse(
		(await callRecall(host, { entryIds: [id, "nowhere", host.path("message")[1] ?? ""], raw: true })).text,
	);
	expect(several.entries.map((entry: { id: string }) => entry.id)).toContain(id);
	expect(several).toMatchObject({ omitted: [], unknown: ["nowhere"] });
	const [first = "", second = ""] = host.path("message").slice(1);
	const { ids, text } = await callRecall(host, { entryIds: [second, "nowhere", first], limit: 1 });
	expect({ ids, text }).toEqual({
		ids: [first],
		text: expect.stringMatching(
			new RegExp(`^2 entries; unknown here: nowhere\n.*\\[beyond the limit: ${second}\\]$`, "s"),
		),
	});
});

test.each([0, 1, 20, 60, 300, 1_200, 5_000])(
	"with %i characters no answer is longer, and raw ones are JSON",
	async (most) => {
		await using sandbox = new Sandbox();
		const engine = (pi: ExtensionAPI) =>
			registerEngine(pi, () => QUICK_SETTINGS, {
				compaction: () => ({ from: "defaults", config: { ...DEFAULT_COMPACT_CONFIG, recallMaxChars: most } }),
			});
		const host = await sandbox.create({ ...OPTIONS, engine });
		await host.work('a "quoted" topic\n', 3, 3_000);
		const ids = host.path("message");
		for (const args of [
			{ query: "topic value_3" },
			{ action: "list", limit: 30 },
			{ entryIds: ids },
			{ query: "topic", raw: true },
			{ entryIds: ids, raw: true },
			{ entryIds: ids.slice(2, 3), raw: true },
			{ entryIds: ids.slice(2, 3), raw: true, offset: 33, rawLimit: 1_000 },
			{ action: "summary" },
			{ action: "summary", raw: true },
			{ action: "summary_search", query: "topic" },
			{ action: "summary_search", query: "topic", raw: true },
		]) {
			const { text, failed, details } = await callRecall(host, args);
			expect(failed).toBe(false);
			expect(text.length).toBeLessThanOrEqual(most);
			expect(details).toMatchObject({ chars: text.length });
			if (args.raw && text !== "") JSON.parse(text);
		}
		expect(host.errors).toEqual([]);
	},
);

test("what cannot be answered is refused with a code and a call that works", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	for (const [args, code] of [
		[{ action: "read" }, "ARGUMENT_MISSING"],
		[{ action: "read", entryIds: ["nowhere"] }, "ENTRY_UNKNOWN"],
	] as const) {
		const { text, failed } = await callRecall(host, args);
		expect(failed).toBe(true);
		expect(text).toMatch(new RegExp(`^${code}: .+; what works: pi_compact_recall \\{.+\\}$`));
	}
	expect((await callRecall(host, { query: "kind:user" })).text).toMatch(/^nothing to look for: /);
	expect(host.errors).toEqual([]);
});

test("a session whose log is lost is read through, and says so", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(OPTIONS));
	vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("something failed"));
	await host.ask("after that?");
	const { ids, text, details } = await callRecall(host, { query: "posting list" });
	expect(ids[0]).toBe(idOf(host, "rebuildPostingList"));
	expect(text).toMatch(
		/^\d+ entr\w+ found, best first; this session has no index here, and was read through\n/,
	);
	expect(details).toMatchObject({ from: "scan" });
	const listed = await callRecall(host, { action: "list", kind: "user", limit: 30, page: 1 });
	expect(listed.ids).toContain(ids[0]);
	expect(listed.details).toMatchObject({ from: "scan" });
	const { failed, text: refusal } = await callRecall(host, { action: "summary" });
	expect({ failed, refusal }).toMatchObject({
		failed: true,
		refusal: expect.stringMatching(/^SUMMARY_MISSING: .* this session has no log;/),
	});
});

test("a session that is open elsewhere is found by an index beside, folds and all", async () => {
	await using sandbox = new Sandbox();
	const first = await spoken(await sandbox.create(OPTIONS));
	await first.fold();
	await first.ask("folded");
	const second = await sandbox.open(first.file, OPTIONS);
	await expectFound(second);
	expect((await callRecall(second, { query: "posting list" })).text).toMatch(/ fold=[fg]\d+-\w+/);
});

test("a session in memory has an index too", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.host(SessionManager.inMemory(sandbox.dir), OPTIONS);
	await expectFound(await spoken(host));
});

test("the work summary is told, searched and told as JSON, each with its entries", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(OPTIONS));
	const id = idOf(host, SAID.german);
	const { text, details } = await callRecall(host, { action: "summary" });
	expect(text).toMatch(/^Work summary, written by the runtime: excerpts .* not conclusions/);
	expect(text).toContain(`[${id}] ${SAID.german}`);
	expect(details).toMatchObject({ action: "summary", from: "summary", truncated: false });
	const raw = JSON.parse((await callRecall(host, { action: "summary", raw: true })).text);
	expect(raw.evidence).toContainEqual({ entryId: id, category: "goal", excerpt: SAID.german });
	const found = await callRecall(host, { action: "summary_search", query: "Sitzung", limit: 1 });
	expect(found.text).toMatch(new RegExp(`^\\d+ excerpts? found; .*\\n\\[${id}\\] `));
	const none = await callRecall(host, { action: "summary_search", query: "nobodysaidthis", raw: true });
	expect(JSON.parse(none.text)).toEqual({ evidence: [], omitted: 0 });
	expect(host.errors).toEqual([]);
});

test("where the work summary is switched off it is refused", async () => {
	await using sandbox = new Sandbox();
	const { sessionSummary } = DEFAULT_COMPACT_CONFIG;
	const config = { ...DEFAULT_COMPACT_CONFIG, sessionSummary: { ...sessionSummary, enabled: false } };
	const compaction = () => ({ config, from: "defaults" as const });
	const engine = (pi: ExtensionAPI) => registerEngine(pi, () => QUICK_SETTINGS, { compaction });
	const host = await sandbox.create({ ...OPTIONS, engine });
	for (const action of ["summary", "summary_search"]) {
		const { text, failed } = await callRecall(host, { action, query: "x" });
		expect({ failed, text }).toEqual({
			failed: true,
			text: 'SUMMARY_MISSING: no work summary is kept: sessionSummary.enabled is false; what works: pi_compact_recall {"action":"list"}',
		});
	}
});

test("the prompt that asks is not found by the turn that answers it, and is by the next", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask("the zebra lives in the zoo");
	const found = async (prompt: string) => {
		const search = () =>
			fauxAssistantMessage(fauxToolCall("pi_compact_recall", { query: "zebra zoo" }), {
				stopReason: "toolUse",
			});
		await host.play(prompt, [search, search, () => fauxAssistantMessage("done")]);
		return recalledIn(host).at(-1)?.ids ?? [];
	};
	const first = await found("where does the zebra live, in the zoo?");
	const asked = idOf(host, "where does the zebra");
	expect(first).toContain(idOf(host, "the zebra lives"));
	expect(first).not.toContain(asked);
	expect((await callRecall(host, { entryIds: [asked] })).ids).toEqual([asked]);
	expect(await found("once more")).toContain(asked);
});

test("the prompt of a turn is its last message of the user's, as far as no compaction took it", () => {
	const session = { getEntry: (id: string) => PATH.find((entry) => entry.id === id) };
	expect(promptAt(session as never, "c")).toBe("a");
	expect(promptAt(session as never, "e")).toBeUndefined();
	expect(promptAt(session as never, null)).toBeUndefined();
});

const PATH = [
	{ id: "a", parentId: null, type: "message", message: { role: "user" } },
	{ id: "b", parentId: "a", type: "message", message: { role: "assistant" } },
	{ id: "c", parentId: "b", type: "message", message: { role: "toolResult" } },
	{ id: "d", parentId: "c", type: "compaction" },
	{ id: "e", parentId: "d", type: "message", message: { role: "assistant" } },
];

test("several calls of one turn are each answered", async () => {
	await using sandbox = new Sandbox();
	const host = await spoken(await sandbox.create(OPTIONS));
	const calls = ["Sitzung", "posting"].map((query) => fauxToolCall("pi_compact_recall", { query }));
	const sent = await host.play("both", [
		() => fauxAssistantMessage(calls, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("done"),
	]);
	expect(sent.slice(-2).map((message) => JSON.parse(message).content[0].text)).toEqual([
		expect.stringContaining(SAID.german),
		expect.stringContaining("rebuildPostingList"),
	]);
});
