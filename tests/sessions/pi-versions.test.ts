import { expect, test } from "vitest";
import { readSession } from "../../src/adapters/sessions/pi/session.ts";
import {
	assistant,
	drain,
	fileOf,
	header,
	load,
	node,
	plain,
	result,
	sourceOf,
	stamp,
	textOf,
	textsOf,
	usage,
	user,
} from "./pi-fixture.ts";

test("a header names the session, and its version the format", async () => {
	for (const [version, format] of [
		[undefined, "pi-v1"],
		[2, "pi-v2"],
		[3, "pi-v3"],
	] as const) {
		const { session } = await load([header(version), node("message", 1, user("hello"))]);
		expect(session.format).toBe(format);
		expect(session.id).toBe("0190-session");
		expect(session.idFrom).toBe("header");
		expect(session.header).toEqual({
			id: "0190-session",
			cwd: "/home/someone/project",
			at: Date.parse(stamp(0)),
		});
	}
});

test("a fork names its parent session, under the old name too", async () => {
	const { session: fork } = await load([{ ...header(3), parentSession: "/a.jsonl" }]);
	const { session: old } = await load([{ ...header(), branchedFrom: "/b.jsonl" }]);
	expect(fork.header?.parentSession).toBe("/a.jsonl");
	expect(old.header?.parentSession).toBe("/b.jsonl");
});

test("entries of version 1 are called after their lines and follow each other", async () => {
	const lines = [header(), plain("message", 1, user("a")), "", plain("message", 2, user("b"))];
	const { entries } = await load(lines);
	expect(entries.map(({ id, parent, line }) => [id, parent, line])).toEqual([
		["line-2", null, 2],
		["line-4", "line-2", 4],
	]);
});

test("entries of version 1 keep their names although an entry carries an id", async () => {
	const { entries } = await load([header(), plain("message", 1, { id: "x", parentId: null, ...user("a") })]);
	expect(entries[0]?.id).toBe("line-2");
});

test("firstKeptEntryIndex counts the file's objects, the header included, and not its empty lines", async () => {
	const compaction = { summary: "s", firstKeptEntryIndex: 2, tokensBefore: 9 };
	const lines = [header(), "", plain("message", 1, user("a")), plain("message", 2, user("b"))];
	const { entries } = await load([...lines, plain("compaction", 3, compaction)]);
	expect(entries.at(-1)).toMatchObject({ kind: "compaction", role: "summary", firstKept: "line-4" });
	expect(textsOf(entries[1])).toEqual(["b"]);
});

test("firstKeptEntryIndex counts both objects of a fused line and none of a quarantined one", async () => {
	const fused = textOf(plain("message", 1, user("a"))) + textOf(plain("message", 2, user("b")));
	const kept = (firstKeptEntryIndex: number) => plain("compaction", 5, { summary: "s", firstKeptEntryIndex });
	const lines = [header(), fused, '{"type":"mess', plain("message", 3, user("c"))];
	const { entries } = await load([...lines, ...[0, 1, 2, 3, 4, 5].map(kept)]);
	expect(entries.slice(3).map(({ firstKept }) => firstKept)).toEqual([
		undefined,
		"line-2",
		"line-2.2",
		"line-4",
		"line-5",
		"line-6",
	]);
});

test("a compaction of version 1 that points at itself or behind keeps nothing", async () => {
	const at = (firstKeptEntryIndex: number) => plain("compaction", 2, { summary: "s", firstKeptEntryIndex });
	for (const index of [2, 3, 99]) {
		const { entries } = await load([header(), plain("message", 1, user("a")), at(index)]);
		expect(entries[1]).not.toHaveProperty("firstKept");
	}
});

test("version 2 calls an extension's message hookMessage", async () => {
	const message = {
		role: "hookMessage",
		customType: "x",
		content: "from a hook",
		display: true,
		timestamp: 5,
	};
	const { session, entries } = await load([header(2), node("message", 1, { message })]);
	expect(session.format).toBe("pi-v2");
	expect(entries[0]).toMatchObject({ id: "e1", kind: "note", role: "note" });
	expect(textsOf(entries[0])).toEqual(["from a hook"]);
});

