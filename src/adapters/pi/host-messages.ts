import type { ContextWithSystemEvent, SessionEntry } from "@earendil-works/pi-coding-agent";

/** A message of the host's, as hooks get it. */
export type HostMessage = ContextWithSystemEvent["messages"][number];

/** What a message is known by: messages carry no ids. */
export interface MessageMark {
	readonly role: HostMessage["role"];
	/** ms since the epoch */
	readonly timestamp: number;
	/** toolResult: the call it answers */
	readonly call: string | undefined;
}

/** An entry the host makes requests from, and the messages it makes of it: often none, two of a compaction. */
export interface ShownEntry {
	readonly entry: SessionEntry;
	readonly marks: readonly MessageMark[];
}

const NO_MARKS: readonly MessageMark[] = [];

/**
 * What the host makes of a path, in its order, as its `buildSessionProjection()` does: the last compaction and what it
 * keeps, then what came behind it; each entry as the last edit of it leaves it.
 */
export function shownOn(path: readonly SessionEntry[]): ShownEntry[] {
	const at = path.findLastIndex(({ type }) => type === "compaction");
	const compaction = path[at];
	if (compaction?.type !== "compaction") return withEdits(path);
	const first = path.findIndex(({ id }) => id === compaction.firstKeptEntryId);
	const kept = first === -1 ? [] : path.slice(first, Math.max(first, at)).filter((entry) => !isSystem(entry));
	return withEdits([compaction, ...kept, ...path.slice(at + 1)]);
}

/** What the host makes of an entry that comes behind all others and changes none of them. */
export function shownLast(entry: SessionEntry): ShownEntry {
	return { entry, marks: marksOf(entry) };
}

/** Whether an entry changes what the host makes of those above it. */
export function changesOthers({ type }: SessionEntry): boolean {
	return type === "compaction" || type === "context_edit";
}

/** What a message is known by. */
export function markOf(message: HostMessage): MessageMark {
	const { role, timestamp } = message;
	return { role, timestamp, call: role === "toolResult" ? message.toolCallId : undefined };
}

function withEdits(entries: readonly SessionEntry[]): ShownEntry[] {
	const omits = new Map<string, boolean>();
	for (const entry of entries)
		if (entry.type === "context_edit") omits.set(entry.targetId, entry.replacement === null);
	return entries.map((entry, index) => {
		const isGone = omits.get(entry.id) === true || (entry.type === "compaction" && index > 0);
		return { entry, marks: isGone ? NO_MARKS : marksOf(entry) };
	});
}

function marksOf(entry: SessionEntry): readonly MessageMark[] {
	switch (entry.type) {
		case "message":
			return [markOf(entry.message)];
		case "custom_message":
			return [{ role: "custom", timestamp: Date.parse(entry.timestamp), call: undefined }];
		case "branch_summary":
			if (!entry.summary) return NO_MARKS;
			return [{ role: "branchSummary", timestamp: Date.parse(entry.timestamp), call: undefined }];
		case "compaction": {
			const { systemMessage } = entry;
			const summary = {
				role: "compactionSummary" as const,
				timestamp: Date.parse(entry.timestamp),
				call: undefined,
			};
			return systemMessage ? [markOf(systemMessage), summary] : [summary];
		}
		default:
			return NO_MARKS;
	}
}

function isSystem(entry: SessionEntry): boolean {
	return entry.type === "message" && entry.message.role === "system";
}
