import { type Cut, cutOf, type FoldText } from "../../projections/forest.ts";
import {
	type EntryNode,
	isFoldable,
	nodeOf,
	type SessionTree,
	stretch,
} from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";

/** A fold's text and the stretch of the path it stands for. */
export interface FoldSpan {
	readonly text: FoldText;
	/** the last cut it covers */
	readonly cut: Cut;
	/** depth of the entry before the first it covers; -1 at the root */
	readonly above: number;
}

/** Every fold a text was written for, on all branches, by its id. */
export function foldSpans({ tree, forest }: SessionStates): Map<string, FoldSpan> {
	const spans = new Map<string, FoldSpan>();
	for (const bucket of forest.cuts) {
		for (const cut of bucket.values()) {
			for (const text of cut.texts) {
				const before = text.level === 0 ? cut.before : (cut.tens[text.level - 1] ?? null);
				const end = nodeOf(tree, cutOf(forest, before)?.to ?? null);
				const above = end?.depth ?? (nodeOf(tree, cut.origin)?.depth ?? 0) - 1;
				spans.set(text.fold, { text, cut, above });
			}
		}
	}
	return spans;
}

/** The entries of a fold's stretch, oldest first, less the nodes of decisions, which are ours and not the host's. */
export function entriesOf(tree: SessionTree, { cut, above }: FoldSpan): EntryNode[] {
	return stretch(tree, cut.to, above).filter(
		(node) => node.decision === (nodeOf(tree, node.parent)?.decision ?? null),
	);
}

/** Whether an entry is hidden where its stretch is folded. */
export function isHidden(node: EntryNode): boolean {
	return isFoldable(node);
}
