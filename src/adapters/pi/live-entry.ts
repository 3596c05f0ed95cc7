import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import { type DecisionNode, NODE_TYPE, readNode } from "../../engine/decision-node.ts";
import { entryOf, timeOf } from "../sessions/pi/entry.ts";
import type { RawEntry } from "../sessions/pi/raw-entry.ts";

/** The host's session as extensions may read it. */
export type HostSession = ExtensionContext["sessionManager"];

/** An entry of the running session. Its bytes are the line the host writes: `JSON.stringify` of the entry, in UTF-8. */
export function liveEntry(entry: SessionEntry): TranscriptEntry {
	const raw = entry as SessionEntry & RawEntry;
	const keeps = entry.type === "compaction" && entry.firstKeptEntryId !== entry.id;
	const place = {
		id: entry.id,
		parent: entry.parentId ?? null,
		...(keeps && { firstKept: entry.firstKeptEntryId }),
	};
	const bytes = new TextEncoder().encode(JSON.stringify(entry));
	return entryOf(raw, place, { line: 0, at: Math.trunc(timeOf(raw) ?? 0), bytes }, () => {});
}

/** What an entry says of a decision; `unreadable` where it is a node of ours that this release cannot read. */
export function nodeIn(entry: SessionEntry): DecisionNode | "unreadable" | undefined {
	if (entry.type !== "custom" || entry.customType !== NODE_TYPE) return undefined;
	return readNode(entry.data) ?? "unreadable";
}

/** Entries of the path to a leaf the caller does not know yet, root first. O(what is new). */
export function newOnPath(
	session: HostSession,
	leaf: string | null,
	isKnown: (id: string) => boolean,
): SessionEntry[] {
	const found: SessionEntry[] = [];
	let entry = session.getEntry(leaf ?? "");
	while (entry && !isKnown(entry.id)) {
		found.push(entry);
		entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
	}
	return found.reverse();
}

/** When the host kept the cache warm, ms since the epoch, if an entry tells of that. */
export function warmedBy(entry: SessionEntry): number | undefined {
	return entry.type === "usage" && entry.kind === "cache_warm" ? Date.parse(entry.timestamp) : undefined;
}
