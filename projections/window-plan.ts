import { editsAt, isTakenOut, thoughtBetween } from "./edits.ts";
import { type Cut, cutOf, type Forest, type Standing } from "./forest.ts";
import { compactionAt, type HostCompaction, hiddenDepth, isShown, weightBehind } from "./host-view.ts";
import { type Plan, type Plans, planAfter, type TextInView } from "./plans.ts";
import { type EntryNode, nodeOf, type SessionTree, stretch, type Weight } from "./session-tree.ts";
import { isTextShown, receiptInView, standingAt } from "./standing.ts";

/**
 * One item of a window, in the order the model reads them: an entry, the text that stands for a fold, a text of ours
 * that stands for none, or the answer put in for a call that never got one.
 */
export type Item =
	| { readonly kind: "entry"; readonly node: EntryNode; readonly form: "whole" | "unthought" }
	| { readonly kind: "clipped"; readonly node: EntryNode; readonly clip: TextInView }
	| { readonly kind: "edited"; readonly node: EntryNode; readonly edit: EntryNode }
	| { readonly kind: "fold"; readonly fold: string; readonly text: string; readonly chars: number }
	| { readonly kind: "shown"; readonly text: string; readonly chars: number }
	| { readonly kind: "answer"; readonly call: string };

/** The states a window is read from. */
export interface WindowState {
	readonly tree: SessionTree;
	readonly forest: Forest;
	readonly plans: Plans;
}

/** What of a plan says what stands before the raw tail. */
export type HeadPlan = Pick<
	Plan,
	"parent" | "through" | "held" | "expanded" | "texts" | "reasoning" | "clips" | "receipt"
>;

/** What is in force at a leaf: the nearest decision on its path says. */
export function planAt(state: WindowState, leaf: string | null): Plan | undefined {
	return planAfter(state.plans, nodeOf(state.tree, leaf)?.decision ?? null);
}

/** What names an item in a window's digest: the entry and its bytes, or the text. Two items with one key read alike. */
export function itemKey(item: Item): string {
	switch (item.kind) {
		case "entry":
			return `${item.form === "whole" ? "e" : "u"} ${item.node.id} ${item.node.digest}`;
		case "clipped":
			return `c ${item.node.id} ${item.clip.text}`;
		case "edited":
			return `r ${item.node.id} ${item.edit.digest}`;
		case "fold":
			return `f ${item.fold} ${item.text}`;
		case "shown":
			return `s receipt ${item.text}`;
		case "answer":
			return `a ${item.call}`;
		default:
			return item satisfies never;
	}
}

/**
 * What names an item in the proof a node carries: as its key, but for entries by their ids alone. A fork keeps an
 * entry's id and content and may give it another parent, so that its bytes are others.
 */
export function proofKey(item: Item): string {
	if (item.kind === "entry") return `${item.form === "whole" ? "e" : "u"} ${item.node.id}`;
	return item.kind === "edited" ? `r ${item.node.id} ${item.edit.id}` : itemKey(item);
}

const NO_EDITS: ReadonlyMap<string, EntryNode> = new Map();

/** The whole window at a leaf under a plan. O(entries behind the last fold), or O(path) without one. */
export function windowItems(state: WindowState, leaf: string | null, plan: Plan | undefined): Item[] {
	return [...headItems(state, leaf, plan), ...tailItems(state, leaf, plan)];
}

/** What the host makes of the entries before the raw tail. */
export interface HostMakes {
	/** by the id of the entry that is edited */
	readonly edits: ReadonlyMap<string, EntryNode>;
	readonly compaction: HostCompaction | undefined;
}

/** As if the host neither edited nor compacted. */
export const UNTOUCHED: HostMakes = { edits: NO_EDITS, compaction: undefined };

/**
 * What stands before the raw tail: the host's last summary; then what stands for each stretch, each held entry behind
 * what covers its place, edited as the leaf has it. A text stands while the host shows one of the entries it covers, and
 * an edit left one.
 */
