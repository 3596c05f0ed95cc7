import type { Item } from "../../../projections/window-plan.ts";
import { fieldBytes } from "./json-slice.ts";

/** Content by its digest. Throws `STORE_BLOB_DAMAGED`. */
export type ContentOf = (digest: string) => Uint8Array | undefined;

/** What the model is told of a call that never got a result. */
const NO_RESULT = "No result was recorded for this call.";

type Message = { readonly [field: string]: unknown };

/**
 * A window as messages in the host's neutral form, one JSON text each, in the order the model reads them. What stands
 * whole is the recorded message, byte for byte, or the entry where it holds none; adjacent texts of ours are one user
 * message with a block for each.
 */
export function* windowMessages(items: readonly Item[], content: ContentOf): Generator<Uint8Array> {
	const tools = new Map<string, string>();
	let folds: object[] = [];
	for (const item of items) {
		if (item.kind === "fold" || item.kind === "shown") {
			folds.push({ type: "text", text: textOf(content(item.text)) });
			continue;
		}
		if (folds.length > 0) yield json({ role: "user", content: folds });
		folds = [];
		yield messageOf(item, content, tools);
	}
	if (folds.length > 0) yield json({ role: "user", content: folds });
}

function messageOf(
	item: Exclude<Item, { kind: "fold" | "shown" }>,
	content: ContentOf,
	tools: Map<string, string>,
): Uint8Array {
	switch (item.kind) {
		case "entry": {
			const bytes = content(item.node.digest) ?? new Uint8Array();
			const recorded = fieldBytes(bytes, "message") ?? bytes;
			if (item.node.opens.length > 0) learnTools(recorded, tools);
			return item.form === "whole" ? recorded : json(withoutThinking(parsed(recorded)));
		}
		case "clipped": {
			const text = textOf(content(item.clip.text));
			return json({ ...recordedMessage(content(item.node.digest)), content: [{ type: "text", text }] });
		}
		case "edited": {
			const replacement = parsed(content(item.edit.digest)).replacement as Message | undefined;
			return json({ ...recordedMessage(content(item.node.digest)), content: replacement?.content ?? [] });
		}
		case "answer":
			return json({
				role: "toolResult",
				toolCallId: item.call,
				...(tools.has(item.call) && { toolName: tools.get(item.call) }),
				content: [{ type: "text", text: NO_RESULT }],
				isError: true,
			});
		default:
			return item satisfies never;
	}
}

function recordedMessage(bytes: Uint8Array = new Uint8Array()): Message {
	const message = fieldBytes(bytes, "message");
	return parsed(message ?? bytes);
}

function withoutThinking(message: Message): Message {
	const blocks = Array.isArray(message.content) ? (message.content as Message[]) : [];
	return { ...message, content: blocks.filter(({ type }) => type !== "thinking") };
}

function learnTools(message: Uint8Array, tools: Map<string, string>): void {
	const { content } = parsed(message);
	if (!Array.isArray(content)) return;
	for (const block of content as Message[]) {
		if (typeof block.id === "string" && typeof block.name === "string") tools.set(block.id, block.name);
	}
}

function parsed(bytes: Uint8Array | undefined): Message {
	const text = textOf(bytes);
	return text === "" ? {} : (JSON.parse(text) as Message);
}

function json(value: object): Uint8Array {
	return Buffer.from(JSON.stringify(value));
}

function textOf(bytes: Uint8Array = new Uint8Array()): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
