import { type Calibration, charsPerToken, tokensOf } from "../../projections/calibration.ts";
import { editsAt } from "../../projections/edits.ts";
import { type Cut, cutOf } from "../../projections/forest.ts";
import { compactionAt, hiddenDepth, isShown, weightBehind } from "../../projections/host-view.ts";
import { type Ledger, requestsSoFar } from "../../projections/ledger.ts";
import { memoryInForce } from "../../projections/memory/notes.ts";
import { BARE_PLAN, type Plan } from "../../projections/plans.ts";
import { budgetOf, floorOf, type Rules, reasoningOf } from "../../projections/rules.ts";
import { type EntryNode, nodeOf, type Weight } from "../../projections/session-tree.ts";
import { imageBytes } from "../../projections/window-bytes.ts";
import {
	clippedFrom,
	type HeadPlan,
	headWeight,
	planAt,
	type WindowState,
	windowWeight,
} from "../../projections/window-plan.ts";
import { unitWithin } from "./unit.ts";

/** Everything a decision about the window is made from. */
export interface DecisionState extends WindowState {
	readonly rules: Rules;
	readonly calibration: Calibration;
	readonly ledger: Ledger;
}

/**
 * What a commit at a leaf would do. It depends on the path to that leaf and on what is excepted there, never on how
 * much is folded already.
 */
export interface Candidate {
	/** the last cut it folds; absent where it only clips and nothing is folded yet */
	readonly through: Cut | undefined;
	/** raw tokens it means to leave */
	readonly floor: number;
	/** entries inside the folded span that stay raw */
	readonly held: readonly { readonly entry: string; readonly why: string }[];
	/** folds inside the folded span that stay open, and since which request they are */
	readonly expanded: ReadonlyMap<string, number>;
	/** size of the texts and held entries that would stand before the raw tail */
	readonly head: Weight;
	/** closed cuts it leaves raw, nearest first */
	readonly refused: readonly { readonly cut: string; readonly why: string }[];
}

/** However full the window, the newest cut is not folded: the model may not have seen it yet. */
const LEAST_FLOOR = 1;

/** Requests for which an opened fold stays open, whatever is committed meanwhile. */
const LEASE = 8;

/** How large a window is. */
export interface Size {
	readonly tokens: number;
	/** bytes of a request with it, about */
	readonly bytes: number;
}

/**
 * The deepest cut that leaves at least the floor raw, and what would stand for everything up to it. Where that would
 * still be more than `ceiling` (by default the share of the budget at which commits are forced), nothing stays open; and
 * if that does not do, the floor is halved until it does, at last to hardly anything. Absent where no closed cut is old
 * enough.
 */
export function candidateAt(
	state: DecisionState,
	leaf: string | null,
	ceiling: Size = {
		tokens: budgetOf(state.rules) * state.rules.settings.maxTarget,
		bytes: Number.POSITIVE_INFINITY,
	},
): Candidate | undefined {
	const plan = planAt(state, leaf) ?? BARE_PLAN;
	let floor = floorOf(state.rules);
	let candidate = candidateAbove(state, leaf, floor, plan);
	if (!exceeds(state, leaf, candidate, ceiling)) return candidate;
	const closed: Plan = { ...plan, expanded: new Map(), withdrawn: new Set() };
	if (candidate && candidate.expanded.size > 0) candidate = candidateAbove(state, leaf, floor, closed);
	while (floor > LEAST_FLOOR && exceeds(state, leaf, candidate, ceiling)) {
		floor = Math.max(LEAST_FLOOR, Math.floor(floor / 2));
		candidate = candidateAbove(state, leaf, floor, closed);
	}
	return candidate;
}

function candidateAbove(
	state: DecisionState,
	leaf: string | null,
	floor: number,
	plan: Plan,
): Candidate | undefined {
	const at = nodeOf(state.tree, leaf);
	const refused: { cut: string; why: string }[] = [];
	let cut = cutOf(state.forest, at?.cut ?? null);
	const from = compactionAt(state.tree, leaf)?.keeps.from ?? 0;
	for (; cut && at; cut = cutOf(state.forest, cut.before)) {
		// what the host no longer shows is not freed by folding it
		if ((nodeOf(state.tree, cut.to)?.depth ?? 0) < from) return undefined;
		if (rawBehind(state, at, cut) >= floor) break;
		refused.push({ cut: cut.id, why: "inside the floor" });
	}
	return (
		cut && at && candidateFor(state, at, cut, { floor, refused, expanded: staysOpen(state, plan, cut) }, plan)
	);
}

/** What a commit through a cut leaves open: what was opened a short while ago, and what was withdrawn. */
function staysOpen(state: DecisionState, plan: Plan, { number }: Cut): Map<string, number> {
	const requests = requestsSoFar(state.ledger);
	const open = new Map<string, number>();
	for (const [fold, since] of plan.expanded) if (requests - since < LEASE) open.set(fold, since);
	for (const cut of withdrawnUpTo(state, plan, number)) open.set(cut, requests);
	return open;
}

/** Withdrawn cuts that a commit through a cut of this number reaches. */
export function withdrawnUpTo(
	{ forest }: Pick<DecisionState, "forest">,
	{ withdrawn }: Pick<Plan, "withdrawn">,
	number: number,
): string[] {
	return [...withdrawn].filter((cut) => (cutOf(forest, cut)?.number ?? Number.POSITIVE_INFINITY) <= number);
}

