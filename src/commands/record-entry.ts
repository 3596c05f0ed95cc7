import type { EntryEvent } from "../../events/entry.ts";
import type { MarkEvent } from "../../events/mark.ts";
import { cutOf, type Forest } from "../../projections/forest.ts";
import { type Plans, planAfter } from "../../projections/plans.ts";
import { type EntryNode, isFoldable, nodeOf, type SessionTree } from "../../projections/session-tree.ts";
import { abandons, fateOf } from "../../projections/session-tree-reducer.ts";

/** The states that say whether an entry is new and whether it closes a cut. */
export interface RecordingState {
	readonly tree: SessionTree;
	readonly forest: Forest;
	readonly plans: Plans;
	readonly rules: { readonly settings: { readonly minFoldChars: number } };
}

/**
 * Records an entry, and marks each stretch its arrival closes: the one before it, if it ends an exchange that was
 * left open; and the one it completes. Nothing happens for an entry already known.
 */
export function recordEntry(state: RecordingState, entry: EntryEvent["data"]): (EntryEvent | MarkEvent)[] {
	if (nodeOf(state.tree, entry.id)) return [];
	const events: (EntryEvent | MarkEvent)[] = [{ type: "entry/recorded", data: entry }];
	const parent = nodeOf(state.tree, entry.parent);
	let growth = growthAt(state, parent);
	const close = (to: string) => {
		const mark = { ...markOf(growth, to), closedBy: entry.id };
		const id = to !== entry.id && isApart(state, to, parent) ? `${mark.id}~${entry.id}` : mark.id;
		events.push({ type: "mark/set", data: { ...mark, id } });
		growth = { cut: growth.cut + 1, before: id, from: null, chars: 0, images: 0 };
	};
	const large = () => growth.from !== null && growth.chars >= state.rules.settings.minFoldChars;

	if (abandons(parent, entry) && large()) {
		const to = lastFoldable(state.tree, parent);
		if (to) close(to);
	}
	if (!isFoldable(entry)) return events;
	const sent = fateOf(parent, entry) === "sent";
	growth = {
		...growth,
		from: growth.from ?? entry.id,
		chars: growth.chars + (sent ? entry.chars : 0),
		images: growth.images + (sent ? entry.images : 0),
	};
	if (sent && !leavesOpen(parent, entry) && large()) close(entry.id);
	return events;
}

/** A stretch that grows towards the next cut of its path. */
interface Growth {
	readonly cut: number;
	readonly before: string | null;
	readonly from: string | null;
	readonly chars: number;
	readonly images: number;
}

function growthAt(state: RecordingState, parent: EntryNode | undefined): Growth {
	const before = cutOf(state.forest, parent?.cut ?? null);
	return {
		cut: (before?.number ?? 0) + 1,
		before: before?.id ?? null,
		from: parent?.growingFrom ?? null,
		chars: parent?.growing.chars ?? 0,
		images: parent?.growing.images ?? 0,
	};
}

function markOf(growth: Growth, to: string): Omit<MarkEvent["data"], "closedBy"> {
	const { cut, before, from, chars, images } = growth;
	return { id: markId(cut, to), cut, before, from: from ?? to, to, chars, images };
}

/** A cut is named by its number on the path and its last entry, so no two branches share a name for different spans. */
function markId(cut: number, to: string): string {
	return `f${cut}-${to}`;
}

/**
 * Whether other cuts or briefs stand before a cut that an entry below closes than where it ends. Its stretch may close
 * on other branches too, and must then be told from theirs.
 */
function isApart({ tree, plans }: RecordingState, to: string, below: EntryNode | undefined): boolean {
	const end = nodeOf(tree, to);
	if (end?.cut !== below?.cut) return true;
	const there = planAfter(plans, end?.decision ?? null)?.texts;
	const here = planAfter(plans, below?.decision ?? null)?.texts;
	if (there === here) return false;
	if (there?.size !== here?.size && (there?.size ?? 0) + (here?.size ?? 0) > 0) return true;
	return [...(here ?? [])].some(([fold, { text }]) => there?.get(fold)?.text !== text);
}

function leavesOpen(parent: EntryNode | undefined, entry: EntryEvent["data"]): boolean {
	if (entry.role !== "result") return (entry.opens?.length ?? 0) > 0;
	return (parent?.open ?? []).some((call) => call !== entry.answers);
}

function lastFoldable(tree: SessionTree, from: EntryNode | undefined): string | undefined {
	for (let node = from; node; node = nodeOf(tree, node.parent)) {
		if (isFoldable(node)) return node.id;
	}
	return undefined;
}
