import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Static, Type } from "@sinclair/typebox";
import type { ReadBack, Slice } from "../../debug/read-back.ts";
import { outputLines } from "./output-words.ts";

/** The name fold texts call, and users of pi-fold know. */
const TOOL = "pi_fold_context";

/** Bytes of originals in one answer unless asked otherwise. */
const SLICE_BYTES = 16_000;

const Parameters = Type.Object({
	action: Type.Literal("peek", { description: "read originals back, byte for byte" }),
	id: Type.String({ description: "a fold's id, an entry's id, or the id of a call" }),
	offset: Type.Optional(Type.Integer({ minimum: 0, description: "byte to begin at" })),
	bytes: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 200_000, description: "bytes at most" })),
});

/** What the tool asks the session for. */
export type Reader = (ctx: ExtensionContext, id: string, slice: Slice) => Promise<ReadBack | undefined>;

/** Gives the model the tool by which fold texts and clipped results are read back. */
export function registerFoldTool(pi: ExtensionAPI, read: Reader): void {
	pi.registerTool({
		name: TOOL,
		label: "Fold context",
		description:
			"Older parts of this conversation are folded: a short text stands for them and names what they held. " +
			"Nothing is lost. Use peek with the id in such a text, or of a clipped result, to read the originals " +
			"before answering from memory about what they say.",
		parameters: Parameters,
		execute: async (
			_call,
			{ id, offset = 0, bytes = SLICE_BYTES }: Static<typeof Parameters>,
			_signal,
			_update,
			ctx,
		) => {
			const found = await read(ctx, id, { offset, bytes });
			if (!found)
				throw new Error(`nothing here is called ${id}; ids stand in the texts of folds and clipped results`);
			return {
				content: [{ type: "text", text: answer(found) }],
				details: { id, offset: found.offset, total: found.total },
			};
		},
	});
}

/** What was read, with what it is before it and what is left out last. */
function answer(found: ReadBack): string {
	const { id, entries, children, total, offset, text, missing, next } = found;
	const lines = [`${id}: ${entries} messages, ${total} bytes, from byte ${offset}`, ...outputLines(found)];
	if (children.length > 0) lines.push(`folds below it: ${children.join(" ")}`);
	lines.push(text);
	if (missing !== undefined) lines.push(`[${missing}]`);
	if (next !== undefined) {
		const call = JSON.stringify({ action: "peek", id, offset: next });
		lines.push(`[${total - next} bytes are left: ${TOOL} ${call}]`);
	}
	return lines.join("\n");
}
