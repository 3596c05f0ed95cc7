import { editsAt } from "../../projections/edits.ts";
import { compactionAt, hiddenDepth, isShown } from "../../projections/host-view.ts";
import { memoryNotes } from "../../projections/memory/notes.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { MemoryNote } from "../../projections/transcript.ts";
import { foldedDepth, planAt, type WindowState } from "../../projections/window-plan.ts";

/** What there is to tell the model of at this moment. */
export interface ToTell {
	/** ids of the records that a block tells of now, in its order; `undefined` where they are not known, or not to be told */
	readonly standing: readonly string[] | undefined;
	/** ids of records that stand, or may, and cannot be told now; what was told of them is not said to hold no more */
	readonly silent?: readonly string[];
	/** whether no others stand, so that what was told and is not among them holds no more */
	readonly isWhole: boolean;
	/** ids of the records about files that were touched since, in the order they were touched */
	readonly touched: readonly string[];
}

/**
 * What a message to the model would have to tell at a leaf; `undefined` where everything is in view already. A block comes
 * when there is none in view, and takes the place of what changed since the last one once the window was rewritten
 * anyway; other changes are told once, at the tail. A line about a file comes again once it has left the window. O(messages
 * of ours on the path).
 */
export function memoryNoteDue(
	state: WindowState,
	leaf: string | null,
	{ standing, silent = [], isWhole, touched }: ToTell,
): MemoryNote | undefined {
	const view = viewAt(state, leaf);
	const inView = [...memoryNotes(state.tree, view.at)].filter(view.shows);
	const lines = touched.filter((id) => !isTold(inView, id));
	const note: MemoryNote = {
		...(standing && recordsDue(inView, { standing, silent, isWhole }, view.committed)),
		...(lines.length > 0 && { lines }),
	};
	return Object.keys(note).length > 0 ? note : undefined;
}

/** What is to be told of records, given the messages in view, the last one first. */
function recordsDue(
	inView: readonly EntryNode[],
	{
		standing,
		silent,
		isWhole,
	}: Required<Pick<ToTell, "silent" | "isWhole">> & { standing: readonly string[] },
	committed: number,
): Pick<MemoryNote, "block" | "told" | "gone"> {
	const last = inView.findIndex((node) => node.memory?.block);
	const block = inView[last];
	if (!block) return standing.length > 0 ? { block: standing } : {};
	const since = inView.slice(0, last).reverse();
	const known = new Set(block.memory?.block);
	let changes = 0;
	for (const { memory } of since) {
		for (const id of memory?.told ?? []) known.add(id);
		for (const id of memory?.gone ?? []) known.delete(id);
		changes += (memory?.told?.length ?? 0) + (memory?.gone?.length ?? 0);
	}
	const told = standing.filter((id) => !known.has(id));
	const stands = new Set([...standing, ...silent]);
	const gone = isWhole ? [...known].filter((id) => !stands.has(id)) : [];
	const isRewritten = committed >= block.depth;
	if (isRewritten && standing.length > 0 && changes + told.length + gone.length > 0)
		return { block: standing };
	return { ...(told.length > 0 && { told }), ...(gone.length > 0 && { gone }) };
}

function isTold(inView: readonly EntryNode[], id: string): boolean {
	return inView.some(
		({ memory }) => memory?.lines?.includes(id) || memory?.block?.includes(id) || memory?.told?.includes(id),
	);
}

/** What of a path the model sees, and how far up its window was rewritten. */
interface View {
	readonly at: EntryNode | undefined;
	readonly shows: (node: EntryNode) => boolean;
	/** depth of the leaf at which the commit in force was made; -1 for none */
	readonly committed: number;
}

function viewAt(state: WindowState, leaf: string | null): View {
	const { tree } = state;
	const plan = planAt(state, leaf) ?? BARE_PLAN;
	const compaction = compactionAt(tree, leaf);
	const hidden = hiddenDepth(compaction, foldedDepth(state, plan));
	const edits = editsAt(tree, leaf);
	const shows = (node: EntryNode) =>
		isShown(node, compaction) &&
		!edits.get(node.id)?.omits &&
		(node.depth > hidden || plan.held.includes(node.id));
	const committed = plan.cut > 0 ? (nodeOf(tree, plan.parent)?.depth ?? -1) : -1;
	return {
		at: nodeOf(tree, leaf),
		shows,
		committed,
	};
}
