import {
	buildContextEntries,
	convertToLlm,
	parseSessionEntries,
	type SessionEntry,
	sessionEntryToContextMessages,
} from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { Block, TranscriptEntry } from "../../projections/transcript.ts";
import { assistant, header, load, node, result, sourceOf, textOf, usage, user } from "./pi-fixture.ts";

type HostPart = Exclude<ReturnType<typeof convertToLlm>[number]["content"], string>[number];

/** What the host would send for an entry, in our blocks; system messages are left to each provider. */
function hostBlocks(entry: SessionEntry): Block[] {
	const messages = convertToLlm(sessionEntryToContextMessages(entry)).filter(({ role }) => role !== "system");
	return messages.flatMap(({ content }) =>
		typeof content === "string" ? [{ type: "text" as const, text: content }] : content.map(blockOf),
	);
}

function blockOf(part: HostPart): Block {
	switch (part.type) {
		case "text":
			return { type: "text", text: part.text };
		case "thinking":
			return { type: "thinking", text: part.thinking, signed: Boolean(part.thinkingSignature) };
		case "toolCall":
			return { type: "call", callId: part.id, tool: part.name, args: part.arguments };
		case "image":
			return { type: "image", mime: part.mimeType, bytes: Buffer.from(part.data, "base64").length };
	}
}

const bash = (fields: object) => ({
	message: {
		role: "bashExecution",
		command: "ls",
		output: "a\nb",
		exitCode: 0,
		cancelled: false,
		truncated: false,
		...fields,
	},
});

const image = { type: "image", data: Buffer.from("png").toString("base64"), mimeType: "image/png" };
const compaction = { summary: "what was", firstKeptEntryId: "e2", tokensBefore: 5 };
const note = { customType: "x", display: true };

const shown: [string, string, object][] = [
	["a user's text", "message", user("hello")],
	["a user's plain string", "message", { message: { role: "user", content: "plain" } }],
	["a user without content", "message", { message: { role: "user", content: null } }],
	["a picture", "message", { message: { role: "user", content: [{ type: "text", text: "see" }, image] } }],
	[
		"a reply",
		"message",
		assistant([
			{ type: "thinking", thinking: "t", thinkingSignature: "s" },
			{ type: "text", text: "x" },
		]),
	],
	["a reply without content", "message", { message: { ...assistant([]).message, content: undefined } }],
	[
		"a call",
		"message",
		assistant([{ type: "toolCall", id: "c", name: "bash", arguments: { command: "ls" } }]),
	],
	["a result", "message", result("c", "out")],
	["a command", "message", bash({})],
	["a command without output", "message", bash({ output: "" })],
	["a command that failed", "message", bash({ exitCode: 3 })],
	["a command killed", "message", bash({ exitCode: undefined, cancelled: true })],
	["a command both killed and failed", "message", bash({ exitCode: 3, cancelled: true })],
	["a command without exit code", "message", bash({ exitCode: null })],
	["a command cut short", "message", bash({ truncated: true, fullOutputPath: "/tmp/full" })],
	["a command cut short whose rest is nowhere", "message", bash({ truncated: true })],
	["a command kept from the model", "message", bash({ excludeFromContext: true })],
	["an extension's message", "custom_message", { ...note, content: "from an extension" }],
	["an extension's picture", "custom_message", { ...note, content: [image, { type: "text", text: "t" }] }],
	["an extension's message without content", "custom_message", { ...note, content: undefined }],
	["an extension's message of old", "message", { message: { role: "custom", content: "old" } }],
	["a branch summary", "branch_summary", { fromId: "e1", summary: "the other way" }],
	["an empty branch summary", "branch_summary", { fromId: "e1", summary: "" }],
	["a compaction", "compaction", compaction],
	[
		"a compaction with a checkpoint",
		"compaction",
		{ ...compaction, systemMessage: { role: "system", content: "p" } },
	],
	["an unknown role", "message", { message: { role: "judge", content: "x" } }],
	["a label", "label", { targetId: "e1", label: "l" }],
	["state", "custom", { customType: "x", data: 1 }],
	["usage", "usage", { kind: "cache_warm", provider: "p", model: "m", usage }],
	["an edit that omits", "context_edit", { targetId: "e1", replacement: null }],
];

for (const [what, type, fields] of shown) {
	test(`${what}: the model is shown what the host shows`, async () => {
		const entry = node(type, 1, fields) as SessionEntry;
		const { entries } = await load([header(3), entry]);
		expect(entries[0]?.blocks).toEqual(hostBlocks(entry));
		const silent = convertToLlm(sessionEntryToContextMessages(entry)).length === 0;
		expect(entries[0]?.role === undefined || entries[0].hidden === true).toBe(silent);
	});
}

test("a command kept from the model is marked hidden, and whether a command failed is known", async () => {
	const lines = [bash({ excludeFromContext: true }), bash({ exitCode: 1 }), bash({ cancelled: true })];
	const { entries } = await load([header(3), ...lines.map((fields, i) => node("message", i + 1, fields))]);
	expect(entries.map(({ role, hidden, failed }) => [role, hidden, failed])).toEqual([
		["bash", true, false],
		["bash", false, true],
		["bash", false, true],
	]);
});

test("of an unbroken file we read the entries the host reads, on the same path", async () => {
	const lines = [
		header(3),
		node("message", 1, user("a")),
		node("message", 2, user("b")),
		node("compaction", 3, compaction),
		node("message", 4, user("left"), "e1"),
		node("message", 5, user("right"), "e3"),
	].map(textOf);
	const { entries } = await load(lines);
	const host = parseSessionEntries(lines.join("\n")).slice(1) as SessionEntry[];
	expect(entries.map((entry) => JSON.parse(sourceOf(entry)))).toEqual(host);
	expect(contextOf(entries)).toEqual(buildContextEntries(host).map(({ id }) => id));
});

/** The host's rule: the newest compaction, what it keeps, and all that follows. */
function contextOf(entries: readonly TranscriptEntry[]): string[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const path: TranscriptEntry[] = [];
	for (let entry = entries.at(-1); entry; entry = byId.get(entry.parent ?? "")) path.unshift(entry);
	const at = path.findLastIndex(({ kind }) => kind === "compaction");
	if (at === -1) return path.map(({ id }) => id);
	const kept = path.findIndex(({ id }) => id === path[at]?.firstKept);
	return [path[at], ...path.slice(kept, at), ...path.slice(at + 1)].map((entry) => entry?.id ?? "");
}