test("a tree keeps its branches, and an entry without parent is a root", async () => {
	const lines = [header(3), node("message", 1, user("a")), node("message", 2, user("b"))];
	const { session, entries } = await load([
		...lines,
		node("message", 3, user("c"), "e1"),
		node("message", 4, user("d"), null),
	]);
	expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
		["e1", null],
		["e2", "e1"],
		["e3", "e1"],
		["e4", null],
	]);
	expect(session.report.reparented).toEqual([]);
});

test("a slice without header gets an id from its first entry, and its unknown parent becomes a root", async () => {
	const lines = [node("message", 5, user("a"), "gone"), node("message", 6, user("b"))];
	const { session, entries } = await load(lines);
	expect(session).toMatchObject({ format: "pi-v3", idFrom: "firstEntry" });
	expect(session.header).toBeUndefined();
	expect(session.id).toMatch(/^entry-[0-9a-f]{32}$/);
	expect((await load(lines.slice(0, 1))).session.id).toBe(session.id);
	expect((await load(lines.slice(1))).session.id).not.toBe(session.id);
	expect(entries.map(({ parent }) => parent)).toEqual([null, "e5"]);
	expect(session.report.reparented).toEqual([
		{ line: 1, id: "e5", named: "gone", parent: null, by: "previous" },
	]);
});

test("a slice without header whose entries have no ids is of version 1", async () => {
	const { session, entries } = await load([plain("message", 1, user("a"))]);
	expect(session.format).toBe("pi-v1");
	expect(entries[0]?.id).toBe("line-1");
});

test("an entry whose parent is nowhere in the file follows the entry before it", async () => {
	const lines = [header(3), node("message", 1, user("a")), node("message", 2, user("b"), "gone")];
	const { session, entries } = await load([...lines, { ...node("label", 3, {}), parentId: undefined }]);
	expect(entries.map(({ parent }) => parent)).toEqual([null, "e1", "e2"]);
	expect(session.report.reparented).toEqual([
		{ line: 3, id: "e2", named: "gone", parent: "e1", by: "previous" },
		{ line: 4, id: "e3", parent: "e2", by: "previous" },
	]);
});

test("a child of a quarantined entry goes behind that entry's parent, on its own branch", async () => {
	const broken = (n: number, parent: string) =>
		textOf(node("message", n, user("x"), parent)).replace('"x"', '"\\x"');
	const lines = [header(3), node("message", 1, user("a")), broken(2, "e1"), broken(3, "e2")];
	const { session, entries } = await load([
		...lines,
		node("message", 4, user("other branch"), "e1"),
		node("message", 5, user("child of the broken"), "e3"),
	]);
	expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
		["e1", null],
		["e4", "e1"],
		["e5", "e1"],
	]);
	expect(session.report.reparented).toEqual([
		{ line: 6, id: "e5", named: "e3", parent: "e1", by: "quarantined" },
	]);
});

test("no entry is its own ancestor", async () => {
	const lines = [header(3), node("message", 1, user("a"), "e1"), node("message", 2, user("b"), "e1")];
	const { entries } = await load([...lines, node("message", 1, user("again"), "e2")]);
	expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
		["e1", null],
		["e2", "e1"],
		["e1~line-4", "e2"],
	]);
});

test("an id that comes twice names the first entry, and the second is renamed and reported", async () => {
	const lines = [header(3), node("message", 1, user("a")), node("message", 1, user("a"))];
	const { session, entries } = await load([...lines, node("message", 2, user("b"))]);
	expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
		["e1", null],
		["e1~line-3", null],
		["e2", "e1"],
	]);
	expect(session.report.repeated).toEqual([{ line: 3, id: "e1", renamed: "e1~line-3" }]);
});

test("a dialect writes its model as provider/id, and the first slash divides", async () => {
	const lines = [
		header(3),
		node("model_change", 1, { model: "openrouter/~anthropic/large", role: "default" }),
	];
	const { entries } = await load([...lines, node("model_change", 2, { provider: "zai", modelId: "a/b" })]);
	expect(entries.map(({ kind, model }) => [kind, model])).toEqual([
		["model", { provider: "openrouter", model: "~anthropic/large" }],
		["model", { provider: "zai", model: "a/b" }],
	]);
});

