import type { Commit } from "./commits.ts";
import { cutOf, standingTexts } from "./forest.ts";
import { isFoldable, nodeOf } from "./session-tree.ts";
import { foldedDepth, headItems, type WindowState } from "./window-plan.ts";

/** One thing that stands before the raw tail: the text of a fold, or an entry that stays raw. */
type HeadPart =
	| {
			readonly kind: "fold";
			/** digest of the text */
			readonly text: string;
			/** time of the first entry it covers, ms since the epoch */
			readonly at: number;
	  }
	| { readonly kind: "entry"; readonly id: string };

/**
 * What a commit makes of the entries there were: which part of the window stands for each, and what of a raw one is
 * taken out. It never changes while the commit is in force; entries that come later are raw. What a compaction of the
 * host's hides of it is not heeded here.
 */
export interface FoldedHead {
	readonly commit: string;
	/** in the order the model reads them */
	readonly parts: readonly HeadPart[];
	/** index of the part that stands for an entry: the fold that covers it, or itself */
	readonly places: ReadonlyMap<string, number>;
	/** digest of what is left in view of an entry */
	readonly clips: ReadonlyMap<string, string>;
	/** entries shown without their thinking */
	readonly unthought: ReadonlySet<string>;
}

/** The head a commit makes, at a leaf below it. O(path to the leaf it was decided at). */
export function foldedHead(state: WindowState, commit: Commit): FoldedHead {
	const texts = standingTexts(state.forest, commit.through);
	const items = headItems(state, null, commit);
	const places = new Map<string, number>();
	const foldIndex: number[] = [];
	for (const [index, item] of items.entries()) {
		if (item.kind === "fold") foldIndex.push(index);
		else if (item.kind === "entry") places.set(item.node.id, index);
	}
	const firstAt: number[] = [];
	let text = texts.length - 1;
	const origin = nodeOf(state.tree, cutOf(state.forest, commit.through)?.origin ?? null)?.depth ?? 0;
	let node = nodeOf(state.tree, cutOf(state.forest, commit.through)?.to ?? null);
	for (; node && node.depth >= origin; node = nodeOf(state.tree, node.parent)) {
		while (text > 0 && node.depth <= depthOf(state, texts[text - 1]?.cut.to)) text--;
		const index = foldIndex[text];
		if (index === undefined || places.has(node.id) || !isFoldable(node)) continue;
		places.set(node.id, index);
		firstAt[text] = node.at;
	}
	let fold = 0;
	const parts = items.map((item): HeadPart => {
		if (item.kind === "fold") return { kind: "fold", text: item.text, at: firstAt[fold++] ?? 0 };
		return { kind: "entry", id: item.kind === "entry" ? item.node.id : "" };
	});
	const clips = new Map([...commit.clips].map(([id, clip]) => [id, clip.text]));
	return { commit: commit.id, parts, places, clips, unthought: unthoughtBehind(state, commit) };
}

function unthoughtBehind(state: WindowState, commit: Commit): Set<string> {
	const unthought = new Set<string>();
	if (commit.reasoning !== "strip") return unthought;
	const above = foldedDepth(state, commit);
	let node = nodeOf(state.tree, commit.parent);
	for (; node && node.depth > above; node = nodeOf(state.tree, node.parent)) {
		if (node.thinking > 0) unthought.add(node.id);
	}
	return unthought;
}

function depthOf(state: WindowState, entry: string | undefined): number {
	return nodeOf(state.tree, entry ?? null)?.depth ?? -1;
}
