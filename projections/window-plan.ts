import type { Clip, Commit, Commits } from "./commits.ts";
import { commitAfter } from "./commits.ts";
import { type Cut, cutOf, type FoldText, type Forest, standingTexts } from "./forest.ts";
import { compactionAt, type HostCompaction, hiddenDepth, isShown, weightBehind } from "./host-view.ts";
import { type EntryNode, nodeOf, type SessionTree, stretch, type Weight } from "./session-tree.ts";

/**
 * One item of a window, in the order the model reads them: an entry, the text that stands for a fold, or the answer
 * put in for a call that never got one.
 */
export type Item =
	| { readonly kind: "entry"; readonly node: EntryNode; readonly form: "whole" | "unthought" }
	| { readonly kind: "clipped"; readonly node: EntryNode; readonly clip: Clip }
	| { readonly kind: "edited"; readonly node: EntryNode; readonly edit: EntryNode }
	| { readonly kind: "fold"; readonly fold: string; readonly text: string; readonly chars: number }
	| { readonly kind: "answer"; readonly call: string };

/** The states a window is read from. */
export interface WindowState {
	readonly tree: SessionTree;
	readonly forest: Forest;
	readonly commits: Commits;
}

/** The commit in force at a leaf: the nearest decision on its path says which. */
export function commitAt(state: WindowState, leaf: string | null): Commit | undefined {
	return commitAfter(state.commits, nodeOf(state.tree, leaf)?.decision ?? null);
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

/** The whole window at a leaf under a commit. O(entries behind the last fold), or O(path) without a commit. */
export function windowItems(state: WindowState, leaf: string | null, commit: Commit | undefined): Item[] {
	return [...headItems(state, leaf, commit, editsAt(state.tree, leaf)), ...tailItems(state, leaf, commit)];
}

/**
 * What stands before the raw tail: the host's last summary; then held entries in their order, each behind the text that
 * covers its place, edited as the leaf has it. A text stands while the host shows one of the entries it covers.
 */
export function headItems(
	state: WindowState,
	leaf: string | null,
	commit: Pick<Commit, "through" | "held"> | undefined,
	edits: ReadonlyMap<string, EntryNode> = NO_EDITS,
): Item[] {
	const compaction = compactionAt(state.tree, leaf);
	const items: Item[] = compaction ? [{ kind: "entry", node: compaction.node, form: "whole" }] : [];
	if (!commit) return items;
	const held = commit.held
		.map((id) => nodeOf(state.tree, id))
		.filter((node) => node !== undefined && isShown(node, compaction));
	let next = 0;
	const flushThrough = (depth: number) => {
		for (let node = held[next]; node && node.depth <= depth; node = held[++next]) {
			const edit = edits.get(node.id);
			if (!edit) items.push({ kind: "entry", node, form: "whole" });
			else if (!edit.omits) items.push({ kind: "edited", node, edit });
		}
	};
	const origin = nodeOf(state.tree, cutOf(state.forest, commit.through)?.origin ?? null);
	flushThrough((origin?.depth ?? 0) - 1);
	for (const { cut, text } of textsShown(state, commit.through, compaction)) {
		items.push({ kind: "fold", fold: text.fold, text: text.text, chars: text.chars });
		flushThrough(nodeOf(state.tree, cut.to)?.depth ?? 0);
	}
	return items;
}

/** The texts that stand for everything up to a cut, oldest first, but for those that cover nothing the host shows. */
function textsShown(
	state: WindowState,
	through: string,
	compaction: HostCompaction | undefined,
): { cut: Cut; text: FoldText }[] {
	const texts = standingTexts(state.forest, through);
	if (!compaction) return texts;
	return texts.filter(({ cut }) => (nodeOf(state.tree, cut.to)?.depth ?? -1) >= compaction.keeps.from);
}

/**
 * The raw entries deeper than `above` (by default, behind the last fold) that the host shows, each call answered once
 * and each result behind its call.
 */
export function tailItems(
	state: WindowState,
	leaf: string | null,
	commit: Commit | undefined,
	above = foldedDepth(state, commit),
): Item[] {
	const items: Item[] = [];
	const edits = editsBelow(state.tree, leaf, above);
	const strippedDepth = commit?.reasoning === "strip" ? (nodeOf(state.tree, commit.parent)?.depth ?? -1) : -1;
	let waiting: string[] = [];
	const answerWaiting = () => {
		for (const call of waiting) items.push({ kind: "answer", call });
		waiting = [];
	};
	const compaction = compactionAt(state.tree, leaf);
	for (const node of stretch(state.tree, leaf, hiddenDepth(compaction, above))) {
		if (node.fate !== "sent" || !isShown(node, compaction)) continue;
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
		items.push(itemFor(node, edit, commit, node.depth <= strippedDepth));
	}
	answerWaiting();
	return items;
}

/** The newest edit of each edited entry on the path, by the entry's id. O(edits on the path). */
export function editsAt(tree: SessionTree, leaf: string | null): Map<string, EntryNode> {
	const edits = new Map<string, EntryNode>();
	let node = nodeOf(tree, nodeOf(tree, leaf)?.lastEdit ?? null);
	while (node) {
		if (node.target !== undefined && !edits.has(node.target)) edits.set(node.target, node);
		node = nodeOf(tree, nodeOf(tree, node.parent)?.lastEdit ?? null);
	}
	return edits;
}

/** Size of the window at a leaf under a commit, without walking it: O(texts that stand) below a compaction, else O(1). */
export function windowWeight(state: WindowState, leaf: string | null, commit: Commit | undefined): Weight {
	const { tree } = state;
	const compaction = compactionAt(tree, leaf);
	if (!commit) return add(compaction?.keeps.weight, weightBehind(tree, leaf, null));
	const decided = compactionAt(tree, commit.parent);
	const fixed = decided?.node.id === compaction?.node.id ? commit.fixed : fixedAt(state, leaf, commit);
	return add(fixed, weightBehind(tree, leaf, cutOf(state.forest, commit.through)?.to ?? null));
}

/** `commit.fixed` as a later compaction of the host's leaves it. */
function fixedAt(state: WindowState, leaf: string | null, commit: Commit): Weight {
	const compaction = compactionAt(state.tree, leaf);
	let { chars, images } = headWeight(state, leaf, commit);
	const hidden = hiddenDepth(compaction, foldedDepth(state, commit));
	for (const [id, clip] of commit.clips) {
		const node = nodeOf(state.tree, id);
		if (!node || node.depth <= hidden) continue;
		chars -= node.weight.chars - clip.chars;
		images -= node.weight.images;
	}
	if (commit.reasoning === "strip") {
		const folded = cutOf(state.forest, commit.through)?.to ?? null;
		const above = hidden === foldedDepth(state, commit) ? folded : (compaction?.keeps.above ?? null);
		const thought = (id: string | null) => nodeOf(state.tree, id)?.thought ?? 0;
		chars -= Math.max(0, thought(commit.parent) - thought(above));
	}
	return { chars, images };
}

/** Size of what stands before the raw tail. O(texts that stand and held entries). */
export function headWeight(
	state: WindowState,
	leaf: string | null,
	commit: Pick<Commit, "through" | "held">,
): Weight {
	let weight: Weight = { chars: 0, images: 0 };
	for (const item of headItems(state, leaf, commit)) weight = add(weight, weightOf(item));
	return weight;
}

/** Size of an item, edits left out of account. */
export function weightOf(item: Item): Weight {
	if (item.kind === "fold") return { chars: item.chars, images: 0 };
	if (item.kind !== "entry") return { chars: 0, images: 0 };
	return item.node.keeps?.weight ?? item.node.weight;
}

function add(a: Weight | undefined, b: Weight): Weight {
	return { chars: (a?.chars ?? 0) + b.chars, images: (a?.images ?? 0) + b.images };
}

/** Depth of the last folded entry; -1 where nothing is folded. */
export function foldedDepth(state: WindowState, commit: Commit | undefined): number {
	return commit ? (nodeOf(state.tree, cutOf(state.forest, commit.through)?.to ?? null)?.depth ?? -1) : -1;
}

function itemFor(
	node: EntryNode,
	edit: EntryNode | undefined,
	commit: Commit | undefined,
	stripped: boolean,
): Item {
	if (edit) return { kind: "edited", node, edit };
	const clip = commit?.clips.get(node.id);
	if (clip) return { kind: "clipped", node, clip };
	return { kind: "entry", node, form: stripped && node.thinking > 0 ? "unthought" : "whole" };
}

/** As {@link editsAt} for entries deeper than `above`: none where nothing deeper edits, for an edit comes after its target. */
function editsBelow(tree: SessionTree, leaf: string | null, above: number): ReadonlyMap<string, EntryNode> {
	const last = nodeOf(tree, nodeOf(tree, leaf)?.lastEdit ?? null);
	return last && last.depth > above ? editsAt(tree, leaf) : NO_EDITS;
}