test("a dialect's further fields change nothing, and a result without its call is read as it is", async () => {
	const message = { ...user("hello").message, attribution: "user" };
	const lines = [
		header(3),
		node("message", 1, { message }),
		node("message", 2, result("call_1", "out", true)),
	];
	const { session, entries } = await load(lines);
	expect(entries[0]).toMatchObject({ role: "user", blocks: [{ type: "text", text: "hello" }] });
	expect(entries[1]).toMatchObject({ role: "result", answers: "call_1", tool: "bash", failed: true });
	expect(session.report.unknown.size).toBe(0);
});

test("types, roles, blocks and stops that nobody knows give entries no model sees, and are counted", async () => {
	const lines = [
		header(3),
		node("branch_vote", 1, { x: 1 }),
		node("message", 2, { message: { role: "judge" } }),
	];
	const odd = assistant([{ type: "video" }, { type: "text", text: "seen" }], { stopReason: "deferred" });
	const { session, entries } = await load([...lines, node("message", 3, odd), node("message", 4, {})]);
	expect(entries.map(({ kind, role, blocks }) => [kind, role, blocks.length])).toEqual([
		["info", undefined, 0],
		["message", undefined, 0],
		["message", "assistant", 1],
		["message", undefined, 0],
	]);
	expect(Object.fromEntries(session.report.unknown)).toEqual({
		"type:branch_vote": 1,
		"role:judge": 1,
		"block:video": 1,
		"stop:deferred": 1,
		"role:undefined": 1,
	});
});

