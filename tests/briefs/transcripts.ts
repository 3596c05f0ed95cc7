import type { Block, JsonValue, TranscriptEntry } from "../../projections/transcript.ts";

let line = 0;

function entry(fields: Partial<TranscriptEntry> & { blocks: readonly Block[] }): TranscriptEntry {
	line++;
	return { id: `e${line}`, parent: null, kind: "message", at: 0, line, bytes: new Uint8Array(0), ...fields };
}

/** What the user said. */
export function user(text: string): TranscriptEntry {
	return entry({ role: "user", blocks: [{ type: "text", text }] });
}

/** What the assistant said, without a call. */
export function said(text: string): TranscriptEntry {
	return entry({ role: "assistant", stop: "stop", blocks: [{ type: "text", text }] });
}

/** A call and its result. */
export function ran(tool: string, args: JsonValue, output: string, failed = false): TranscriptEntry[] {
	const callId = `c${line + 1}`;
	return [
		entry({ role: "assistant", stop: "toolUse", blocks: [{ type: "call", callId, tool, args }] }),
		entry({ role: "result", answers: callId, tool, failed, blocks: [{ type: "text", text: output }] }),
	];
}
