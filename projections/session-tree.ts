import type { Draft } from "immer";
import type { CommitEvent } from "../events/commit.ts";
import type { EntryEvent } from "../events/entry.ts";
import type { MarkDecision, MarkEvent } from "../events/mark.ts";
import type { SessionEvent } from "../events/session.ts";
import { type Buckets, buckets, lookUp, type MutableBuckets, put } from "./buckets.ts";
import { changesBy } from "./edits.ts";
import type { Place, Projection } from "./projection.ts";

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

type TreeEvent =
	| EntryEvent
	| MarkEvent
	| Extract<MarkDecision, { type: "mark/recut" }>
	| Extract<CommitEvent, { type: "commit/undone" }>
	| Extract<SessionEvent, { type: "session/leafMoved" | "session/settingsChanged" }>;

/** Which entries are on the path to a leaf, and what they add up to. */
export const sessionTree: Projection<SessionTree, TreeEvent> = {
	name: "session-tree",
	version: 5,
	listens: {
		"entry/recorded": true,
		"mark/set": true,
		"mark/recut": true,
		"commit/undone": true,
		"session/leafMoved": true,
		"session/settingsChanged": true,
	},
	initial: () => ({ nodes: buckets(), leaf: null, count: 0, ruled: null, recuts: new Map() }),
	apply,
};

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

/** Whether an entry belongs to a stretch: it speaks to the model, and is no system message and no summary of the host's. */
export function isFoldable(entry: { readonly role?: string | undefined; readonly kind: string }): boolean {
	const { role, kind } = entry;
	return role !== undefined && role !== "system" && kind !== "compaction";
}

/** The message at or above an entry that makes a call, the nearest. O(entries since the call). */
export function askerOf(
	tree: SessionTree,
	above: EntryNode | undefined,
	call: string,
): EntryNode | undefined {
	let node = above;
	while (node && !(node.fate === "sent" && node.opens.includes(call))) node = nodeOf(tree, node.parent);
	return node;
}

/** Whether an arriving entry ends the exchange its parent left open: it is sent, and answers none of the waiting calls. */
export function abandons(parent: EntryNode | undefined, entry: EntryEvent["data"]): boolean {
	return (
		parent !== undefined &&
		parent.open.length > 0 &&
		fateOf(parent, entry) === "sent" &&
		entry.role !== "result"
	);
}

/** What becomes of an entry in a request, given where it arrives. */
export function fateOf(parent: EntryNode | undefined, entry: EntryEvent["data"]): Fate {
	if (entry.role === undefined || entry.hidden === true || entry.kind === "compaction") return "silent";
	if (entry.stop === "aborted" || entry.stop === "error") return "failed";
	if (entry.role !== "result") return "sent";
	return entry.answers !== undefined && parent?.open.includes(entry.answers) ? "sent" : "orphan";
}

function apply(draft: Draft<SessionTree>, event: TreeEvent, { position }: Place): void {
	switch (event.type) {
		case "mark/recut":
			draft.recuts.set(position, event.data.cuts.at(-1)?.id ?? null);
			return;
		case "commit/undone":
			draft.recuts.set(position, event.data.cut);
			return;
		case "entry/recorded":
			record(draft, event.data);
			return;
		case "mark/set":
			closeCut(draft, event.data);
			return;
		case "session/leafMoved":
			draft.leaf = event.data.leaf;
			return;
		case "session/settingsChanged":
			draft.ruled = position;
			return;
		default:
			event satisfies never;
	}
}

