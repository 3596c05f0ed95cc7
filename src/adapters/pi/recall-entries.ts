import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { isShredded } from "../../../projections/memory/positions.ts";
import type { RecallDocument } from "../../../projections/recall/document.ts";
import { nodeOf } from "../../../projections/session-tree.ts";
import type { SessionStates } from "../../../projections/states.ts";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import { documentsIn } from "../../debug/recall/scan.ts";
import { SHREDDED } from "../../debug/shredded.ts";
import { Slices } from "../../engine/slices.ts";
import { type HostSession, liveEntry } from "./live-entry.ts";
import type { RecallEngine } from "./recall-session.ts";

/** How far someone may look. */
export interface RecallReach {
	/** where the path ends that counts as the branch */
	readonly leaf: string | null;
	/** `model`: the branch, as edits on it left it; `branch`: the branch, originals included; `all`: every branch */
	readonly scope: "model" | "branch" | "all";
	/** an entry that is not to be found, though it may be read */
	readonly except?: string;
}

/** The entries within reach, in the session's order. O(entries). */
export function entriesWithin(session: HostSession, { leaf, scope }: RecallReach): SessionEntry[] {
	if (scope === "all") return session.getEntries();
	const path = leaf === null ? [] : session.getBranch(leaf);
	if (scope === "branch") return path;
	const edits = editsOn(path);
	const isHidden = (entry: SessionEntry) =>
		edits.has(entry.id) || (entry.type === "context_edit" && edits.get(entry.targetId) !== entry.id);
	return path.filter((entry) => !isHidden(entry));
}

/** An entry that was read, beside what recall sees of it. */
export interface ReadEntry {
	readonly entry: SessionEntry;
	readonly document: RecallDocument;
}

/**
 * Entries within reach by their ids, in the session's order, with the ids that name none; for a model an edit is read in
 * the place of what it changed. O(entries).
 */
export async function readEntries(
	session: HostSession,
	reach: RecallReach,
	ids: readonly string[],
): Promise<{ readonly found: readonly ReadEntry[]; readonly unknown: readonly string[] }> {
	const within = entriesWithin(session, reach);
	const edits = reach.scope === "model" ? editsOn(within) : new Map<string, string>();
	const idOf = (id: string) => edits.get(id) ?? id;
	const wanted = new Set(ids.map(idOf));
	const entries = within.filter(({ id }) => wanted.has(id));
	const answered = new Set(entries.flatMap(callAnswered));
	const askers = within.filter((entry) => callsOf(entry).some((call) => answered.has(call)));
	const read = new Set([...askers, ...entries]);
	const documents = await documentsIn(within.filter((entry) => read.has(entry)).map(liveEntry));
	const byId = new Map(documents.map((document) => [document.id, document]));
	const found = entries.flatMap((entry) => {
		const document = byId.get(entry.id);
		return document ? [{ entry, document }] : [];
	});
	const known = new Set(found.map(({ entry }) => entry.id));
	return { found, unknown: ids.filter((id) => !known.has(idOf(id))) };
}

/** Entries as they are read through, again and again if need be, so that the host goes on in between. */
export function readThrough(entries: readonly SessionEntry[]): AsyncIterable<TranscriptEntry> {
	return {
		async *[Symbol.asyncIterator]() {
			const slices = new Slices();
			for (const entry of entries) {
				yield liveEntry(entry);
				await slices.pause();
			}
		},
	};
}

/**
 * The message of the user's that the turn at a leaf answers: it asks, and is no answer. `undefined` where there is none, or
 * where a compaction took it out of the window.
 */
export function promptAt(session: HostSession, leaf: string | null): string | undefined {
	let entry = leaf === null ? undefined : session.getEntry(leaf);
	while (entry && entry.type !== "compaction") {
		if (entry.type === "message" && entry.message.role === "user") return entry.id;
		entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
	}
	return undefined;
}

/** The entry that makes a call, the last on the path to the leaf. */
export function callerOf(session: HostSession, call: string): SessionEntry | undefined {
	let entry = session.getLeafEntry();
	while (entry && !callsOf(entry).includes(call))
		entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
	return entry;
}

/** What an entry hands to a call it makes, as the model wrote it. */
export function argumentsOf(
	entry: SessionEntry | undefined,
	call: string,
): { readonly [field: string]: unknown } | undefined {
	if (entry?.type !== "message" || entry.message.role !== "assistant") return undefined;
	const found = entry.message.content.find((part) => part.type === "toolCall" && part.id === call);
	return found?.type === "toolCall" ? found.arguments : undefined;
}

/** The last edit of each entry on a path, by what it edits. */
function editsOn(path: readonly SessionEntry[]): Map<string, string> {
	return new Map(
		path.flatMap((entry) => (entry.type === "context_edit" ? [[entry.targetId, entry.id]] : [])),
	);
}

function callsOf(entry: SessionEntry): string[] {
	if (entry.type !== "message" || entry.message.role !== "assistant") return [];
	const { content } = entry.message;
	return Array.isArray(content) ? content.flatMap((part) => (part.type === "toolCall" ? part.id : [])) : [];
}

function callAnswered(entry: SessionEntry): string[] {
	if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
	return [entry.message.toolCallId];
}

/** Tells of an entry, by its id, whether a log says that it was destroyed on purpose; without a log none was. */
export function goneBy(engine: RecallEngine | undefined): (id: string) => boolean {
	const { states } = engine ?? {};
	return (id) => {
		const node = states && nodeOf(states.tree, id);
		return node !== undefined && isShredded(states as SessionStates, node.digest);
	};
}

/** What is told of an entry that was destroyed in our log, though the host's file still holds it. */
export function shreddedEntry({ entry, document }: ReadEntry): ReadEntry {
	const { id, parentId, timestamp } = entry;
	return {
		entry: { type: "custom", id, parentId, timestamp, customType: "shredded", data: SHREDDED },
		document: { ...document, files: [], text: SHREDDED, thinking: "" },
	};
}
