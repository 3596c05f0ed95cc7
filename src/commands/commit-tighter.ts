import type { Trigger } from "../../events/commit.ts";
import { tokensOf } from "../../projections/calibration.ts";
import { cutOf } from "../../projections/forest.ts";
import type { TextInView } from "../../projections/plans.ts";
import { budgetOf } from "../../projections/rules.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { imageBytes } from "../../projections/window-bytes.ts";
import { planAt } from "../../projections/window-plan.ts";
import { clippableBehind, clippableInEmergency, type Reach } from "./clippable.ts";
import {
	bytesOf,
	type Candidate,
	candidateAt,
	candidateThrough,
	headPlanOf,
	promptTokens,
	type Size,
} from "./commit-candidate.ts";
import { type CommitEvents, commitTo, type RequestCommand } from "./commit-made.ts";
import { type QuoteState, quoteFor } from "./quote.ts";

/** What a provider refused a request for: its tokens, or its bytes and images. */
export type Excess = "tokens" | "bytes";

/** A refused request is taken to be this much too large at least: the next is to hold no more than this share of it. */
const TIGHTER = 0.6;

/** A commit frees at least this share of a window that was refused, or something else had better be done. */
const LEAST_SHARE = 0.02;

/** Share of the bytes a provider takes at which a commit is forced; text takes some more than a byte a character. */
const FORCED_BYTES = 0.8;

/** Share of these bytes that a forced commit leaves. */
const LEFT_BYTES = 0.5;

/** Characters that are left of a clipped result at most, and of the note in place of images. */
const KEPT = 640;
const NOTE = 130;

const UNBOUNDED = Number.POSITIVE_INFINITY;

/**
 * A commit because the provider refused a request as too large: as deep as need be; if that does not do, the largest
 * results and images are clipped wherever they stand, with nothing new folded where nothing can be; then the newest
 * exchange is folded, and the last images the user sent are clipped, too. Nothing where even that frees hardly anything,
 * or where nothing is to be folded by itself.
 */
export function commitTighter(state: QuoteState, request: RequestCommand, excess: Excess): CommitEvents {
	if (!foldsByItself(state)) return [];
	const before = sizeAt(state, request.leaf);
	const limit = state.rules.valuation?.requestBytes ?? UNBOUNDED;
	const ceiling: Size =
		excess === "tokens"
			? { tokens: Math.min(before.tokens * TIGHTER, budgetOf(state.rules)), bytes: UNBOUNDED }
			: { tokens: UNBOUNDED, bytes: Math.min(before.bytes, limit) * TIGHTER };
	const best = bestOf(state, request, ceiling, attempts(state, request.leaf, ceiling, true));
	const freed = best ? before[excess] - best.size[excess] : 0;
	return best && freed > Math.max(0, before[excess] * LEAST_SHARE)
		? commitOf(state, request, best, "overflow")
		: [];
}

/**
 * A commit before the images in the window become more bytes than the provider takes in a request; nothing while they
 * are not. What the model has not answered yet stays.
 */
export function commitForBytes(state: QuoteState, request: RequestCommand): CommitEvents {
	if (!isForcedByBytes(state, request.leaf)) return [];
	const limit = state.rules.valuation?.requestBytes ?? UNBOUNDED;
	const before = sizeAt(state, request.leaf);
	const ceiling = { tokens: UNBOUNDED, bytes: limit * LEFT_BYTES };
	const best = bestOf(state, request, ceiling, attempts(state, request.leaf, ceiling, false));
	const freed = best ? before.bytes - best.size.bytes : 0;
	return best && freed >= limit * LEAST_SHARE ? commitOf(state, request, best, "budget") : [];
}

/** Whether the images in the window at a leaf are nearly more bytes than the provider takes in a request. */
export function isForcedByBytes(state: QuoteState, leaf: string | null): boolean {
	const limit = state.rules.valuation?.requestBytes;
	if (limit === undefined || !nodeOf(state.tree, leaf)?.totalImageBytes) return false;
	return sizeAt(state, leaf).bytes >= limit * FORCED_BYTES;
}

/** Whether the images in the window at a leaf are more bytes than the provider takes in a request. */
export function isOverBytes(state: QuoteState, leaf: string | null): boolean {
	return sizeAt(state, leaf).bytes > (state.rules.valuation?.requestBytes ?? UNBOUNDED);
}

/** Whether commits come by themselves, here and now. */
export function foldsByItself({ rules: { settings, suspended } }: Pick<QuoteState, "rules">): boolean {
	return suspended === null && settings.policy !== "off" && !settings.observe;
}

/** One way to make a window smaller. */
interface Attempt {
	readonly candidate: Candidate;
	readonly clipped: readonly EntryNode[];
}

type Tried = Attempt & { readonly size: Size };

