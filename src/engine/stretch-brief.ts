import { editsAt } from "../../projections/edits.ts";
import { type EntryNode, isFoldable } from "../../projections/session-tree.ts";
import { type Desk, entriesSent } from "./texts.ts";

/** What is told of a stretch that no cut has taken. */
export interface StretchBrief {
	/** the first and the last entry that a model was sent */
	readonly from: string;
	readonly to: string;
	/** as the brief of a cut of the same would tell it, where no other stands before */
	readonly brief: string;
}

/**
 * The brief of a stretch of the path to the desk's leaf, as edits on that path leave it; nothing where no model was sent
 * anything of it. Nothing is put aside to be stored: the path gives it again.
 */
export function stretchBrief(desk: Desk, nodes: readonly EntryNode[]): StretchBrief | undefined {
	const { tree } = desk.states;
	const entries = entriesSent(desk, nodes.filter(isFoldable), editsAt(tree, desk.leaf));
	const [first] = entries;
	const last = entries.at(-1);
	if (!first || !last) return undefined;
	const { renderer } = desk;
	return { from: first.id, to: last.id, brief: renderer.brief(renderer.cut(entries, [])) };
}
