import type { Clip, Commit, Commits } from "./commits.ts";
import { commitAfter } from "./commits.ts";
import { cutOf, type Forest, standingTexts } from "./forest.ts";
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
	return [...headItems(state, commit, editsAt(state.tree, leaf)), ...tailItems(state, leaf, commit)];
}

/**
 * What stands before the raw tail: held entries in their order, each behind the text that covers its place, edited as
 * the leaf has it.
 */
export function headItems(
	state: WindowState,
	commit: Pick<Commit, "through" | "held"> | undefined,
	edits: ReadonlyMap<string, EntryNode> = NO_EDITS,
): Item[] {
	if (!commit) return [];
	const items: Item[] = [];
	const held = commit.held.map((id) => nodeOf(state.tree, id)).filter((node) => node !== undefined);
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
	for (const { cut, text } of standingTexts(state.forest, commit.through)) {
		items.push({ kind: "fold", fold: text.fold, text: text.text, chars: text.chars });
		flushThrough(nodeOf(state.tree, cut.to)?.depth ?? 0);
	}
	return items;
}

/**
 * The raw entries deeper than `above` (by default, behind the last fold), each call answered once and each result
 * behind its call.
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
	for (const node of stretch(state.tree, leaf, above)) {
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

/** Size of the window at a leaf under a commit, without walking it. */
export function windowWeight(state: WindowState, leaf: string | null, commit: Commit | undefined): Weight {
	const total = nodeOf(state.tree, leaf)?.total ?? { chars: 0, images: 0 };
	if (!commit) return total;
	const folded = nodeOf(state.tree, cutOf(state.forest, commit.through)?.to ?? null)?.total ?? {
		chars: 0,
		images: 0,
	};
	return {
		chars: commit.fixed.chars + total.chars - folded.chars,
		images: commit.fixed.images + total.images - folded.images,
	};
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
