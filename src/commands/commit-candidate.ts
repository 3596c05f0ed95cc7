import { type Calibration, tokensOf } from "../../projections/calibration.ts";
import type { Clip, Commit } from "../../projections/commits.ts";
import { type Cut, cutOf, standingTexts } from "../../projections/forest.ts";
import { budgetOf, floorOf, type Rules } from "../../projections/rules.ts";
import { type EntryNode, nodeOf, stretch, type Weight } from "../../projections/session-tree.ts";
import { type WindowState, windowWeight } from "../../projections/window-plan.ts";

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

/** However full the window, a commit leaves so many tokens raw. */
const LEAST_FLOOR = 1_000;

/**
 * The deepest cut that leaves at least the floor raw, and what would stand for everything up to it. Where that would
 * still be more than the share of the budget at which commits are forced, the floor is halved until it is not. Absent
 * where no closed cut is old enough.
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
	while (cut && at && rawBehind(state, at, cut) < floor) {
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
	let chars = 0;
	let images = 0;
	for (const { text } of standingTexts(state.forest, cut.id)) chars += text.chars;
	for (const node of held) {
		chars += node.weight.chars;
		images += node.weight.images;
	}
	const why = (node: EntryNode) => (node.role === "system" ? "system message" : "last user message");
	return {
		...rest,
		through: cut,
		held: held.map((node) => ({ entry: node.id, why: why(node) })),
		head: { chars, images },
	};
}

/** System messages and the last thing the user asked, where they stand inside the folded span; in path order. */
function heldWithin(state: DecisionState, at: EntryNode, through: Cut): EntryNode[] {
	const end = nodeOf(state.tree, through.to)?.depth ?? -1;
	const held: EntryNode[] = [];
	let node = nodeOf(state.tree, at.lastSystem);
	while (node) {
		if (node.depth <= end) held.push(node);
		node = nodeOf(state.tree, nodeOf(state.tree, node.parent)?.lastSystem ?? null);
	}
	const user = nodeOf(state.tree, at.lastUser);
	if (user && user.depth <= end) held.push(user);
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
	const tail = stretch(state.tree, leaf, nodeOf(state.tree, through.to)?.depth ?? -1);
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
	for (const node of stretch(state.tree, leaf, nodeOf(state.tree, candidate.through.to)?.depth ?? -1)) {
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
	const folded = nodeOf(state.tree, cut.to)?.total ?? { chars: 0, images: 0 };
	return tokensOf(state.calibration, {
		chars: at.total.chars - folded.chars,
		images: at.total.images - folded.images,
	});
}

function turnsThatThink(tail: readonly EntryNode[]): Set<string | null> {
	const turns = new Set<string | null>();
	for (const node of tail) if (node.thinking > 0) turns.add(node.lastUser);
	return turns;
}
