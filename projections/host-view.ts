import { changesAbove } from "./edits.ts";
import { type EntryNode, type Kept, nodeOf, type SessionTree, type Weight } from "./session-tree.ts";

/** The host's compaction that shortens every window below it. */
export interface HostCompaction {
	readonly node: EntryNode;
	readonly keeps: Kept;
}

const NOTHING: Weight = { chars: 0, images: 0 };

/** The compaction of the host's that holds at a leaf: the last one on its path, if compactions are heeded. */
export function compactionAt(tree: SessionTree, leaf: string | null): HostCompaction | undefined {
	const node = nodeOf(tree, nodeOf(tree, leaf)?.lastCompaction ?? null);
	return node?.keeps && { node, keeps: node.keeps };
}

/** Depth of the first entry on the path to a leaf that the host shows. */
export function shownFrom(tree: SessionTree, leaf: string | null): number {
	return compactionAt(tree, leaf)?.keeps.from ?? 0;
}

/**
 * Whether the host shows an entry of the path below a compaction. Prompt patches above one are stated again with it.
 */
export function isShown(node: EntryNode, compaction: HostCompaction | undefined): boolean {
	if (!compaction) return true;
	if (node.role === "system") return node.depth > compaction.node.depth;
	return node.depth >= compaction.keeps.from;
}

/**
 * Depth of the last entry that is hidden at a leaf, everything above it too: by a fold up to `folded`, or by the host.
 */
export function hiddenDepth(compaction: HostCompaction | undefined, folded: number): number {
	return compaction ? Math.max(folded, compaction.keeps.from - 1) : folded;
}

/**
 * Size of the entries shown behind `entry` (`null`: all of them), down to a leaf, edited. O(prompt patches, and edits
 * behind).
 */
export function weightBehind(tree: SessionTree, leaf: string | null, entry: string | null): Weight {
	const total = nodeOf(tree, leaf)?.total ?? NOTHING;
	const compaction = compactionAt(tree, leaf);
	const from = nodeOf(tree, entry);
	const above = compaction && nodeOf(tree, compaction.keeps.above);
	const hidden = above && above.depth > (from?.depth ?? -1) ? above : from;
	const gone = hidden?.total ?? NOTHING;
	const restated = compaction ? patchesBetween(tree, hidden, compaction.node) : NOTHING;
	const outside = hidden ? changesAbove(tree, leaf, hidden) : NOTHING;
	return {
		chars: total.chars - gone.chars - restated.chars - outside.chars,
		images: total.images - gone.images - restated.images - outside.images,
	};
}

function patchesBetween(tree: SessionTree, above: EntryNode | undefined, below: EntryNode): Weight {
	let { chars, images } = NOTHING;
	let node = nodeOf(tree, below.lastSystem);
	while (node && node.depth > (above?.depth ?? -1)) {
		chars += node.weight.chars;
		images += node.weight.images;
		node = nodeOf(tree, nodeOf(tree, node.parent)?.lastSystem ?? null);
	}
	return { chars, images };
}
