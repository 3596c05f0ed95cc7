import { cutOf } from "./forest.ts";
import type { Plan } from "./plans.ts";
import { isFoldable, nodeOf } from "./session-tree.ts";
import { standingAt } from "./standing.ts";
import { foldedDepth, headItems, UNTOUCHED, type WindowState } from "./window-plan.ts";

/** One thing that stands before the raw tail: the text of a fold, an entry that stays raw, or a text of ours. */
type HeadPart =
	| {
			readonly kind: "fold";
			/** digest of the text */
			readonly text: string;
			/** time of the first entry it covers, or of its stretch where all of that stays raw, ms since the epoch */
			readonly at: number;
	  }
	| { readonly kind: "entry"; readonly id: string }
	/** stands right behind a fold, and goes where no fold is shown any more */
	| { readonly kind: "shown"; readonly text: string }
	/** shows nothing: what it would stand for was edited away */
	| { readonly kind: "gone" };

/**
 * What a plan makes of the entries there were: which part of the window stands for each, and what of a raw one is
 * taken out. It changes with the plan in force and with edits of what is folded, which its texts heed; entries that come
 * later are raw. What the host edits and hides beside that is not heeded here.
 */
export interface FoldedHead {
	/** the decision that made it */
	readonly decision: string;
	/** in the order the model reads them */
	readonly parts: readonly HeadPart[];
	/** index of the part that stands for an entry: the fold that covers it, or itself */
	readonly places: ReadonlyMap<string, number>;
	/**
	 * by entry that stays raw inside a fold's stretch: index of that fold, which stands as long as the host shows one of
	 * all
	 */
	readonly within: ReadonlyMap<string, number>;
	/** digest of what is left in view of an entry */
	readonly clips: ReadonlyMap<string, string>;
	/** entries shown without their thinking */
	readonly unthought: ReadonlySet<string>;
}

/** The head a plan makes, at a leaf below it. O(path to the leaf it was decided at, and edits on it). */
export function foldedHead(state: WindowState, plan: Plan, leaf: string | null): FoldedHead {
	const parts: HeadPart[] = [];
	const places = new Map<string, number>();
	const within = new Map<string, number>();
	const unthought = unthoughtBehind(state, plan);
	/** by its number among those that are closed, where each standing part has its place */
	const foldIndex: number[] = [];
	const standing = standingAt(state, leaf, plan);
	const closed = standing.filter(({ isOpen, isBare }) => !isOpen && !isBare);
	const passGone = () => {
		while (closed[foldIndex.length]?.text.gone) {
			foldIndex.push(parts.length);
			parts.push({ kind: "gone" });
		}
	};
	for (const item of headItems(state, leaf, plan, UNTOUCHED)) {
		if (item.kind === "shown") parts.push({ kind: "shown", text: item.text });
		if (item.kind === "fold") {
			passGone();
			foldIndex.push(parts.length);
			parts.push({ kind: "fold", text: item.text, at: 0 });
		}
		if (item.kind !== "entry" && item.kind !== "clipped") continue;
		places.set(item.node.id, parts.length);
		if (item.kind === "entry" && item.form === "unthought") unthought.add(item.node.id);
		parts.push({ kind: "entry", id: item.node.id });
	}
	passGone();
	const indexOf = new Map(closed.map((part, n) => [part, foldIndex[n]]));
	/** folds that cover something which does not stay raw */
	const covering = new Set<number>();
	let part = standing.length - 1;
	const through = cutOf(state.forest, plan.through);
	const origin = nodeOf(state.tree, through?.origin ?? null)?.depth ?? 0;
	let node = nodeOf(state.tree, through?.to ?? null);
	for (; node && node.depth >= origin; node = nodeOf(state.tree, node.parent)) {
		while (part > 0 && node.depth <= depthOf(state, standing[part - 1]?.cut.to)) part--;
		const stands = standing[part];
		const index = stands && indexOf.get(stands);
		if (index === undefined || !isFoldable(node)) continue;
		const isHeld = places.has(node.id);
		(isHeld ? within : places).set(node.id, index);
		const fold = parts[index];
		if (fold?.kind !== "fold" || (isHeld && covering.has(index))) continue;
		parts[index] = { ...fold, at: node.at };
		if (!isHeld) covering.add(index);
	}
	const clips = new Map([...plan.clips].map(([id, { text }]) => [id, text]));
	return { decision: plan.id, parts, places, within, clips, unthought };
}

function unthoughtBehind(state: WindowState, plan: Plan): Set<string> {
	const unthought = new Set<string>();
	if (plan.reasoning !== "strip") return unthought;
	const above = foldedDepth(state, plan);
	let node = nodeOf(state.tree, plan.parent);
	for (; node && node.depth > above; node = nodeOf(state.tree, node.parent)) {
		if (node.thinking > 0) unthought.add(node.id);
	}
	return unthought;
}

function depthOf(state: WindowState, entry: string | undefined): number {
	return nodeOf(state.tree, entry ?? null)?.depth ?? -1;
}
