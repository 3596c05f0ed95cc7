import type { EntryNode } from "../../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import { entryOf } from "./pi/entry.ts";
import { asRawEntry } from "./pi/raw-entry.ts";

/** An entry from its stored bytes, as the reader of the file saw it; the tree says where it stands. */
export function decodeEntry(bytes: Uint8Array, node: EntryNode): TranscriptEntry {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
	const raw = asRawEntry(JSON.parse(text)) ?? { type: node.kind };
	return entryOf(raw, { id: node.id, parent: node.parent }, { line: 0, at: node.at, bytes }, () => {});
}

/** The entries with times a log can hold: whole milliseconds. Broken sessions hold others. */
export async function* withWholeTimes(
	entries: AsyncIterable<TranscriptEntry>,
): AsyncGenerator<TranscriptEntry> {
	for await (const entry of entries) {
		if (isWhole(entry.at) && isWhole(entry.sentAt ?? 0)) yield entry;
		else {
			const { sentAt, ...rest } = entry;
			yield { ...rest, at: whole(entry.at), ...(sentAt !== undefined && { sentAt: whole(sentAt) }) };
		}
	}
}

function isWhole(time: number): boolean {
	return Number.isSafeInteger(time) && !Object.is(time, -0);
}

function whole(time: number): number {
	const least = -Number.MAX_SAFE_INTEGER;
	return Math.min(Number.MAX_SAFE_INTEGER, Math.max(least, Math.trunc(time))) + 0;
}
