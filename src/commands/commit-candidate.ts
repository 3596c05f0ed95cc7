import { type Calibration, tokensOf } from "../../projections/calibration.ts";
import type { Clip, Commit } from "../../projections/commits.ts";
import { type Cut, cutOf } from "../../projections/forest.ts";
import { compactionAt, hiddenDepth, isShown, weightBehind } from "../../projections/host-view.ts";
import { budgetOf, floorOf, type Rules } from "../../projections/rules.ts";
import { type EntryNode, nodeOf, stretch, type Weight } from "../../projections/session-tree.ts";
import { headWeight, type WindowState, windowWeight } from "../../projections/window-plan.ts";

/** Everything a decision about the window is made from. */
export interface DecisionState extends WindowState {
	readonly rules: Rules;
	readonly calibration: Calibration;
}

/** What a commit at a leaf would do. It depends on the path to that leaf alone, never on the commit in force. */
export interface Candidate {
	readonly through: Cut;
	/** raw tokens it means to leave */
	readonly floor: number;
	/** entries inside the folded span that stay raw */
	readonly held: readonly { readonly entry: string; readonly why: string }[];
	/** size of the texts and held entries that would stand before the raw tail */
	readonly head: Weight;
	/** closed cuts it leaves raw, nearest first */
	readonly refused: readonly { readonly cut: string; readonly why: string }[];
}

/** However full the window, the newest cut is not folded: the model may not have seen it yet. */
const LEAST_FLOOR = 1;

/**
 * The deepest cut that leaves at least the floor raw, and what would stand for everything up to it. Where that would
 * still be more than the share of the budget at which commits are forced, the floor is halved until it is not, at last
 * to hardly anything. Absent where no closed cut is old enough.
 */
export function candidateAt(state: DecisionState, leaf: string | null): Candidate | undefined {
	const ceiling = budgetOf(state.rules) * state.rules.settings.maxTarget;
	let floor = floorOf(state.rules);
	let candidate = candidateAbove(state, leaf, floor);
	while (floor > LEAST_FLOOR && tokensUnder(state, leaf, candidate) > ceiling) {
		floor = Math.max(LEAST_FLOOR, Math.floor(floor / 2));
		candidate = candidateAbove(state, leaf, floor);
	}
	return candidate;
}

function candidateAbove(state: DecisionState, leaf: string | null, floor: number): Candidate | undefined {
	const at = nodeOf(state.tree, leaf);
	const refused: { cut: string; why: string }[] = [];
	let cut = cutOf(state.forest, at?.cut ?? null);
	const from = compactionAt(state.tree, leaf)?.keeps.from ?? 0;
	while (cut && at && rawBehind(state, at, cut) < floor) {
		// what the host no longer shows is not freed by folding it
		if ((nodeOf(state.tree, cut.to)?.depth ?? 0) < from) return undefined;
		refused.push({ cut: cut.id, why: "inside the floor" });
		cut = cutOf(state.forest, cut.before);
	}
	return cut && at && candidateFor(state, at, cut, { floor, refused });
}

function tokensUnder(state: DecisionState, leaf: string | null, candidate: Candidate | undefined): number {
	if (!candidate) return promptTokens(state, leaf, undefined);
	const at = nodeOf(state.tree, leaf);
	const head = state.calibration.base + tokensOf(state.calibration, candidate.head);
	return at ? head + rawBehind(state, at, candidate.through) : head;
}

/** The candidate that folds everything through one cut of a path, whatever that leaves raw. Absent where no such cut closed. */
export function candidateThrough(
	state: DecisionState,
	leaf: string | null,
	number: number,
): Candidate | undefined {
	const at = nodeOf(state.tree, leaf);
	let cut = cutOf(state.forest, at?.cut ?? null);
	while (cut && cut.number > number) cut = cutOf(state.forest, cut.before);
	if (cut?.number !== number || !at) return undefined;
	return candidateFor(state, at, cut, { floor: floorOf(state.rules), refused: [] });
}

