import { join } from "node:path";
import type { Item } from "../../projections/window-plan.ts";
import { pastWindow } from "../../src/debug/past-window.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

/** A recorded request beside what its window reads like, rebuilt from the store alone. */
export interface PastRequest {
	readonly recorded: string;
	readonly rebuilt: string;
	readonly commit: string | undefined;
	readonly tokens: number;
	readonly change: string | undefined;
	readonly messages: readonly string[];
}

/** Every request of a session's store, which nobody has open. */
export async function pastRequests(home: string, name: string): Promise<PastRequest[]> {
	await using store = await openStore({ directory: join(home, "sessions", name), registry: REGISTRY });
	const [stream = ""] = store.streams();
	const past: PastRequest[] = [];
	for (;;) {
		const window = await pastWindow(store, stream, past.length + 1);
		if (!("prepared" in window)) return past;
		const { prepared, digest, items } = window;
		past.push({
			recorded: prepared.window,
			rebuilt: digest,
			commit: prepared.commit,
			tokens: prepared.tokens,
			change: prepared.change?.cause,
			messages: messagesOf(store, items),
		});
	}
}

/** The messages the items of a window stand for, as they should reach a provider. */
function messagesOf(store: Store, items: readonly Item[]): string[] {
	const messages: unknown[] = [];
	let blocks: { type: "text"; text: string }[] | undefined;
	for (const item of items) {
		if (item.kind === "fold") {
			const block = { type: "text" as const, text: textOf(store, item.text) };
			if (blocks) blocks.push(block);
			else {
				blocks = [block];
				messages.push({ role: "user", content: blocks });
			}
			continue;
		}
		blocks = undefined;
		if (item.kind === "answer") messages.push({ answer: item.call });
		else messages.push(...entryMessages(store, item));
	}
	return messages.map((message) => JSON.stringify(message));
}

function entryMessages(store: Store, item: Exclude<Item, { kind: "fold" | "answer" }>): unknown[] {
	const entry = JSON.parse(textOf(store, item.node.digest));
	if (entry.type === "compaction") return [entry.systemMessage, { summary: entry.summary }].filter(Boolean);
	const { message } = entry;
	if (item.kind === "clipped")
		return [{ ...message, content: [{ type: "text", text: textOf(store, item.clip.text) }] }];
	if (item.kind === "edited") return [{ ...message, edited: true }];
	if (item.form === "whole") return [message];
	return [
		{ ...message, content: message.content.filter((block: { type: string }) => block.type !== "thinking") },
	];
}

function textOf(store: Store, digest: string): string {
	return new TextDecoder().decode(store.blob(digest));
}
