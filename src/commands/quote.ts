import type { Quote } from "../../events/commit.ts";
import type { Valuation } from "../../events/valuation.ts";
import { tokensOf } from "../../projections/calibration.ts";
import { weightBehind } from "../../projections/host-view.ts";
import { lastSent, waitingSince } from "../../projections/ledger.ts";
import { BARE_PLAN, type Plan, type TextInView } from "../../projections/plans.ts";
import { promptPrice, UNPRICED } from "../../projections/price.ts";
import { reasoningOf } from "../../projections/rules.ts";
import { nodeOf, type Weight } from "../../projections/session-tree.ts";
import { fixedAt, headItems, itemKey, weightOf } from "../../projections/window-plan.ts";
import { clippableBehind } from "./clippable.ts";
import { type Candidate, type DecisionState, headPlanOf, promptTokens } from "./commit-candidate.ts";

/** Everything a quote is made from. */
export type QuoteState = DecisionState;

/** How much dearer a commit is taken to be in a tool loop, where a rewrite strips thinking that is still of use. */
const IN_THOUGHT = 4 / 3;

/**
 * What a commit to a candidate would cost now and save at each later request, in the valuation's unit. `clips` says what
 * is left in view of clipped results; without it that is estimated. Thinking counts as taken only where it is gone
 * already, so that stripping never counts as saved.
 */
export function quoteFor(
	state: QuoteState,
	leaf: string | null,
	plan: Plan | undefined,
	candidate: Candidate,
	clips?: ReadonlyMap<string, TextInView>,
): Quote {
	const valuation = state.rules.valuation ?? UNPRICED;
	const before = promptTokens(state, leaf, plan);
	const { parent, reasoning } = plan ?? BARE_PLAN;
	const clipped = clips ?? estimatedClips(state, leaf, candidate);
	const head = { ...headPlanOf(state, leaf, candidate), parent, reasoning, clips: clipped };
	const fixed = fixedAt(state, leaf, head);
	const after =
		state.calibration.base + tokensOf(state.calibration, weightUnder(state, leaf, candidate, fixed));
	const kept = Math.min(after, keptTokens(state, leaf, plan, candidate, valuation));
	const waited = waitingSince(state.ledger, plan?.commit ?? undefined);
	const saves = promptPrice(valuation, before, 0) - promptPrice(valuation, after, 0);
	return {
		unit: valuation.unit,
		before,
		after,
		freed: before - after,
		rewritten: after - kept,
		cost: promptPrice(valuation, kept, after - kept) - promptPrice(valuation, after, 0),
		saves,
		held: waited.cost + Math.max(0, saves),
		waited: waited.requests + 1,
		factor: stripsLiveThought(state, leaf) ? IN_THOUGHT : 1,
	};
}

/**
 * Whether no live cache shares a prefix with the window to send: nothing went to this model with this commit in force
 * within the cache's lifetime: what was decided since only breaks that prefix in its middle. A clock that jumped back
 * counts as no time.
 */
export function isCold(
	state: QuoteState,
	request: Sending & { at: number },
	commit: string | undefined,
): boolean {
	return request.at > warmUntil(state, request, commit);
}

/** What is to be sent, as far as caches are told apart by it. */
interface Sending {
	readonly leaf: string | null;
	readonly model: string;
	readonly warmedAt?: number | undefined;
}

/**
 * The last moment at which the window to send is not cold, ms since the epoch; that of no request where nothing was
 * sent. Where this log saw no request at all, as in a fork, the last reply on the path tells of one.
 */
export function warmUntil(state: QuoteState, request: Sending, commit: string | undefined): number {
	const { last } = state.ledger;
	const sent = last ? lastSent(state.ledger, request.model, commit)?.at : repliedAt(state, request.leaf);
	if (sent === undefined) return Number.NEGATIVE_INFINITY;
	const isLast = !last || (last.model === request.model && last.commit === commit);
	const alive = Math.max(sent, (isLast ? request.warmedAt : undefined) ?? 0);
	return alive + (state.rules.valuation ?? UNPRICED).lifetimeMs;
}

/** When the last reply on the path to a leaf came, if no decision changed the window behind it. O(entries behind it). */
function repliedAt({ tree }: QuoteState, leaf: string | null): number | undefined {
	const end = nodeOf(tree, leaf);
	let node = end;
	while (node && !(node.role === "assistant" && node.fate === "sent")) node = nodeOf(tree, node.parent);
	return node?.decision === end?.decision ? node?.at : undefined;
}

/** Characters a clipped result is taken to keep in view, before it is clipped. */
const CLIP_KEEPS = 560;

/** What a commit clips, before anything is put into words. */
function estimatedClips(
	state: QuoteState,
	leaf: string | null,
	{ through }: Candidate,
): ReadonlyMap<string, TextInView> {
	return new Map(
		clippableBehind(state, leaf, through).map(({ id, weight }) => [
			id,
			{ text: "", chars: Math.min(CLIP_KEEPS, weight.chars) },
		]),
	);
}

function stripsLiveThought(state: QuoteState, leaf: string | null): boolean {
	return reasoningOf(state.rules) === "strip" && nodeOf(state.tree, leaf)?.role === "result";
}

function weightUnder(state: QuoteState, leaf: string | null, candidate: Candidate, fixed: Weight): Weight {
	const raw = weightBehind(state.tree, leaf, candidate.through?.to ?? null);
	return { chars: fixed.chars + raw.chars, images: fixed.images + raw.images };
}

/**
 * Tokens at the start of the new window that a cache of the old one still serves: on a longest-prefix cache as far as
 * both heads read alike; else, and where nothing is folded yet, what stands before the first cut.
 */
function keptTokens(
	state: QuoteState,
	leaf: string | null,
	plan: Plan | undefined,
	candidate: Candidate,
	valuation: Valuation,
): number {
	const origin = nodeOf(state.tree, candidate.through?.origin ?? null)?.depth ?? 0;
	const old =
		plan?.through && valuation.cache === "prefix" ? headItems(state, leaf, plan).map(itemKey) : undefined;
	const next = headItems(state, leaf, headPlanOf(state, leaf, candidate));
	let chars = 0;
	let images = 0;
	for (const [index, item] of next.entries()) {
		const opens = item.kind === "entry" && (item.node.keeps !== undefined || item.node.depth < origin);
		if (old ? old[index] !== itemKey(item) : !opens) break;
		const weight = weightOf(item);
		chars += weight.chars;
		images += weight.images;
	}
	return state.calibration.base + tokensOf(state.calibration, { chars, images });
}
