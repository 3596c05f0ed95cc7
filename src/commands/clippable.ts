import { editsAt, isTakenOut } from "../../projections/edits.ts";
import { type Cut, cutOf } from "../../projections/forest.ts";
import { compactionAt, hiddenDepth, isShown } from "../../projections/host-view.ts";
import type { Plan } from "../../projections/plans.ts";
import { reasoningOf } from "../../projections/rules.ts";
import { type EntryNode, nodeOf, stretch } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import type { DecisionState } from "./commit-candidate.ts";

/** Results shorter than this are never clipped by the settings. */
const LEAST_CLIPPED = 2_000;

/** In an emergency, results of no more characters than stay in view of a clipped one are left. */
const LEAST_IN_EMERGENCY = 700;

/**
 * What the settings have clipped, of what the model has answered: results that are large, and in the oldest share of the
 * raw tail; and what was read back for the moment. None inside a turn whose signed thinking stays, for there the
 * provider checks what surrounds it; none that is pinned, in a cut that was withdrawn, or of a tool the settings keep
 * raw; none that was edited, for it stands as it was edited.
 */
export function usuallyClipped(
	state: DecisionState,
	leaf: string | null,
	through: Cut | undefined,
): EntryNode[] {
	const tail = tailBehind(state, leaf, through);
	let total = 0;
	for (const node of tail) total += node.weight.chars;
	const reach = total * state.rules.settings.toolFoldThreshold;
	const keptTurns = thoughtful(state, tail);
	const answeredTo = lastAnswered(tail);
	const plan = planAt(state, leaf);
	const isWithdrawn = withdrawnIn(state, plan);
	const edits = editsAt(state.tree, leaf, (tail[0]?.depth ?? 0) - 1);
	const clippable: EntryNode[] = [];
	let passed = 0;
	for (const node of tail.slice(0, Math.max(0, answeredTo))) {
		const isOld = passed < reach && node.weight.chars > LEAST_CLIPPED;
		passed += node.weight.chars;
		if (!(isOld || node.isPeek) || node.role !== "result" || node.fate !== "sent") continue;
		if (node.isKeptRaw || plan?.pins.has(node.id) || keptTurns.has(node.lastUser)) continue;
		if (isWithdrawn(node) || isEdited(state, node, edits)) continue;
		clippable.push(node);
	}
	return clippable;
}

/** What a commit clips: what the settings say, and what an emergency clipped before, where it is raw and as it was. */
export function clippableBehind(
	state: DecisionState,
	leaf: string | null,
	through: Cut | undefined,
): EntryNode[] {
	const usual = usuallyClipped(state, leaf, through);
	const plan = planAt(state, leaf);
	if (!plan?.emergency) return usual;
	const folded = nodeOf(state.tree, through?.to ?? null)?.depth ?? -1;
	const lastUser = nodeOf(state.tree, leaf)?.lastUser;
	const edits = editsAt(state.tree, leaf);
	const clipped = new Map(usual.map((node) => [node.id, node]));
	for (const id of plan.clips.keys()) {
		const node = nodeOf(state.tree, id);
		if (!node || isEdited(state, node, edits)) continue;
		if (node.depth > folded || id === lastUser) clipped.set(id, node);
	}
	return [...clipped.values()].sort((a, b) => a.depth - b.depth);
}

/** How far clipping goes in an emergency. */
export interface Reach {
	/** also what the model has not answered yet */
	readonly unseen: boolean;
	/** also the images in the last thing the user asked */
	readonly lastUser: boolean;
}

/**
 * What may be clipped in an emergency: results and images wherever they stand raw, in the order in which they go; those
 * inside a turn whose signed thinking stays after all others, and the user's last images last. None that is pinned, of a
 * tool the settings keep raw, or edited; and of what the user said only images.
 */
export function clippableInEmergency(
	state: DecisionState,
	leaf: string | null,
	through: Cut | undefined,
	{ unseen, lastUser }: Reach,
): EntryNode[][] {
	const tail = tailBehind(state, leaf, through);
	const asked = nodeOf(state.tree, nodeOf(state.tree, leaf)?.lastUser ?? null);
	const keptTurns = thoughtful(state, tail);
	const answeredTo = lastAnswered(tail);
	const pins = planAt(state, leaf)?.pins;
	const edits = editsAt(state.tree, leaf);
	const may = (node: EntryNode) =>
		node.fate === "sent" && !node.isKeptRaw && !pins?.has(node.id) && !isEdited(state, node, edits);
	const [free, bound]: [EntryNode[], EntryNode[]] = [[], []];
	for (const [index, node] of tail.entries()) {
		const isLarge =
			node.role === "result"
				? node.weight.images > 0 || node.weight.chars > LEAST_IN_EMERGENCY
				: (node.role === "user" || node.role === "note") && node.weight.images > 0;
		if (!isLarge || !may(node) || node === asked || (!unseen && index > answeredTo)) continue;
		(keptTurns.has(node.lastUser) ? bound : free).push(node);
	}
	return [free, bound, lastUser && asked && asked.weight.images > 0 && may(asked) ? [asked] : []];
}

/** Whether an entry is in a cut of its path that was withdrawn. */
function withdrawnIn({ tree, forest }: DecisionState, plan: Plan | undefined): (node: EntryNode) => boolean {
	const depthOf = (id: string) => nodeOf(tree, id)?.depth ?? -1;
	const reaches = [...(plan?.withdrawn ?? [])].flatMap((id) => {
		const cut = cutOf(forest, id);
		return cut ? { from: depthOf(cut.from), to: depthOf(cut.to) } : [];
	});
	return ({ depth }) => reaches.some(({ from, to }) => depth >= from && depth <= to);
}

/** The entries behind a cut that the host shows. */
function tailBehind(state: DecisionState, leaf: string | null, through: Cut | undefined): EntryNode[] {
	const compaction = compactionAt(state.tree, leaf);
	const above = hiddenDepth(compaction, nodeOf(state.tree, through?.to ?? null)?.depth ?? -1);
	return stretch(state.tree, leaf, above).filter((node) => isShown(node, compaction));
}

/** Whether an entry stands as it was edited, or was taken out by an edit. */
function isEdited({ tree }: DecisionState, node: EntryNode, edits: ReturnType<typeof editsAt>): boolean {
	return edits.has(node.id) || (edits.size > 0 && isTakenOut(tree, node, edits));
}

/** Index of the last reply: the model has seen what stands before it. */
function lastAnswered(tail: readonly EntryNode[]): number {
	return tail.findLastIndex((node) => node.role === "assistant" && node.fate === "sent");
}

/** Turns whose signed thinking stays, by their user messages. */
function thoughtful(state: DecisionState, tail: readonly EntryNode[]): Set<string | null> {
	const turns = new Set<string | null>();
	if (reasoningOf(state.rules) === "strip") return turns;
	for (const node of tail) if (node.thinking > 0) turns.add(node.lastUser);
	return turns;
}
