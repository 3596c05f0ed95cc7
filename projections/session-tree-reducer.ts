import type { Draft } from "immer";
import type { CommitEvent } from "../events/commit.ts";
import type { EntryEvent } from "../events/entry.ts";
import type { MarkDecision, MarkEvent } from "../events/mark.ts";
import type { SessionEvent } from "../events/session.ts";
import { buckets, type MutableBuckets, put } from "./buckets.ts";
import { changesBy } from "./edits.ts";
import type { Place, Projection } from "./projection.ts";
import {
	askerOf,
	type EntryNode,
	type Fate,
	isAtOrAbove,
	isFoldable,
	type Kept,
	nodeOf,
	type SessionTree,
	type Weight,
} from "./session-tree.ts";

type TreeEvent =
	| EntryEvent
	| MarkEvent
	| Extract<MarkDecision, { type: "mark/recut" }>
	| Extract<CommitEvent, { type: "commit/undone" }>
	| Extract<SessionEvent, { type: "session/leafMoved" | "session/settingsChanged" }>;

/** Which entries are on the path to a leaf, and what they add up to. */
export const sessionTree: Projection<SessionTree, TreeEvent> = {
	name: "session-tree",
	version: 6,
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

/**
 * Whether an arriving entry ends the exchange its parent left open: it is sent, and answers none of the waiting calls.
 */
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

function apply(draft: Draft<SessionTree>, event: TreeEvent, { position }: Place, tree: SessionTree): void {
	switch (event.type) {
		case "mark/recut":
			draft.recuts.set(position, event.data.cuts.at(-1)?.id ?? null);
			return;
		case "commit/undone":
			draft.recuts.set(position, event.data.cut);
			return;
		case "entry/recorded":
			record(tree, draft, event.data);
			return;
		case "mark/set":
			closeCut(tree, draft, event.data);
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

function record(tree: SessionTree, draft: Draft<SessionTree>, entry: EntryEvent["data"]): void {
	const parent = nodeOf(tree, entry.parent);
	const fate = fateOf(parent, entry);
	const sent = fate === "sent";
	const weight = sent ? { chars: entry.chars, images: entry.images } : { chars: 0, images: 0 };
	const foldable = isFoldable(entry);
	const growing = parent?.growing ?? { chars: 0, images: 0 };
	const changes = entry.target === undefined ? undefined : changesBy(tree, entry);
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
		cut: cutAfter(tree, parent, entry.decision),
		growingFrom: parent?.growingFrom ?? (foldable ? entry.id : null),
		growing: foldable ? add(growing, weight) : { ...growing },
		lastUser: sent && entry.role === "user" ? entry.id : (parent?.lastUser ?? null),
		lastSystem: sent && entry.role === "system" ? entry.id : (parent?.lastSystem ?? null),
		lastKept: entry.keptRaw && sent ? entry.id : (parent?.lastKept ?? null),
		isKeptRaw: entry.keptRaw === true && sent,
		ruled: tree.ruled,
		peeks: sent ? [...(entry.peeks ?? [])] : [],
		isPeek: sent && entry.role === "result" && answersPeek(tree, parent, entry.answers),
		decision: entry.decision ?? parent?.decision ?? null,
		lastEdit: entry.target === undefined ? (parent?.lastEdit ?? null) : entry.id,
		target: entry.target,
		omits: entry.omits ?? false,
		...(changes && { leaves: { chars: entry.chars, images: entry.images }, changes }),
		lastCompaction: entry.kind === "compaction" ? entry.id : (parent?.lastCompaction ?? null),
		...(sent && entry.memory && { memory: { ...entry.memory } }),
		lastMemory: sent && entry.memory ? entry.id : (parent?.lastMemory ?? null),
		...(entry.firstKept !== undefined && { keeps: keptBy(tree, parent, entry) }),
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

function closeCut(tree: SessionTree, draft: Draft<SessionTree>, mark: MarkEvent["data"]): void {
	const node = nodeOf(tree, mark.closedBy);
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
