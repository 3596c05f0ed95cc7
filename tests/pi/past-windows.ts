import { join } from "node:path";
import { convertToLlm, sessionEntryToContextMessages } from "@earendil-works/pi-coding-agent";
import { expect } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import { initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import { type Item, planAt, windowItems } from "../../projections/window-plan.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Host, Sandbox, Sent } from "./sandbox.ts";
import { isFold, shared } from "./shared.ts";

const DECISIONS = ["commit", "expand", "refold", "pin", "undo"];
const CAUSES = [...DECISIONS, "compaction", "leaf", "contextEdit", "answer"];

interface AnyMessage {
	readonly role: string;
	readonly content?: readonly { readonly type: string }[];
}

/** A recorded request beside what its window reads like, rebuilt from the store alone. */
export interface PastRequest {
	readonly recorded: string;
	readonly rebuilt: string;
	readonly commit: string | undefined;
	readonly tokens: number;
	readonly change: string | undefined;
	readonly messages: readonly string[];
	/** position of the decision in force */
	readonly decision: number | undefined;
}

/** Every request was recorded, can be rebuilt, and is what reached the provider; windows only grow between commits. */
export async function expectHistory(sandbox: Sandbox, host: Host, requests: readonly Sent[] = host.requests) {
	await host.quit();
	await using store = await openStore({
		directory: join(sandbox.home, "sessions", host.session.sessionId),
		registry: REGISTRY,
	});
	const { past } = await pastRequests(store);
	expectPast(past, requests);
	return past;
}

/** As {@link expectHistory}, of requests that were read already. */
export function expectPast(past: readonly PastRequest[], requests: readonly (Sent | undefined)[]): void {
	expect(past).toHaveLength(requests.length);
	for (const [index, { recorded, rebuilt, messages, commit, change }] of past.entries()) {
		expect(rebuilt).toBe(recorded);
		const sent = requests[index];
		if (!sent) continue;
		expect(sent.some(isFold)).toBe(
			commit !== undefined && messages.some((message) => message.includes("[Written by")),
		);
		expect(sent.filter(isAnswer).map(comparable)).toEqual(messages.map(comparable));
		const before = requests[index - 1];
		if (before && change === undefined) expect(shared(before, sent)).toBe(before.length);
		if (change !== undefined) expect(CAUSES).toContain(change);
	}
}

function comparable(message: string): string {
	const { summary, ...rest } = JSON.parse(untimed(message));
	if (summary !== undefined) return "summary";
	const [first] = Array.isArray(rest.content) ? rest.content : [];
	return first?.text?.startsWith("The conversation history before this point was compacted")
		? "summary"
		: JSON.stringify(rest);
}

/** Providers leave out replies that failed, which the scripted one is handed still. */
function isAnswer(message: string): boolean {
	const { role, stopReason } = JSON.parse(message);
	return role !== "assistant" || (stopReason !== "error" && stopReason !== "aborted");
}

/** A message without its time, for ours bear that of what they stand for. */
function untimed(message: string): string {
	const { timestamp: _, ...rest } = JSON.parse(message);
	return JSON.stringify(rest);
}

/** Every request of a session's store, and what its events come to. */
export async function pastRequests(store: Store): Promise<{ past: PastRequest[]; states: SessionStates }> {
	const [stream = ""] = store.streams();
	const past: PastRequest[] = [];
	const states = initialStates();
	for await (const { type, data, position, at } of store.read(stream)) {
		const event = { type, data } as DomainEvent;
		if (event.type === "request/prepared") {
			const { window: recorded, leaf, commit, tokens, change } = event.data;
			const plan = planAt(states, leaf);
			const items = windowItems(states, leaf, plan);
			past.push({
				recorded,
				rebuilt: digestOf(items, (text) => sha256Node(new TextEncoder().encode(text))),
				commit,
				tokens,
				change: change?.cause,
				messages: messagesOf(store, items),
				decision: plan?.position,
			});
		}
		replayStates(states, [{ event, position, at }]);
	}
	return { past, states };
}

/** The messages the items of a window stand for, as they should reach a provider. */
function messagesOf(store: Store, items: readonly Item[]): string[] {
	const messages: unknown[] = [];
	let blocks: { type: "text"; text: string }[] | undefined;
	for (const item of items) {
		if (item.kind === "fold" || item.kind === "shown") {
			const block = { type: "text" as const, text: textOf(store, item.text) };
			if (blocks) blocks.push(block);
			else {
				blocks = [block];
				messages.push({ role: "user", content: blocks });
			}
			continue;
		}
		blocks = undefined;
		// a call without a result gets its answer later, in the words of the provider's adapter
		if (item.kind !== "answer") messages.push(...entryMessages(store, item));
	}
	return messages.map((message) => JSON.stringify(message));
}

function entryMessages(store: Store, item: Exclude<Item, { kind: "fold" | "shown" | "answer" }>): unknown[] {
	const entry = JSON.parse(textOf(store, item.node.digest));
	if (entry.type === "compaction") return [entry.systemMessage, { summary: entry.summary }].filter(Boolean);
	const [message] = convertToLlm(sessionEntryToContextMessages(entry)) as AnyMessage[];
	if (!message) return [];
	if (item.kind === "clipped")
		return [{ ...message, content: [{ type: "text", text: textOf(store, item.clip.text) }] }];
	if (item.kind === "edited") {
		const { replacement } = JSON.parse(textOf(store, item.edit.digest));
		return [{ ...message, content: replacement.content }];
	}
	if (item.form === "whole") return [message];
	return [{ ...message, content: message.content?.filter((block) => block.type !== "thinking") }];
}

function textOf(store: Store, digest: string): string {
	return new TextDecoder().decode(store.blob(digest));
}