/** Ways to make the window at a leaf smaller, those that take least first. */
function* attempts(
	state: QuoteState,
	leaf: string | null,
	ceiling: Size,
	isRefused: boolean,
): Generator<Attempt> {
	const plan = planAt(state, leaf);
	const cut = plan?.cut ?? 0;
	const deepest = candidateAt(state, leaf, ceiling);
	const deeper = (deepest?.through?.number ?? 0) > cut ? deepest : undefined;
	if (deeper) yield { candidate: deeper, clipped: clippableBehind(state, leaf, deeper.through) };
	const open = isRefused ? new Map<string, number>() : (plan?.expanded ?? new Map());
	const same = deeper ?? candidateThrough(state, leaf, cut, open);
	const sparing = { unseen: isRefused, lastUser: false };
	if (same) yield picked(state, leaf, same, ceiling, sparing);
	if (!isRefused) return;
	const newest = cutOf(state.forest, nodeOf(state.tree, leaf)?.cut ?? null)?.number ?? 0;
	const all = newest > (same?.through?.number ?? 0) ? candidateThrough(state, leaf, newest, open) : undefined;
	if (all) yield picked(state, leaf, all, ceiling, sparing);
	const last = all ?? same;
	if (last) yield picked(state, leaf, last, ceiling, { ...sparing, lastUser: true });
}

/** A candidate with as much clipped as brings the window under the ceiling, the largest first. */
function picked(
	state: QuoteState,
	leaf: string | null,
	candidate: Candidate,
	ceiling: Size,
	reach: Reach,
): Attempt {
	const clipped = clippableBehind(state, leaf, candidate.through);
	const known = new Set(clipped.map(({ id }) => id));
	const kept = new Map(
		clipped.map(({ id, weight }) => [id, { text: "", chars: Math.min(KEPT, weight.chars) }]),
	);
	let { tokens, bytes } = sizeUnder(state, leaf, candidate, kept);
	const by: Excess = tokens > ceiling.tokens ? "tokens" : "bytes";
	for (const tier of clippableInEmergency(state, leaf, candidate.through, reach)) {
		const sized = tier.map((node) => ({ node, saves: savedBy(state, node) }));
		sized.sort((a, b) => b.saves[by] - a.saves[by] || a.node.depth - b.node.depth);
		for (const { node, saves } of sized) {
			if (tokens <= ceiling.tokens && bytes <= ceiling.bytes) break;
			if (saves[by] <= 0 || known.has(node.id)) continue;
			clipped.push(node);
			tokens -= saves.tokens;
			bytes -= saves.bytes;
		}
	}
	return { candidate, clipped: clipped.sort((a, b) => a.depth - b.depth) };
}

/** What clipping an entry frees at least. */
function savedBy(state: QuoteState, { role, weight, imageBytes: bytes }: EntryNode): Size {
	const chars = role === "result" ? weight.chars - Math.min(KEPT, weight.chars) : -NOTE;
	return {
		tokens: tokensOf(state.calibration, { chars, images: weight.images }),
		bytes: chars + bytes,
	};
}

/** The first attempt that brings the window under the ceiling; else that which leaves least. */
function bestOf(
	state: QuoteState,
	{ leaf, clip }: RequestCommand,
	ceiling: Size,
	all: Iterable<Attempt>,
): Tried | undefined {
	const by: Excess = ceiling.tokens < UNBOUNDED ? "tokens" : "bytes";
	let best: Tried | undefined;
	for (const attempt of all) {
		const clips = new Map<string, TextInView>();
		for (const node of attempt.clipped) {
			const left = clip(node);
			if (left) clips.set(node.id, left);
		}
		const size = sizeUnder(state, leaf, attempt.candidate, clips);
		if (size.tokens <= ceiling.tokens && size.bytes <= ceiling.bytes) return { ...attempt, size };
		if (!best || size[by] < best.size[by]) best = { ...attempt, size };
	}
	return best;
}

function commitOf(
	state: QuoteState,
	request: RequestCommand,
	{ candidate, clipped }: Attempt,
	trigger: Trigger,
): CommitEvents {
	return commitTo(state, request, planAt(state, request.leaf), candidate, trigger, clipped);
}

function sizeAt(state: QuoteState, leaf: string | null): Size {
	const plan = planAt(state, leaf);
	const tokens = promptTokens(state, leaf, plan);
	return { tokens, bytes: bytesOf(state, tokens, imageBytes(state, leaf, plan)) };
}

function sizeUnder(
	state: QuoteState,
	leaf: string | null,
	candidate: Candidate,
	clips: ReadonlyMap<string, TextInView>,
): Size {
	const tokens = quoteFor(state, leaf, planAt(state, leaf), candidate, clips).after;
	const head = { ...headPlanOf(state, leaf, candidate), clips };
	return { tokens, bytes: bytesOf(state, tokens, imageBytes(state, leaf, head)) };
}