function candidateFor(
	state: DecisionState,
	at: EntryNode,
	cut: Cut,
	rest: Pick<Candidate, "floor" | "refused">,
): Candidate {
	const held = heldWithin(state, at, cut);
	const why = (node: EntryNode) => (node.role === "system" ? "system message" : "last user message");
	return {
		...rest,
		through: cut,
		held: held.map((node) => ({ entry: node.id, why: why(node) })),
		head: headWeight(state, at.id, { through: cut.id, held: held.map(({ id }) => id) }),
	};
}

/** System messages and the last thing the user asked, where they stand inside the folded span; in path order. */
function heldWithin(state: DecisionState, at: EntryNode, through: Cut): EntryNode[] {
	const end = nodeOf(state.tree, through.to)?.depth ?? -1;
	const compaction = compactionAt(state.tree, at.id);
	const held: EntryNode[] = [];
	let node = nodeOf(state.tree, at.lastSystem);
	while (node) {
		if (!isShown(node, compaction)) break;
		if (node.depth <= end) held.push(node);
		node = nodeOf(state.tree, nodeOf(state.tree, node.parent)?.lastSystem ?? null);
	}
	const user = nodeOf(state.tree, at.lastUser);
	if (user && user.depth <= end && isShown(user, compaction)) held.push(user);
	return held.sort((a, b) => a.depth - b.depth);
}

/** Results shorter than this are never clipped. */
const LEAST_CLIPPED = 2_000;

/**
 * Results that would be clipped: large, and in the oldest share of the raw tail. None inside a turn whose signed
 * thinking stays, for there the provider checks what surrounds it.
 */
export function clippableBehind(state: DecisionState, leaf: string | null, through: Cut): EntryNode[] {
	const { settings, valuation } = state.rules;
	const tail = tailBehind(state, leaf, through);
	let total = 0;
	for (const node of tail) total += node.weight.chars;
	const share = total * settings.toolFoldThreshold;
	const keptTurns = valuation?.reasoning === "strip" ? new Set<string | null>() : turnsThatThink(tail);
	const clippable: EntryNode[] = [];
	let passed = 0;
	for (const node of tail) {
		if (passed >= share) break;
		passed += node.weight.chars;
		if (node.role !== "result" || node.fate !== "sent" || node.weight.chars <= LEAST_CLIPPED) continue;
		if (!keptTurns.has(node.lastUser)) clippable.push(node);
	}
	return clippable;
}

/** Size of what a commit puts before the raw tail, less what it clips and strips from it. */
export function fixedWeight(
	state: DecisionState,
	leaf: string | null,
	candidate: Candidate,
	clips: ReadonlyMap<string, Clip>,
): Weight {
	let { chars, images } = candidate.head;
	const strip = state.rules.valuation?.reasoning === "strip";
	for (const node of tailBehind(state, leaf, candidate.through)) {
		const clip = clips.get(node.id);
		if (clip) {
			chars -= node.weight.chars - clip.chars;
			images -= node.weight.images;
		} else if (strip) chars -= node.thinking;
	}
	return { chars, images };
}

/** Tokens of the whole prompt at a leaf under a commit. */
export function promptTokens(state: DecisionState, leaf: string | null, commit: Commit | undefined): number {
	return state.calibration.base + tokensOf(state.calibration, windowWeight(state, leaf, commit));
}

function rawBehind(state: DecisionState, at: EntryNode, cut: Cut): number {
	return tokensOf(state.calibration, weightBehind(state.tree, at.id, cut.to));
}

/** The entries behind a cut that the host shows. */
function tailBehind(state: DecisionState, leaf: string | null, { to }: Cut): EntryNode[] {
	const compaction = compactionAt(state.tree, leaf);
	const above = hiddenDepth(compaction, nodeOf(state.tree, to)?.depth ?? -1);
	return stretch(state.tree, leaf, above).filter((node) => isShown(node, compaction));
}

function turnsThatThink(tail: readonly EntryNode[]): Set<string | null> {
	const turns = new Set<string | null>();
	for (const node of tail) if (node.thinking > 0) turns.add(node.lastUser);
	return turns;
}