export function headItems(
	state: WindowState,
	leaf: string | null,
	plan: HeadPlan | undefined,
	host: HostMakes = { edits: editsAt(state.tree, leaf), compaction: compactionAt(state.tree, leaf) },
): Item[] {
	const { edits, compaction } = host;
	const items: Item[] = compaction ? [{ kind: "entry", node: compaction.node, form: "whole" }] : [];
	if (!plan) return items;
	const raw = (nodes: readonly EntryNode[]) => {
		for (const item of rawItems(state.tree, nodes, plan, edits)) items.push(item);
	};
	const held = plan.held.flatMap((id) => {
		const node = nodeOf(state.tree, id);
		return node && isShown(node, compaction) ? [node] : [];
	});
	let next = 0;
	const heldThrough = (depth: number) => {
		const from = next;
		while ((held[next]?.depth ?? Number.POSITIVE_INFINITY) <= depth) next++;
		return held.slice(from, next);
	};
	const origin = nodeOf(state.tree, cutOf(state.forest, plan.through)?.origin ?? null);
	raw(heldThrough((origin?.depth ?? 0) - 1));
	const parts = partsShown(state, leaf, plan, compaction);
	const last = parts.findLast(isTextShown);
	for (const part of parts) {
		const { cut, text, isOpen } = part;
		const inside = heldThrough(depthOf(state, cut.to));
		if (isOpen) {
			const from = depthOf(state, cut.from);
			raw(inside.filter((node) => node.depth < from));
			raw(openEntries(state, cut, inside, compaction));
		} else {
			if (isTextShown(part))
				items.push({ kind: "fold", fold: text.fold, text: text.text, chars: text.chars });
			if (part === last && plan.receipt)
				items.push({ kind: "shown", ...receiptInView(state, leaf, plan, plan.receipt) });
			raw(inside);
		}
	}
	return items;
}

/** What stands for everything that is folded, oldest first, but for what covers nothing that a compaction leaves. */
export function partsShown(
	state: WindowState,
	leaf: string | null,
	plan: Pick<Plan, "through" | "expanded" | "texts">,
	compaction: HostCompaction | undefined,
): Standing[] {
	const parts = standingAt(state, leaf, plan);
	if (!compaction) return parts;
	return parts.filter(({ cut }) => depthOf(state, cut.to) >= compaction.keeps.from);
}

/** The entries of a cut that is open, as far as the host shows them, with the held ones among them. */
function openEntries(
	state: WindowState,
	cut: Cut,
	held: readonly EntryNode[],
	compaction: HostCompaction | undefined,
): EntryNode[] {
	return stretch(state.tree, cut.to, depthOf(state, cut.from) - 1).filter(
		(node) => (node.role !== "system" || held.includes(node)) && isShown(node, compaction),
	);
}

function depthOf(state: WindowState, entry: string): number {
	return nodeOf(state.tree, entry)?.depth ?? -1;
}

/**
 * The raw entries deeper than `above` (by default, behind the last fold) that the host shows, each call answered once
 * and each result behind its call.
 */
export function tailItems(
	state: WindowState,
	leaf: string | null,
	plan: Plan | undefined,
	above = foldedDepth(state, plan),
): Item[] {
	const compaction = compactionAt(state.tree, leaf);
	const nodes = stretch(state.tree, leaf, hiddenDepth(compaction, above));
	const shown = compaction ? nodes.filter((node) => isShown(node, compaction)) : nodes;
	return rawItems(state.tree, shown, plan, editsAt(state.tree, leaf, above));
}

/**
 * A run of entries as the model reads them: what is sent of them, each call answered once and each result behind its
 * call.
 */
function rawItems(
	tree: SessionTree,
	nodes: readonly EntryNode[],
	plan: Pick<Plan, "parent" | "reasoning" | "clips"> | undefined,
	edits: ReadonlyMap<string, EntryNode>,
): Item[] {
	const items: Item[] = [];
	const strippedDepth = plan?.reasoning === "strip" ? (nodeOf(tree, plan.parent)?.depth ?? -1) : -1;
	let waiting: string[] = [];
	const answerWaiting = () => {
		for (const call of waiting) items.push({ kind: "answer", call });
		waiting = [];
	};
	for (const node of nodes) {
		if (node.fate !== "sent") continue;
		const edit = edits.get(node.id);
		if (edit?.omits) continue;
		if (node.role === "result") {
			const call = node.answers ?? "";
			if (!waiting.includes(call)) continue;
			waiting = waiting.filter((other) => other !== call);
		} else {
			answerWaiting();
			waiting = [...new Set((edit ?? node).opens)];
		}
		items.push(itemFor(node, edit, plan, node.depth <= strippedDepth));
	}
	answerWaiting();
	return items;
}

