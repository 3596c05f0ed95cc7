import { editsAt } from "./edits.ts";
import { cutOf } from "./forest.ts";
import { compactionAt } from "./host-view.ts";
import { type EntryNode, nodeOf } from "./session-tree.ts";
import { type HeadPlan, headItems, type WindowState } from "./window-plan.ts";

/**
 * Bytes the images of a window take in a request, about: in base64, and more for each than its picture's. O(1) where
 * there are none, else O(texts that stand, opened and held entries, clips and edits). Those an edit puts in are not
 * counted.
 */
export function imageBytes(state: WindowState, leaf: string | null, plan: HeadPlan | undefined): number {
	const { tree } = state;
	const total = nodeOf(tree, leaf)?.totalImageBytes ?? 0;
	if (total === 0) return 0;
	const folded = nodeOf(tree, cutOf(state.forest, plan?.through ?? null)?.to ?? null);
	const above = nodeOf(tree, compactionAt(tree, leaf)?.keeps.above ?? null);
	const hidden = above && above.depth > (folded?.depth ?? -1) ? above : folded;
	let bytes = total - (hidden?.totalImageBytes ?? 0);
	const edits = editsAt(tree, leaf, hidden?.depth);
	for (const id of edits.keys()) bytes -= behind(nodeOf(tree, id), hidden);
	if (!plan) return bytes;
	for (const item of headItems(state, leaf, plan)) if (item.kind === "entry") bytes += item.node.imageBytes;
	for (const id of plan.clips.keys()) if (!edits.has(id)) bytes -= behind(nodeOf(tree, id), hidden);
	return bytes;
}

function behind(node: EntryNode | undefined, hidden: EntryNode | undefined): number {
	return node && node.depth > (hidden?.depth ?? -1) ? node.imageBytes : 0;
}