test("a reply carries its blocks in order, what it cost, who gave it and how it ended", async () => {
	const content = [
		{ type: "thinking", thinking: "hm", thinkingSignature: "sig" },
		{ type: "thinking", thinking: "ha", thinkingSignature: "" },
		{ type: "thinking", thinking: "", thinkingSignature: "secret", redacted: true },
		{ type: "text", text: "I look" },
		{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a.ts", n: [1, null, true] } },
	];
	const { entries } = await load([
		header(3),
		node("message", 1, assistant(content, { stopReason: "toolUse" })),
	]);
	expect(entries[0]).toMatchObject({
		role: "assistant",
		stop: "toolUse",
		at: Date.parse(stamp(1)),
		sentAt: 1_767_268_801_000,
		model: { provider: "anthropic", model: "claude-opus", api: "anthropic-messages" },
		usage: { input: 7, output: 11, cacheRead: 13, cacheWrite: 17, usd: 1 },
		blocks: [
			{ type: "thinking", text: "hm", signed: true },
			{ type: "thinking", text: "ha", signed: false },
			{ type: "thinking", text: "", signed: true },
			{ type: "text", text: "I look" },
			{ type: "call", callId: "c1", tool: "read", args: { path: "a.ts", n: [1, null, true] } },
		],
	});
});

test.each([{ input: -5 }, { output: 2e12 }, { cacheRead: -0.5 }, { cost: { total: -1 } }])(
	"usage with a figure no request can have is absent, and counted: %o",
	async (figure) => {
		const lines = [header(3), node("message", 1, assistant([], { usage: { ...usage, ...figure } }))];
		const { entries, session } = await load(lines);
		expect(entries[0]?.usage).toBeUndefined();
		expect(session.report.unknown).toEqual(new Map([["usage:impossible", 1]]));
	},
);

test("a number too large for JSON's readers to hold is no usage either", async () => {
	const line = JSON.stringify(node("message", 1, assistant([], { usage })));
	const { entries } = await load([header(3), line.replace('"input":7', '"input":1e999')]);
	expect(entries).toHaveLength(1);
	expect(entries[0]?.usage).toBeUndefined();
});

test("usage without a cost has no dollars", async () => {
	const { cost: _, ...bare } = usage;
	const { entries } = await load([header(3), node("message", 1, assistant([], { usage: bare }))]);
	expect(entries[0]?.usage).toEqual({ input: 7, output: 11, cacheRead: 13, cacheWrite: 17 });
});

test("an image counts the bytes it decodes to", async () => {
	const images = [1, 2, 3, 1000].map((size) => Buffer.alloc(size, 7).toString("base64"));
	const content = images.map((data) => ({ type: "image", data, mimeType: "image/png" }));
	const { entries } = await load([header(3), node("message", 1, { message: { role: "user", content } })]);
	expect(entries[0]?.blocks).toEqual(
		[1, 2, 3, 1000].map((bytes) => ({ type: "image", mime: "image/png", bytes })),
	);
});

test("a context edit names its target, and omits it or gives other blocks", async () => {
	const lines = [header(3), node("message", 1, user("a"))];
	const { entries } = await load([
		...lines,
		node("context_edit", 2, { targetId: "e1", replacement: null }),
		node("context_edit", 3, { targetId: "e1", replacement: { content: "shorter" } }),
	]);
	expect(entries[1]).toMatchObject({ kind: "contextEdit", target: "e1", omits: true, blocks: [] });
	expect(entries[2]).toMatchObject({
		target: "e1",
		omits: false,
		blocks: [{ type: "text", text: "shorter" }],
	});
	expect(entries[2]).not.toHaveProperty("role");
});

test("state of the host and of extensions is read and never shown", async () => {
	const { entries } = await load([
		header(3),
		node("custom", 1, { customType: "x", data: { role: "user" } }),
		node("label", 2, { targetId: "e1", label: "here" }),
		node("thinking_level_change", 3, { thinkingLevel: "high" }),
		node("session_info", 4, { name: "a name" }),
		node("usage", 5, { kind: "cache_warm", provider: "anthropic", model: "claude-opus", usage }),
	]);
	expect(entries.map(({ kind }) => kind)).toEqual(["custom", "label", "thinkingLevel", "info", "usage"]);
	expect(entries.every(({ role, blocks }) => role === undefined && blocks.length === 0)).toBe(true);
	expect(entries[4]).toMatchObject({ usage: { cacheRead: 13, usd: 1 }, model: { model: "claude-opus" } });
});

test("a prompt or tool patch shows its text, its sections and its tools", async () => {
	const tool = { name: "read", description: "reads", parameters: { type: "object" } };
	const message = {
		role: "system",
		content: "You are helpful.",
		sections: { memory: "<memory>m</memory>", skills: null },
		toolsAdded: [tool],
		toolsRemoved: [{ name: "bash" }, { name: "edit" }],
	};
	const { entries } = await load([header(3), node("message", 1, { message })]);
	expect(entries[0]?.role).toBe("system");
	expect(textsOf(entries[0])).toEqual([
		"You are helpful.",
		"<memory>m</memory>",
		'Removed system prompt section "skills".',
		JSON.stringify(tool),
		"Removed tools: bash, edit.",
	]);
});

test("an entry's own timestamp is its time, then its message's, then that of the entry before", async () => {
	const { entries } = await load([
		header(3),
		{ ...node("label", 1, {}), timestamp: undefined },
		node("message", 2, user("a")),
		{ ...node("message", 3, user("b")), timestamp: "yesterday" },
		{ ...node("label", 4, {}), timestamp: null },
	]);
	const own = 1_767_268_800_000;
	expect(entries.map(({ at }) => at)).toEqual([Date.parse(stamp(0)), Date.parse(stamp(2)), own, own]);
});

test("an entry's bytes are those of the file", async () => {
	const odd =
		'{"type":"message", "id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z",\t"n":1.0e0,"message":{"role":"user","content":"\\u00e4\\/"}}';
	const { entries } = await load([header(3), ` \t${odd} `]);
	expect(entries.map(sourceOf)).toEqual([odd]);
	expect(textsOf(entries[0])).toEqual(["ä/"]);
});

test("entries can be read without opening the session first, and twice with", async () => {
	const lines = [header(3), node("message", 1, user("a")), '{"broken', node("message", 2, user("b"))];
	const { session, entries } = await load(lines);
	expect(await drain(readSession(fileOf(lines)))).toEqual(entries);
	expect(await drain(session.entries)).toEqual(entries);
	expect(session.report).toMatchObject({ entries: 2, bytesRead: session.size });
	expect(session.report.quarantined).toHaveLength(1);
});