/**
 * Size of the window at a leaf under a plan, without walking it: O(texts that stand, and edits on the path) where the
 * host compacted or edited since the commit, else O(1).
 */
export function windowWeight(state: WindowState, leaf: string | null, plan: Plan | undefined): Weight {
	const { tree } = state;
	const compaction = compactionAt(tree, leaf);
	if (!plan) return add(compaction?.keeps.weight, weightBehind(tree, leaf, null));
	const decided = nodeOf(tree, plan.parent);
	const at = nodeOf(tree, leaf);
	const stays = decided?.lastCompaction === at?.lastCompaction && decided?.lastEdit === at?.lastEdit;
	const fixed = stays ? plan.fixed : fixedAt(state, leaf, plan);
	return add(fixed, weightBehind(tree, leaf, cutOf(state.forest, plan.through)?.to ?? null));
}

/** What `fixed` of a plan is at a leaf. O(texts that stand, opened and held entries, and clips). */
export function fixedAt(state: WindowState, leaf: string | null, plan: HeadPlan): Weight {
	const compaction = compactionAt(state.tree, leaf);
	let { chars, images } = headWeight(state, leaf, plan);
	const hidden = hiddenDepth(compaction, foldedDepth(state, plan));
	const edits = editsAt(state.tree, leaf, hidden);
	const clipped = clippedFrom(state.tree, plan.clips, hidden, edits);
	chars -= clipped.chars;
	images -= clipped.images;
	if (plan.reasoning === "strip") {
		const folded = cutOf(state.forest, plan.through)?.to ?? null;
		const above = hidden === foldedDepth(state, plan) ? folded : (compaction?.keeps.above ?? null);
		chars -= thoughtBetween(state.tree, above, plan.parent, edits.keys());
	}
	return { chars, images };
}

/** What clips take from entries deeper than `above`; what was edited since stands as it was edited. O(clips). */
export function clippedFrom(
	tree: SessionTree,
	clips: Plan["clips"],
	above: number,
	edits: ReadonlyMap<string, EntryNode>,
): Weight {
	let { chars, images }: Weight = { chars: 0, images: 0 };
	for (const [id, clip] of clips) {
		const node = nodeOf(tree, id);
		if (!node || node.depth <= above || edits.has(id)) continue;
		if (edits.size > 0 && isTakenOut(tree, node, edits)) continue;
		chars += node.weight.chars - clip.chars;
		images += node.weight.images;
	}
	return { chars, images };
}

/** Size of what stands before the raw tail. O(texts that stand, opened and held entries). */
export function headWeight(state: WindowState, leaf: string | null, plan: HeadPlan): Weight {
	let weight: Weight = { chars: 0, images: 0 };
	for (const item of headItems(state, leaf, plan)) weight = add(weight, weightOf(item));
	return weight;
}

/** Size of an item. */
export function weightOf(item: Item): Weight {
	if (item.kind === "fold" || item.kind === "shown") return { chars: item.chars, images: 0 };
	if (item.kind === "clipped") return { chars: item.clip.chars, images: 0 };
	if (item.kind !== "entry") return (item.kind === "edited" && item.edit.leaves) || { chars: 0, images: 0 };
	const weight = item.node.keeps?.weight ?? item.node.weight;
	return item.form === "whole" ? weight : { ...weight, chars: weight.chars - item.node.thinking };
}

function add(a: Weight | undefined, b: Weight): Weight {
	return { chars: (a?.chars ?? 0) + b.chars, images: (a?.images ?? 0) + b.images };
}

/** Depth of the last folded entry; -1 where nothing is folded. */
export function foldedDepth(state: WindowState, plan: Pick<Plan, "through"> | undefined): number {
	return plan ? (nodeOf(state.tree, cutOf(state.forest, plan.through)?.to ?? null)?.depth ?? -1) : -1;
}

function itemFor(
	node: EntryNode,
	edit: EntryNode | undefined,
	plan: Pick<Plan, "clips"> | undefined,
	stripped: boolean,
): Item {
	if (edit) return { kind: "edited", node, edit };
	const clip = plan?.clips.get(node.id);
	if (clip) return { kind: "clipped", node, clip };
	return { kind: "entry", node, form: stripped && node.thinking > 0 ? "unthought" : "whole" };
}