/** Whether a window with a candidate folded is too large, before the settings clip from it. */
function exceeds(
	state: DecisionState,
	leaf: string | null,
	candidate: Candidate | undefined,
	ceiling: Size,
): boolean {
	const tokens = tokensUnder(state, leaf, candidate);
	if (tokens > ceiling.tokens || ceiling.bytes === Number.POSITIVE_INFINITY) return tokens > ceiling.tokens;
	const head = candidate && headPlanOf(state, leaf, candidate);
	return bytesOf(state, tokens, imageBytes(state, leaf, head)) > ceiling.bytes;
}

/** Bytes of a request, about: one for each character, and what the images take. */
export function bytesOf(state: DecisionState, tokens: number, images: number): number {
	return tokens * charsPerToken(state.calibration) + images;
}

function tokensUnder(state: DecisionState, leaf: string | null, candidate: Candidate | undefined): number {
	if (!candidate) return promptTokens(state, leaf, undefined);
	const at = nodeOf(state.tree, leaf);
	const head = state.calibration.base + tokensOf(state.calibration, candidate.head);
	return at && candidate.through ? head + rawBehind(state, at, candidate.through) : head;
}

/**
 * The candidate that folds everything through one cut of a path, whatever that leaves raw, with `expanded` open, or what
 * usually stays so; 0 folds nothing. Absent where no such cut closed.
 */
export function candidateThrough(
	state: DecisionState,
	leaf: string | null,
	number: number,
	expanded?: ReadonlyMap<string, number>,
): Candidate | undefined {
	const at = nodeOf(state.tree, leaf);
	let cut = cutOf(state.forest, at?.cut ?? null);
	while (cut && cut.number > number) cut = cutOf(state.forest, cut.before);
	if ((cut?.number ?? 0) !== number || !at) return undefined;
	const plan = planAt(state, leaf) ?? BARE_PLAN;
	const open = expanded ?? (cut ? staysOpen(state, plan, cut) : new Map());
	return candidateFor(state, at, cut, { floor: floorOf(state.rules), refused: [], expanded: open }, plan);
}

function candidateFor(
	state: DecisionState,
	at: EntryNode,
	cut: Cut | undefined,
	rest: Pick<Candidate, "floor" | "refused" | "expanded">,
	plan: Plan,
): Candidate {
	const held = cut ? heldWithin(state, at, cut, plan.pins) : [];
	const head = headPlanOf(state, at.id, { through: cut, held, expanded: rest.expanded }, plan);
	return { ...rest, through: cut, held, head: headWeight(state, at.id, head) };
}

/** What a candidate puts before the raw tail. Its receipt is not counted: it is as long as the one it replaces. */
export function headPlanOf(
	state: DecisionState,
	leaf: string | null,
	{ through, held, expanded }: Pick<Candidate, "through" | "held" | "expanded">,
	plan = planAt(state, leaf) ?? BARE_PLAN,
): HeadPlan {
	return {
		parent: leaf,
		through: through?.id ?? null,
		held: held.map(({ entry }) => entry),
		expanded,
		texts: plan.texts,
		reasoning: reasoningOf(state.rules),
		clips: new Map(),
	};
}

/**
 * What stays raw inside the folded span, in path order: system messages, the last thing the user asked, what is pinned,
 * exchanges of tools the settings keep raw, and what tells the model what is remembered.
 */
export function heldWithin(
	state: DecisionState,
	at: EntryNode,
	through: Cut,
	pins: ReadonlySet<string>,
): { entry: string; why: string }[] {
	const end = nodeOf(state.tree, through.to)?.depth ?? -1;
	const compaction = compactionAt(state.tree, at.id);
	const held = new Map<string, { node: EntryNode; why: string }>();
	const hold = (node: EntryNode | undefined, why: string) => {
		if (node && node.depth <= end && isShown(node, compaction) && !held.has(node.id))
			held.set(node.id, { node, why });
	};
	const holdChain = (last: "lastSystem" | "lastKept", why: string) => {
		let node = nodeOf(state.tree, at[last]);
		for (
			;
			node && isShown(node, compaction);
			node = nodeOf(state.tree, nodeOf(state.tree, node.parent)?.[last] ?? null)
		)
			hold(node, why);
	};
	holdChain("lastSystem", "system message");
	hold(nodeOf(state.tree, at.lastUser), "last user message");
	for (const entry of pins) {
		const node = nodeOf(state.tree, entry);
		hold(node, "pinned");
		if (!node || node.opens.length === 0 || node.depth > end) continue;
		// a result that came once its call was pinned goes with it
		for (const result of unitWithin(state, through, node)) hold(result, "pinned");
	}
	holdChain("lastKept", "of a tool that is kept raw");
	for (const node of memoryInForce(state.tree, at)) hold(node, "tells what is remembered");
	return [...held.values()]
		.sort((a, b) => a.node.depth - b.node.depth)
		.map(({ node, why }) => ({ entry: node.id, why }));
}

/** Tokens of the whole prompt at a leaf under a commit. */
export function promptTokens(state: DecisionState, leaf: string | null, plan: Plan | undefined): number {
	return state.calibration.base + tokensOf(state.calibration, windowWeight(state, leaf, plan));
}

/** Tokens behind a cut, less what an emergency clipped from them. */
function rawBehind(state: DecisionState, at: EntryNode, cut: Cut): number {
	const raw = weightBehind(state.tree, at.id, cut.to);
	const plan = planAt(state, at.id);
	if (!plan?.emergency) return tokensOf(state.calibration, raw);
	const to = nodeOf(state.tree, cut.to)?.depth ?? -1;
	const hidden = hiddenDepth(compactionAt(state.tree, at.id), to);
	const clipped = clippedFrom(state.tree, plan.clips, hidden, editsAt(state.tree, at.id, hidden));
	const weight = { chars: raw.chars - clipped.chars, images: raw.images - clipped.images };
	return tokensOf(state.calibration, weight);
}
