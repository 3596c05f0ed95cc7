import { compactionAt } from "../../projections/host-view.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";

/**
 * The name of the checkpoint that took an entry out of the window at a leaf; `undefined` where a compaction that is none
 * did, or none at all. O(compactions of the path).
 */
export function checkpointOver(
	{ tree, compactions }: Pick<SessionStates, "tree" | "compactions">,
	leaf: string | null,
	entry: string,
): string | undefined {
	const depth = nodeOf(tree, entry)?.depth ?? 0;
	let first: string | undefined;
	let compaction = compactionAt(tree, leaf);
	while (compaction && compaction.keeps.from > depth) {
		first = compaction.node.id;
		compaction = compactionAt(tree, compaction.node.parent);
	}
	return first === undefined ? undefined : compactions.byEntry.get(first)?.id;
}
