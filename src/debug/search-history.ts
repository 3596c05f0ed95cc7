import { setImmediate as turnOfOthers } from "node:timers/promises";
import { isShredded } from "../../projections/memory/positions.ts";
import type { EntryNode } from "../../projections/session-tree.ts";
import type { Content } from "./content.ts";
import { foundAround, saidIn, type WantedText } from "./found-text.ts";
import type { History } from "./history.ts";
import { watchedEntry, watchInTurns } from "./watched.ts";

/** An entry in which a text was found. */
export interface SearchHit {
	readonly entry: string;
	/** who speaks; of an edit, its kind */
	readonly role: string;
	/** the tool that ran */
	readonly tool?: string;
	/** of the entry, ms since the epoch */
	readonly time: number;
	/** what stands around the text, on one line */
	readonly around: string;
	/** the first request that was sent it whole */
	readonly firstAt?: number;
	/** runs of requests, first and last, in which it stood whole in the window; in order */
	readonly visible: readonly (readonly [number, number])[];
}

/** What a search found so far. */
export interface HistorySearch {
	/** the newest entry first */
	readonly hits: readonly SearchHit[];
	/** entries looked at, this call's included, and how many there are to look at */
	readonly looked: number;
	readonly entries: number;
	/** contents among them that could not be read: destroyed on purpose, or lost */
	readonly unread: number;
}

/** What is looked for, and how far. */
export interface HistoryQuery {
	readonly text: string;
	/** hits at most */
	readonly limit: number;
	/** entries passed over: `looked` of the call before, to go on from there; 0 unless given */
	readonly from?: number | undefined;
	/** whether letters match whatever their case, as they do unless told otherwise */
	readonly ignoreCase?: boolean | undefined;
}

/** Entries read before others have their turn, and at most in one call: a few tens of ms, and about a second. */
const SLICE = 200;
const MOST = 20_000;

/**
 * Looks for a text in what entries of all branches say to a model, word for word, the newest first, until so many hits
 * are found or 20,000 entries were looked at. O(entries looked at, and one pass over the requests).
 */
export async function searchHistory(
	history: History,
	content: Content,
	{ text, limit, from = 0, ignoreCase = true }: HistoryQuery,
): Promise<HistorySearch> {
	const entries = newestFirst(history);
	const wanted = { text, ignoreCase };
	const found: Omit<SearchHit, "visible" | "firstAt">[] = [];
	let [looked, unread] = [Math.max(0, from), 0];
	const end = Math.min(entries.length, looked + MOST);
	while (text !== "" && looked < end && found.length < limit) {
		const node = entries[looked++] as EntryNode;
		if (looked % SLICE === 0) await turnOfOthers();
		const bytes = isShredded(history.states, node.digest) ? undefined : readable(content, node.digest);
		if (!bytes) unread++;
		const hit = bytes && hitIn(content, node, bytes, wanted);
		if (hit) found.push(hit);
	}
	const watched = found.flatMap(({ entry }) => watchedEntry(history, entry) ?? []);
	const seen = await watchInTurns(history, watched);
	return {
		hits: found.map((hit, index) => {
			const visible: [number, number][] = [];
			for (const span of seen[index]?.spans ?? []) if (span.as === "whole") join(visible, span.from, span.to);
			const [first] = visible;
			return { ...hit, ...(first && { firstAt: first[0] }), visible };
		}),
		looked,
		entries: entries.length,
		unread,
	};
}

function hitIn(
	content: Content,
	node: EntryNode,
	bytes: Uint8Array,
	wanted: WantedText,
): Omit<SearchHit, "visible" | "firstAt"> | undefined {
	const { blocks, tool } = content.decode(bytes, node);
	for (const block of blocks) {
		const around = foundAround(saidIn(block), wanted);
		if (around === undefined) continue;
		const role = node.role ?? node.kind;
		return { entry: node.id, role, ...(tool !== undefined && { tool }), time: node.at, around };
	}
	return undefined;
}

function join(runs: [number, number][], from: number, to: number): void {
	const last = runs.at(-1);
	if (last && from <= last[1] + 1) last[1] = to;
	else runs.push([from, to]);
}

function readable(content: Content, digest: string): Uint8Array | undefined {
	try {
		return content(digest);
	} catch {
		// damaged: told of as what is gone is, and the rest is looked at
		return undefined;
	}
}

const known = new WeakMap<History, { readonly count: number; readonly entries: readonly EntryNode[] }>();

/** The entries that say something to a model, of all branches. Sorted once for each number of them. */
function newestFirst(history: History): readonly EntryNode[] {
	const { tree } = history.states;
	const before = known.get(history);
	if (before?.count === tree.count) return before.entries;
	const entries: EntryNode[] = [];
	for (const bucket of tree.nodes)
		for (const node of bucket.values())
			if (node.fate === "sent" || node.target !== undefined) entries.push(node);
	entries.sort((a, b) => b.at - a.at || b.depth - a.depth || (a.id < b.id ? -1 : 1));
	known.set(history, { count: tree.count, entries });
	return entries;
}
