import type { Quote } from "../../events/commit.ts";
import type { Valuation } from "../../events/valuation.ts";
import { tokensOf } from "../../projections/calibration.ts";
import type { Clip, Commit } from "../../projections/commits.ts";
import { weightBehind } from "../../projections/host-view.ts";
import { type Ledger, lastSent, waitingSince } from "../../projections/ledger.ts";
import { promptPrice, UNPRICED } from "../../projections/price.ts";
import { nodeOf, type Weight } from "../../projections/session-tree.ts";
import { headItems, itemKey, weightOf } from "../../projections/window-plan.ts";
import { type Candidate, clippableBehind, type DecisionState, promptTokens } from "./commit-candidate.ts";

/** Everything a quote is made from. */
export interface QuoteState extends DecisionState {
	readonly ledger: Ledger;
}

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
	commit: Commit | undefined,
	candidate: Candidate,
	clips?: ReadonlyMap<string, Clip>,
): Quote {
	const valuation = state.rules.valuation ?? UNPRICED;
	const before = promptTokens(state, leaf, commit);
	const fixed = unstrippedFixed(state, leaf, commit, candidate, clips);
	const after =
		state.calibration.base + tokensOf(state.calibration, weightUnder(state, leaf, candidate, fixed));
	const kept = Math.min(after, keptTokens(state, leaf, commit, candidate, valuation));
	const waited = waitingSince(state.ledger, commit?.id);
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
		factor: stripsLiveThought(state, leaf, valuation) ? IN_THOUGHT : 1,
	};
}

/**
 * Whether no live cache shares a prefix with the window to send: nothing went to this model with this commit in force
 * within the cache's lifetime. A clock that jumped back counts as no time.
 */
export function isCold(
	state: QuoteState,
	request: { at: number; model: string; warmedAt?: number | undefined },
	commit: Commit | undefined,
): boolean {
	const sent = lastSent(state.ledger, request.model, commit?.id);
	if (!sent) return true;
	const { last } = state.ledger;
	const isLast = last?.model === request.model && last.commit === commit?.id;
	const alive = Math.max(sent.at, (isLast ? request.warmedAt : undefined) ?? 0);
	return request.at - alive > (state.rules.valuation ?? UNPRICED).lifetimeMs;
}

/** Characters a clipped result is taken to keep in view, before it is clipped. */
const CLIP_KEEPS = 560;

/** Size of what stands before the raw tail, less what is clipped from it and what is stripped from it already. */
function unstrippedFixed(
	state: QuoteState,
	leaf: string | null,
	commit: Commit | undefined,
	candidate: Candidate,
	clips: ReadonlyMap<string, Clip> | undefined,
): Weight {
	let { chars, images } = candidate.head;
	for (const node of clippableBehind(state, leaf, candidate.through)) {
		const kept = clips ? clips.get(node.id)?.chars : CLIP_KEEPS;
		if (kept === undefined) continue;
		chars -= node.weight.chars - kept;
		images -= node.weight.images;
	}
	if (commit?.reasoning === "strip") {
		const folded = nodeOf(state.tree, candidate.through.to)?.thought ?? 0;
		chars -= Math.max(0, (nodeOf(state.tree, commit.parent)?.thought ?? 0) - folded);
	}
	return { chars, images };
}

function stripsLiveThought(state: QuoteState, leaf: string | null, valuation: Valuation): boolean {
	return valuation.reasoning === "strip" && nodeOf(state.tree, leaf)?.role === "result";
}

function weightUnder(state: QuoteState, leaf: string | null, candidate: Candidate, fixed: Weight): Weight {
	const raw = weightBehind(state.tree, leaf, candidate.through.to);
	return { chars: fixed.chars + raw.chars, images: fixed.images + raw.images };
}

/**
 * Tokens at the start of the new window that a cache of the old one still serves: on a longest-prefix cache as far as
 * both heads read alike; else, and where nothing is folded yet, what stands before the first cut.
 */
function keptTokens(
	state: QuoteState,
	leaf: string | null,
	commit: Commit | undefined,
	{ through, held }: Candidate,
	valuation: Valuation,
): number {
	const origin = nodeOf(state.tree, through.origin)?.depth ?? 0;
	const old =
		commit && valuation.cache === "prefix" ? headItems(state, leaf, commit).map(itemKey) : undefined;
	const next = headItems(state, leaf, { through: through.id, held: held.map(({ entry }) => entry) });
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
