import { buildSessionProjection, convertToLlm, type SessionEntry } from "@earendil-works/pi-coding-agent";
import { expect } from "vitest";
import type { Asked } from "./asked.ts";
import type { Sent } from "./sandbox.ts";
import { shared } from "./shared.ts";

const OURS = ["[Written by the runtime", "[Folded by the runtime"];

/** A request that was sent. */
export type Request = Asked & { readonly sent: Sent };

/** Those that were sent. */
export function sentOf(requests: readonly Asked[]): Request[] {
	return requests.filter((asked): asked is Request => asked.sent !== undefined);
}

/** A message of the host's, and the entry it comes from. */
interface Raw {
	readonly entry: SessionEntry;
	readonly json: string;
}

/** Whether a message is ours. */
export function isOurs(message: string): boolean {
	const { role, content } = JSON.parse(message);
	return (
		role === "user" && Array.isArray(content) && OURS.some((words) => content[0]?.text?.startsWith(words))
	);
}

/** What the host alone would send at the end of a path. */
export function rawWindow(path: readonly SessionEntry[]): Raw[] {
	const { entries } = buildSessionProjection([...path], path.at(-1)?.id ?? null);
	return entries.flatMap(({ sourceEntry: entry, messages }) =>
		convertToLlm(messages).map((message) => ({ entry, json: JSON.stringify(message) })),
	);
}

/** The nodes of our decisions on a path. */
export function nodesOn(path: readonly SessionEntry[]): SessionEntry[] {
	return path.filter((entry) => entry.type === "custom" && entry.customType === "palimpsest");
}

/**
 * What can be told of requests without a look into the log: results follow their calls, nothing is sent that is neither
 * the host's nor ours, nothing is hidden where no decision is on the path, what the user said last is raw, and what was
 * sent once is only ever added to, and read from the provider's cache, unless the path says why not.
 */
export function expectSound(all: readonly Asked[]): void {
	const requests = sentOf(all);
	for (const [index, asked] of requests.entries()) {
		expectPaired(asked);
		expectOurs(asked);
		const before = requests.slice(0, index).findLast(({ session }) => session === asked.session);
		if (before) expectGrown(before, asked);
	}
}

/** Every result stands behind its call, once, and every call is answered that was. */
function expectPaired({ sent, path }: Request): void {
	const called = new Set<string>();
	const answered = new Set<string>();
	for (const message of sent.map((json) => JSON.parse(json))) {
		if (message.role === "toolResult") {
			expect(called).toContain(message.toolCallId);
			expect(answered).not.toContain(message.toolCallId);
			answered.add(message.toolCallId);
		}
		if (message.role !== "assistant") continue;
		for (const block of message.content) if (block.type === "toolCall") called.add(block.id);
	}
	for (const { json } of rawWindow(path)) {
		const { role, toolCallId } = JSON.parse(json);
		if (role === "toolResult" && called.has(toolCallId)) expect(answered).toContain(toolCallId);
	}
}

/** What is not ours is the host's: whole, or a result or a reply of which we left something out; in the host's order. */
function expectOurs({ sent, path }: Request): void {
	const raw = rawWindow(path);
	if (nodesOn(path).length === 0) {
		expect(sent).toEqual(raw.map(({ json }) => json));
		return;
	}
	let from = 0;
	for (const message of sent.filter((json) => !isOurs(json))) {
		const at = raw.findIndex(
			({ json }, index) => index >= from && (json === message || isLess(message, json)),
		);
		expect({ message, at }).not.toEqual({ message, at: -1 });
		from = at + 1;
	}
	const said = raw.findLast(({ entry }) => entry.type === "message" && entry.message.role === "user");
	if (said) expect(sent).toContain(said.json);
}

/** Whether a message is another of which something was left out: a result's text, or a reply's thinking. */
function isLess(message: string, whole: string): boolean {
	const { content, ...rest } = JSON.parse(message);
	const { content: all, ...others } = JSON.parse(whole);
	if (JSON.stringify(rest) !== JSON.stringify(others)) return false;
	if (rest.role === "toolResult")
		return content.length === 1 && JSON.stringify(content).length < JSON.stringify(all).length;
	const unthought =
		rest.role === "assistant" && all.filter((block: { type: string }) => block.type !== "thinking");
	return unthought !== false && JSON.stringify(unthought) === JSON.stringify(content);
}

/** The messages that two requests share, and what the provider's cache had of the second, are those of an untouched window. */
function expectGrown(before: Request, asked: Request): void {
	const reason = reasonBetween(before, asked);
	if (reason !== undefined) return;
	expect(shared(before.sent, asked.sent)).toBe(before.sent.length);
	const { usage: billed } = before;
	const { usage } = asked;
	if (!billed || !usage || usage.cacheRead + usage.cacheWrite === 0) return;
	const whole = billed.input + billed.cacheRead + billed.cacheWrite;
	// a provider of another process has an empty cache
	if (usage.cacheRead > 0) expect(usage.cacheRead).toBe(whole);
}

/** Why a window may be another than the one before with something added: where the path says so. */
function reasonBetween(before: Request, asked: Request): string | undefined {
	const last = before.path.at(-1)?.id;
	const at = asked.path.findIndex(({ id }) => id === last);
	if (at === -1) return "another branch";
	const since = asked.path.slice(at + 1);
	if (nodesOn(since).length > 0) return "a decision";
	if (since.some(({ type }) => type === "compaction")) return "a compaction";
	if (since.some(({ type }) => type === "context_edit")) return "an edit";
	return lateAnswer(before.sent, asked.sent);
}

/** The host words an answer for calls that have none yet, and the result takes its place. */
function lateAnswer(before: Sent, sent: Sent): string | undefined {
	const calls = (messages: Sent, role: string) =>
		messages.flatMap((json) => {
			const message = JSON.parse(json);
			if (message.role !== role) return [];
			if (role === "toolResult") return [message.toolCallId as string];
			return message.content.flatMap((block: { type: string; id: string }) =>
				block.type === "toolCall" ? [block.id] : [],
			);
		});
	const answered = new Set(calls(before, "toolResult"));
	const open = calls(before, "assistant").filter((call) => !answered.has(call));
	return open.some((call) => calls(sent, "toolResult").includes(call)) ? "a late answer" : undefined;
}