function record(draft: Draft<SessionTree>, entry: EntryEvent["data"]): void {
	const parent = nodeOf(draft as SessionTree, entry.parent);
	const fate = fateOf(parent, entry);
	const sent = fate === "sent";
	const weight = sent ? { chars: entry.chars, images: entry.images } : { chars: 0, images: 0 };
	const foldable = isFoldable(entry);
	const growing = parent?.growing ?? { chars: 0, images: 0 };
	const changes = entry.target === undefined ? undefined : changesBy(draft as SessionTree, entry);
	const imageBytes = weight.images > 0 ? Math.max(0, entry.bytes - entry.chars) : 0;
	const node: EntryNode = {
		id: entry.id,
		parent: entry.parent,
		kind: entry.kind,
		role: entry.role,
		at: entry.at,
		digest: entry.digest,
		depth: parent ? parent.depth + 1 : 0,
		fate,
		weight,
		imageBytes,
		totalImageBytes: (parent?.totalImageBytes ?? 0) + imageBytes,
		thinking: sent ? entry.thinking : 0,
		thought: (parent?.thought ?? 0) + (sent ? entry.thinking : 0),
		total: add(parent?.total, changes ?? weight),
		opens: sent || entry.target !== undefined ? [...(entry.opens ?? [])] : [],
		answers: entry.answers,
		open: openAfter(parent, entry, fate),
		cut: cutAfter(draft as SessionTree, parent, entry.decision),
		growingFrom: parent?.growingFrom ?? (foldable ? entry.id : null),
		growing: foldable ? add(growing, weight) : { ...growing },
		lastUser: sent && entry.role === "user" ? entry.id : (parent?.lastUser ?? null),
		lastSystem: sent && entry.role === "system" ? entry.id : (parent?.lastSystem ?? null),
		lastKept: entry.keptRaw && sent ? entry.id : (parent?.lastKept ?? null),
		isKeptRaw: entry.keptRaw === true && sent,
		ruled: draft.ruled,
		peeks: sent ? [...(entry.peeks ?? [])] : [],
		isPeek: sent && entry.role === "result" && answersPeek(draft as SessionTree, parent, entry.answers),
		decision: entry.decision ?? parent?.decision ?? null,
		lastEdit: entry.target === undefined ? (parent?.lastEdit ?? null) : entry.id,
		target: entry.target,
		omits: entry.omits ?? false,
		...(changes && { leaves: { chars: entry.chars, images: entry.images }, changes }),
		lastCompaction: entry.kind === "compaction" ? entry.id : (parent?.lastCompaction ?? null),
		...(entry.firstKept !== undefined && { keeps: keptBy(draft as SessionTree, parent, entry) }),
	};
	put(draft.nodes as MutableBuckets<EntryNode>, entry.id, node);
	draft.leaf = entry.id;
	draft.count += 1;
}

function cutAfter(
	tree: SessionTree,
	parent: EntryNode | undefined,
	decision: number | undefined,
): string | null {
	const drawn = decision === undefined ? undefined : tree.recuts.get(decision);
	return drawn === undefined ? (parent?.cut ?? null) : drawn;
}

/** Whether a call was made to read originals back. O(entries since the call). */
function answersPeek(tree: SessionTree, above: EntryNode | undefined, call: string | undefined): boolean {
	return call !== undefined && (askerOf(tree, above, call)?.peeks.includes(call) ?? false);
}

/** O(entries the host keeps, and prompt patches on the path). */
function keptBy(tree: SessionTree, parent: EntryNode | undefined, entry: EntryEvent["data"]): Kept {
	const first = nodeOf(tree, entry.firstKept ?? null);
	const stays = first && parent && isAtOrAbove(tree, first, parent) ? first : undefined;
	let weight: Weight = { chars: entry.chars, images: entry.images };
	let system = nodeOf(tree, parent?.lastSystem ?? null);
	while (system) {
		weight = add(weight, system.weight);
		system = nodeOf(tree, nodeOf(tree, system.parent)?.lastSystem ?? null);
	}
	return {
		from: stays?.depth ?? (parent ? parent.depth + 1 : 0),
		above: stays ? stays.parent : entry.parent,
		weight,
	};
}

function openAfter(parent: EntryNode | undefined, entry: EntryEvent["data"], fate: Fate): string[] {
	const open = parent?.open ?? [];
	if (fate !== "sent") return [...open];
	if (entry.role === "result") return open.filter((call) => call !== entry.answers);
	return [...(entry.opens ?? [])];
}

function closeCut(draft: Draft<SessionTree>, mark: MarkEvent["data"]): void {
	const node = nodeOf(draft as SessionTree, mark.closedBy);
	if (!node) return;
	const rest = mark.to === node.id || node.role === "system" ? undefined : node;
	const changed: EntryNode = {
		...node,
		cut: mark.id,
		growingFrom: rest?.id ?? null,
		growing: rest ? { ...rest.weight } : { chars: 0, images: 0 },
	};
	put(draft.nodes as MutableBuckets<EntryNode>, node.id, changed);
}

function add(a: Weight | undefined, b: Weight): Weight {
	return { chars: (a?.chars ?? 0) + b.chars, images: (a?.images ?? 0) + b.images };
}
