import { cutOf } from "./forest.ts";
import { compactionAt } from "./host-view.ts";
import { nodeOf } from "./session-tree.ts";
import { type HeadPlan, headItems, type WindowState } from "./window-plan.ts";

/**
 * Bytes the images of a window take in a request, about: in base64, and more for each than its picture's. O(1) where
 * there are none, else O(texts that stand, opened and held entries, and clips).
 */
export function imageBytes(state: WindowState, leaf: string | null, plan: HeadPlan | undefined): number {
	const { tree } = state;
	const total = nodeOf(tree, leaf)?.totalImageBytes ?? 0;
	if (total === 0) return 0;
	const folded = nodeOf(tree, cutOf(state.forest, plan?.through ?? null)?.to ?? null);
	const above = nodeOf(tree, compactionAt(tree, leaf)?.keeps.above ?? null);
	const hidden = above && above.depth > (folded?.depth ?? -1) ? above : folded;
	let bytes = total - (hidden?.totalImageBytes ?? 0);
	if (!plan) return bytes;
	for (const item of headItems(state, leaf, plan)) if (item.kind === "entry") bytes += item.node.imageBytes;
	for (const id of plan.clips.keys()) {
		const node = nodeOf(tree, id);
		if (node && node.depth > (hidden?.depth ?? -1)) bytes -= node.imageBytes;
	}
	return bytes;
}
