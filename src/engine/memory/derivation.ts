import { editsAt } from "../../../projections/edits.ts";
import { compactionAt, hiddenDepth } from "../../../projections/host-view.ts";
import { draftsOf } from "../../../projections/memory/derive.ts";
import type { Draft } from "../../../projections/memory/draft.ts";
import type { Memory } from "../../../projections/memory/record.ts";
import {
	type EntryNode,
	isAtOrAbove,
	nodeOf,
	type SessionTree,
	stretch,
} from "../../../projections/session-tree.ts";
import { foldedDepth, planAt } from "../../../projections/window-plan.ts";
import type { Engine } from "../engine.ts";
import { entriesSent } from "../texts.ts";

/** Entries looked through at a time: some ten milliseconds at most. */
const RUN = 200;

/** What rules found in a run of entries that left the window, and the last of these entries. */
export interface Derived {
	readonly drafts: readonly Draft[];
	readonly through: string;
}

/**
 * What rules would have remembered of the next entries that left the window, folded or compacted away, where the last run
 * ended or what is remembered was drawn from; `undefined` where none did. O(entries since).
 */
export function derivedNext(
	engine: Pick<Engine, "states" | "entry">,
	memory: Memory,
	by: { readonly session: string; readonly hashText: (text: string) => string },
	last: string | undefined,
): Derived | undefined {
	const { states } = engine;
	const { tree } = states;
	const { leaf } = tree;
	const hidden = hiddenDepth(compactionAt(tree, leaf), foldedDepth(states, planAt(states, leaf)));
	const seen = (nodeOnPath(tree, last) ?? lastSource(tree, memory))?.depth ?? -1;
	if (hidden <= seen) return undefined;
	const nodes = stretch(tree, leaf, seen).slice(0, Math.min(RUN, hidden - seen));
	const through = nodes.at(-1);
	if (!through) return undefined;
	const entries = entriesSent({ entry: (id) => engine.entry(id) }, nodes, editsAt(tree, leaf));
	return { drafts: draftsOf(entries, by), through: through.id };
}

/** The last entry on the path that a rule's record was drawn from, if any. */
function lastSource(tree: SessionTree, { records }: Memory): EntryNode | undefined {
	const sources = [...records.values()].flatMap(({ author, sources }) => (author === "rule" ? sources : []));
	return [...new Set(sources)]
		.flatMap((id) => nodeOf(tree, id) ?? [])
		.sort((a, b) => b.depth - a.depth)
		.find(({ id }) => nodeOnPath(tree, id) !== undefined);
}

function nodeOnPath(tree: SessionTree, id: string | undefined): EntryNode | undefined {
	const node = nodeOf(tree, id ?? null);
	const leaf = nodeOf(tree, tree.leaf);
	return node && leaf && isAtOrAbove(tree, node, leaf) ? node : undefined;
}
