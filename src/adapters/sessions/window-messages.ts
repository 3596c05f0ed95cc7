import type { EntryNode } from "../../../projections/session-tree.ts";
import type { Item } from "../../../projections/window-plan.ts";
import { SHREDDED } from "../../debug/shredded.ts";
import { fieldBytes } from "./json-slice.ts";

/** Content by its digest. Throws `STORE_BLOB_DAMAGED`. */
export type ContentOf = (digest: string) => Uint8Array | undefined;

/** What the model is told of a call that never got a result. */
const NO_RESULT = "No result was recorded for this call.";

/** Stands for content that was destroyed. */
const GONE = Buffer.from(SHREDDED);

type Message = { readonly [field: string]: unknown };

/**
 * A window as messages in the host's neutral form, one JSON text each, in the order the model reads them. What stands
 * whole is the recorded message, byte for byte, or the entry where it holds none; adjacent texts of ours are one user
 * message with a block for each. Of content that was destroyed on purpose, as `isShredded` says by its digest, the message
 * says that alone, with who spoke.
 */
export function* windowMessages(
	items: readonly Item[],
	stored: ContentOf,
	isShredded: (digest: string) => boolean = () => false,
): Generator<Uint8Array> {
	const content: ContentOf = (digest) => stored(digest) ?? (isShredded(digest) ? GONE : undefined);
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
			if (bytes === GONE) return json(goneMessage(item.node));
			const recorded = fieldBytes(bytes, "message") ?? bytes;
			if (item.node.opens.length > 0) learnTools(recorded, tools);
			return item.form === "whole" ? recorded : json(withoutThinking(parsed(recorded)));
		}
		case "clipped": {
			const text = textOf(content(item.clip.text));
			return json({ ...recordedMessage(item.node, content), content: [{ type: "text", text }] });
		}
		case "edited": {
			const edit = content(item.edit.digest);
			if (edit === GONE) return json(goneMessage(item.node));
			const replacement = parsed(edit).replacement as Message | undefined;
			return json({ ...recordedMessage(item.node, content), content: replacement?.content ?? [] });
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

/** What is left of a message: who spoke, and that it was destroyed. */
function goneMessage({ role, digest }: EntryNode): Message {
	return { role, shredded: digest, content: [{ type: "text", text: SHREDDED }] };
}

function recordedMessage(node: EntryNode, content: ContentOf): Message {
	const bytes = content(node.digest) ?? new Uint8Array();
	if (bytes === GONE) return goneMessage(node);
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
