import type { Block, JsonValue } from "../../../../projections/transcript.ts";
import { asRecord, asString } from "./raw-entry.ts";

/** Told of everything a reader does not know, under a name like `block:video`. */
export type NoteUnknown = (what: string) => void;

type Fields = { readonly [field: string]: unknown };

/** A block of plain text. */
export function textBlock(text: string): Block {
	return { type: "text", text };
}

/** The blocks of a message's content: a string, or a list of the host's content blocks. Others are told and left out. */
export function blocksOf(content: unknown, note: NoteUnknown): Block[] {
	if (typeof content === "string") return [textBlock(content)];
	if (!Array.isArray(content)) return [];
	const blocks: Block[] = [];
	for (const part of content) {
		const block = blockOf(asRecord(part) ?? {});
		if (block !== undefined) blocks.push(block);
		else note(`block:${asString(asRecord(part)?.type) ?? typeof part}`);
	}
	return blocks;
}

function blockOf(part: Fields): Block | undefined {
	switch (part.type) {
		case "text":
			return textBlock(asString(part.text) ?? "");
		case "thinking":
			return {
				type: "thinking",
				text: asString(part.thinking) ?? "",
				signed: Boolean(part.thinkingSignature),
			};
		case "toolCall":
			return {
				type: "call",
				callId: asString(part.id) ?? "",
				tool: asString(part.name) ?? "",
				args: (part.arguments ?? {}) as JsonValue,
			};
		case "image": {
			const bytes = Buffer.byteLength(asString(part.data) ?? "", "base64");
			return { type: "image", mime: asString(part.mimeType) ?? "", bytes };
		}
		default:
			return undefined;
	}
}

/**
 * A prompt or tool patch as text: its instructions, then one block for each section set or removed and for each tool
 * added, as JSON, then one that names the tools removed. What a provider makes of it differs from one to the next.
 */
export function systemBlocks(message: Fields, note: NoteUnknown): Block[] {
	const blocks = blocksOf(message.content, note).filter(
		(block) => block.type !== "text" || block.text !== "",
	);
	for (const [name, section] of Object.entries(asRecord(message.sections) ?? {})) {
		blocks.push(
			textBlock(typeof section === "string" ? section : `Removed system prompt section "${name}".`),
		);
	}
	const { toolsAdded, toolsRemoved } = message;
	if (Array.isArray(toolsAdded)) blocks.push(...toolsAdded.map((tool) => textBlock(JSON.stringify(tool))));
	if (Array.isArray(toolsRemoved) && toolsRemoved.length > 0) {
		const names = toolsRemoved.map((tool) => asString(asRecord(tool)?.name) ?? String(tool));
		blocks.push(textBlock(`Removed tools: ${names.join(", ")}.`));
	}
	return blocks;
}
