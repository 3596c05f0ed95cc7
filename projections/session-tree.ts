import { type Buckets, lookUp } from "./buckets.ts";
import type { MemoryNote } from "./transcript.ts";

/**
 * What becomes of an entry in a request: `sent`; `silent`, never meant for a model; `failed`, a reply the host leaves
 * out; `orphan`, a result whose call is not there to be answered.
 */
export type Fate = "sent" | "silent" | "failed" | "orphan";

/** Size of content: characters (UTF-16 code units) and images. */
export interface Weight {
	readonly chars: number;
	readonly images: number;
}

/**
 * One entry, with what its ancestors imply. Nothing in it depends on where the leaf is, so branches share it and
 * a move costs nothing.
 */
export interface EntryNode {
	readonly id: string;
	readonly parent: string | null;
	readonly kind: string;
	readonly role: string | undefined;
	readonly at: number;
	readonly digest: string;
	/** entries above it on its path */
	readonly depth: number;
	readonly fate: Fate;
	/** what it adds to a request, whole */
	readonly weight: Weight;
	/** bytes its images take in a request, about */
	readonly imageBytes: number;
	/** `imageBytes` of the path down to here, this entry included */
	readonly totalImageBytes: number;
	/** characters of `weight` that are thinking */
	readonly thinking: number;
	/** characters of thinking on the path down to here */
	readonly thought: number;
	/** what the path down to here sends, this entry included, as the edits on it leave that */
	readonly total: Weight;
	/** calls it makes; contextEdit: calls its target makes from then on */
	readonly opens: readonly string[];
	/** the call it answers */
	readonly answers: string | undefined;
	/** calls made at or above it that still wait for a result */
	readonly open: readonly string[];
	/** the last cut that closed at or above it */
	readonly cut: string | null;
	/** first entry of the stretch no cut has taken yet */
	readonly growingFrom: string | null;
	readonly growing: Weight;
	/** last user message at or above it */
	readonly lastUser: string | null;
	/** last system message at or above it */
	readonly lastSystem: string | null;
	/** last entry at or above it that belongs to a tool the settings never fold nor clip */
	readonly lastKept: string | null;
	/** whether it is one of those */
	readonly isKeptRaw: boolean;
	/** position of the settings it was recorded under; null where nobody said any */
	readonly ruled: number | null;
	/** calls it makes to read originals back for the moment */
	readonly peeks: readonly string[];
	/** whether it answers such a call */
	readonly isPeek: boolean;
	/** position of the nearest decision whose node is at or above it */
	readonly decision: number | null;
	/** last entry at or above it that edits another */
	readonly lastEdit: string | null;
	/** contextEdit: what it edits */
	readonly target: string | undefined;
	/** contextEdit: whether the target leaves the window */
	readonly omits: boolean;
	/** contextEdit: size of what stands instead of the target */
	readonly leaves?: Weight;
	/** contextEdit: by how much it changes the size of what its path sends */
	readonly changes?: Weight;
	/** kind compaction, summary of the host: the last one at or above it */
	readonly lastCompaction: string | null;
	/** what it tells of memory, where it is a message of ours */
	readonly memory?: MemoryNote;
	/** last message of ours about memory at or above it */
	readonly lastMemory: string | null;
	/** compaction: what the host goes on showing above it; absent where windows are made as if it were not there */
	readonly keeps?: Kept;
}

/** What a compaction of the host's leaves of the path above it. */
export interface Kept {
	/** depth of the first entry that stays; that of the compaction where none does */
	readonly from: number;
	/** the entry right above that one */
	readonly above: string | null;
	/** size of the summary and of the prompt patches, which the host states again in one with it */
	readonly weight: Weight;
}

/** The session's entries as a tree, each knowing its path. */
export interface SessionTree {
	readonly nodes: Buckets<EntryNode>;
	readonly leaf: string | null;
	readonly count: number;
	/** position of the settings in force; null where nobody said any */
	readonly ruled: number | null;
	/** the last cut there is below the node of a decision that may have drawn cuts anew, by the decision's position */
	readonly recuts: ReadonlyMap<number, string | null>;
}

/** The node of an entry, if it was recorded. */
export function nodeOf(tree: SessionTree, id: string | null): EntryNode | undefined {
	return id === null ? undefined : lookUp(tree.nodes, id);
}

/** Entries from just below `above` (a depth; -1 for the root) down to `leaf`, root first. O(length of the stretch). */
export function stretch(tree: SessionTree, leaf: string | null, above: number): EntryNode[] {
	const path: EntryNode[] = [];
	for (let node = nodeOf(tree, leaf); node && node.depth > above; node = nodeOf(tree, node.parent))
		path.push(node);
	return path.reverse();
}

/** Whether an entry is on the path to another, or is that other. O(length of the stretch between). */
export function isAtOrAbove(tree: SessionTree, above: EntryNode, below: EntryNode): boolean {
	let node: EntryNode | undefined = below;
	while (node && node.depth > above.depth) node = nodeOf(tree, node.parent);
	return node?.id === above.id;
}

/**
 * Whether what the host alone sends at one entry begins with what it sent at another: the path only went on, and
 * nothing on it was edited or compacted since.
 */
export function onlyGrew(tree: SessionTree, above: EntryNode, below: EntryNode): boolean {
	return (
		above.lastCompaction === below.lastCompaction &&
		above.lastEdit === below.lastEdit &&
		isAtOrAbove(tree, above, below)
	);
}

/**
 * Whether an entry belongs to a stretch: it speaks to the model, and is no system message and no summary of the host's.
 */
export function isFoldable(entry: { readonly role?: string | undefined; readonly kind: string }): boolean {
	const { role, kind } = entry;
	return role !== undefined && role !== "system" && kind !== "compaction";
}

/** The message at or above an entry that makes a call which still waits there, the nearest. O(entries since the call). */
export function askerOf(
	tree: SessionTree,
	above: EntryNode | undefined,
	call: string,
): EntryNode | undefined {
	let node = above;
	while (node?.open.includes(call)) {
		if (node.fate === "sent" && node.opens.includes(call)) return node;
		node = nodeOf(tree, node.parent);
	}
	return undefined;
}
