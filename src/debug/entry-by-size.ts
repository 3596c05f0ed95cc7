import type { EntryEvent } from "../../events/entry.ts";
import type { Block, TranscriptEntry } from "../../projections/transcript.ts";

/** An entry whose content is gone: as large as it was, with the calls it made, and no word of what it said. */
export function entryBySize(data: EntryEvent["data"]): TranscriptEntry {
	const { id, parent, kind, role, at, answers, stop, hidden, target, omits } = data;
	const blocks: Block[] = [
		...(data.thinking > 0
			? [{ type: "thinking" as const, text: " ".repeat(data.thinking), signed: false }]
			: []),
		...(data.opens ?? []).map((callId) => ({ type: "call" as const, callId, tool: "", args: "" })),
		...Array.from({ length: data.images }, () => ({ type: "image" as const, mime: "", bytes: 0 })),
	];
	// a call without a name takes two characters: those of its empty argument
	const left = data.chars - data.thinking - 2 * (data.opens?.length ?? 0);
	if (left > 0) blocks.push({ type: "text", text: " ".repeat(left) });
	return {
		id,
		parent,
		kind: kind as TranscriptEntry["kind"],
		...(role !== undefined && { role: role as NonNullable<TranscriptEntry["role"]> }),
		at,
		line: 0,
		bytes: new TextEncoder().encode(JSON.stringify({ gone: data.digest })),
		blocks,
		...(answers !== undefined && { answers }),
		...(stop !== undefined && { stop: stop as NonNullable<TranscriptEntry["stop"]> }),
		...(hidden === true && { hidden }),
		...(target !== undefined && { target }),
		...(omits === true && { omits }),
	};
}
