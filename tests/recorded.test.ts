import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AssistantMessage, calculateCost, type Usage } from "@earendil-works/pi-ai";
import { getBuiltinModel } from "@earendil-works/pi-ai/providers/all";
import { parseSessionEntries, type SessionEntry, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { TranscriptEntry } from "../projections/transcript.ts";
import { openSession } from "../src/adapters/sessions/pi/session.ts";

const FILE = fileURLToPath(new URL("sessions/recorded.jsonl", import.meta.url));
const MODEL = getBuiltinModel("anthropic", "claude-sonnet-4-5");

const text = readFileSync(FILE, "utf8");
const [header, ...rest] = parseSessionEntries(text);
const entries = rest as SessionEntry[];
const replies = entries.flatMap((entry) =>
	entry.type === "message" && entry.message.role === "assistant"
		? [{ ...entry, message: entry.message }]
		: [],
);
const results = entries.flatMap((entry) =>
	entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : [],
);

const promptTokens = ({ input, cacheRead, cacheWrite }: Usage) => input + cacheRead + cacheWrite;
const calls = (reply: AssistantMessage) => reply.content.filter((part) => part.type === "toolCall");
const childrenOf = (id: string) => entries.filter((entry) => entry.parentId === id);

test("the session holds at least 150 requests and 200,000 tokens of tool output in at most 2 MB", () => {
	expect(replies.length).toBeGreaterThanOrEqual(150);
	const characters = results
		.flatMap(({ content }) => content)
		.reduce((n, c) => n + (c.type === "text" ? c.text.length : 0), 0);
	expect(characters / 3).toBeGreaterThanOrEqual(200_000);
	expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
});

test("the model read, searched, wrote, edited and ran tests, some in parallel batches", () => {
	const made = replies.flatMap(({ message }) => calls(message));
	const commands = made.flatMap((call) => (call.name === "bash" ? [String(call.arguments.command)] : []));
	for (const tool of ["read", "bash", "write", "edit"]) expect(made.map((call) => call.name)).toContain(tool);
	expect(commands.filter((command) => command.startsWith("git grep")).length).toBeGreaterThan(10);
	expect(commands.filter((command) => command.startsWith("npm test")).length).toBeGreaterThan(5);
	expect(replies.filter(({ message }) => calls(message).length > 1).length).toBeGreaterThan(20);
	expect(results.some(({ content }) => /Tests +.*\d failed/.test(JSON.stringify(content)))).toBe(true);
	expect(new Set(results.map((result) => result.toolCallId)).size).toBe(made.length);
});

test("exactly two pauses last longer than five minutes, both before a person speaks", () => {
	const late = entries.filter((entry, i) => {
		const before = entries[i - 1];
		return before !== undefined && Date.parse(entry.timestamp) - Date.parse(before.timestamp) > 5 * 60_000;
	});
	expect(late.map((entry) => entry.type === "message" && entry.message.role)).toEqual(["user", "user"]);
});

test("time never runs backwards, and an entry and its message tell the same time", () => {
	for (const [i, entry] of entries.entries()) {
		const at = Date.parse(entry.timestamp);
		expect(at).toBeGreaterThan(Date.parse(entries[i - 1]?.timestamp ?? header?.timestamp ?? ""));
		if (entry.type === "message") expect(entry.message.timestamp).toBe(at);
	}
});

test("one reply was aborted and says so", () => {
	const aborted = replies.filter(({ message }) => message.stopReason === "aborted");
	expect(aborted).toHaveLength(1);
	expect(JSON.stringify(aborted[0]?.message.content).length).toBeGreaterThan(500);
});

test("one request failed as overloaded, left the window, and was retried", () => {
	const failed = replies.filter(({ message }) => message.stopReason === "error");
	expect(failed.map(({ message }) => message.errorMessage)).toEqual(["529 overloaded_error"]);
	const [omission] = childrenOf(failed[0]?.id ?? "");
	expect(omission).toMatchObject({ type: "context_edit", targetId: failed[0]?.id, replacement: null });
	const [retry] = childrenOf(omission?.id ?? "");
	expect(retry).toMatchObject({ message: { role: "assistant", stopReason: "toolUse" } });
});

test("the tree branches once, at the labelled reply, and both branches were worked on", () => {
	const forks = entries.filter((entry) => childrenOf(entry.id).length > 1);
	expect(forks).toHaveLength(1);
	expect(entries.find((entry) => entry.type === "label")).toMatchObject({ targetId: forks[0]?.id });
	const leaf = new Set(
		SessionManager.inMemory("/", {}, [...rest])
			.getBranch()
			.map((entry) => entry.id),
	);
	const abandoned = replies.filter((reply) => !leaf.has(reply.id));
	expect(abandoned.length).toBeGreaterThan(8);
	expect(replies.length - abandoned.length).toBeGreaterThanOrEqual(150);
});

test("ids are unique and every parent and target stands earlier in the file", () => {
	const seen = new Set<string | null>([null]);
	for (const entry of entries) {
		expect(entry.id).toMatch(/^[0-9a-f]{8}$/);
		expect(seen).toContain(entry.parentId);
		if ("targetId" in entry) expect(seen).toContain(entry.targetId);
		expect(seen).not.toContain(entry.id);
		seen.add(entry.id);
	}
});

test("no path, user or host of the recording machine is named", () => {
	expect(header).toMatchObject({ type: "session", version: 3, cwd: "/home/dev/palimpsest" });
	const places = /(?<![\w.~-])\/(?:root|Users|work|var\/folders)\/\S{0,40}|pi-recording-[A-Za-z0-9]{6}/g;
	expect(text.match(places)).toBeNull();
	const commits = [...text.matchAll(/Author: (\w+) </g)].map((match) => match[1]);
	expect(commits.every((author) => author === "dev")).toBe(true);
});

test("every reply is priced as the catalogue prices its model, within the model's window", () => {
	for (const { message } of replies) {
		expect(message).toMatchObject({ provider: MODEL.provider, model: MODEL.id, api: MODEL.api });
		const { usage } = message;
		expect(calculateCost(MODEL, structuredClone(usage)).total).toBeCloseTo(usage.cost.total, 10);
		expect(usage.totalTokens).toBe(promptTokens(usage) + usage.output);
		expect(promptTokens(usage)).toBeLessThan(MODEL.contextWindow);
	}
	expect(MODEL.cost.cacheRead).toBeGreaterThan(0);
	expect(MODEL.promptCache?.short).toBe(300);
});

test("after a long pause nothing is read from the cache, and between pauses nearly all is", () => {
	const billed = replies.filter(({ message }) => message.stopReason !== "error");
	const cold = billed.filter((reply, i) => {
		const before = billed[i - 1];
		return before !== undefined && Date.parse(reply.timestamp) - Date.parse(before.timestamp) > 5 * 60_000;
	});
	expect(cold.map(({ message }) => message.usage.cacheRead)).toEqual([0, 0]);
	const sum = (of: (usage: Usage) => number) => billed.reduce((n, { message }) => n + of(message.usage), 0);
	expect(sum((usage) => usage.cacheRead) / sum(promptTokens)).toBeGreaterThan(0.9);
});

test("the prompt outgrows what the host would compact a window of that size at", () => {
	const last = replies.at(-1)?.message.usage;
	expect(last && promptTokens(last)).toBeGreaterThan(MODEL.contextWindow - 16_384);
});

test("our reader finds the same entries and nothing to complain of", async () => {
	const session = await openSession(FILE);
	const read: TranscriptEntry[] = [];
	for await (const entry of session.entries) read.push(entry);
	expect(read.map((entry) => entry.id)).toEqual(entries.map((entry) => entry.id));
	expect(session.report.quarantined).toEqual([]);
	expect(read.filter((entry) => entry.usage !== undefined).length).toBeGreaterThanOrEqual(150);
});

test("the real host opens a copy and builds its window to the last reply", () => {
	const directory = mkdtempSync(join(tmpdir(), "recorded-"));
	try {
		const copy = join(directory, "session.jsonl");
		copyFileSync(FILE, copy);
		const manager = SessionManager.open(copy);
		const { messages, model } = manager.buildSessionProjection();
		expect(model).toEqual({ provider: MODEL.provider, modelId: MODEL.id });
		expect(messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "stop" });
		expect(manager.getEntries()).toHaveLength(entries.length);
		expect(readFileSync(copy, "utf8")).toBe(text);
	} finally {
		rmSync(directory, { recursive: true });
	}
});
