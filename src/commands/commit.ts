import type { CommitObservedEvent, Trigger } from "../../events/commit.ts";
import type { RequestEvent } from "../../events/request.ts";
import { thoughtBetween } from "../../projections/edits.ts";
import { cutOf } from "../../projections/forest.ts";
import { isObserved, requestsSoFar } from "../../projections/ledger.ts";
import { budgetOf, reasoningOf } from "../../projections/rules.ts";
import { planAt } from "../../projections/window-plan.ts";
import { candidateThrough, promptTokens, withdrawnUpTo } from "./commit-candidate.ts";
import { type CommitEvents, commitTo, type RequestCommand } from "./commit-made.ts";
import {
	commitForBytes,
	commitTighter,
	foldsByItself,
	isForcedByBytes,
	isOverBytes,
} from "./commit-tighter.ts";
import { newerCandidate, type Offer, offerAt } from "./offer.ts";
import { triggerOf } from "./policy.ts";
import { isCold, type QuoteState, warmUntil } from "./quote.ts";

/** A commit where the policy in force asks for one; nothing otherwise. */
export function commitIfDue(state: QuoteState, request: RequestCommand): CommitEvents {
	if (!foldsByItself(state)) return [];
	const forced = commitForBytes(state, request);
	if (forced.length > 0) return forced;
	const due = dueAt(state, request);
	return due ? commitTo(state, request, due.plan, due.candidate, due.trigger) : [];
}

/** What {@link commitIfDue} would do, once, where the user wishes to watch only; nothing otherwise. */
export function observeIfDue(state: QuoteState, request: RequestCommand): CommitObservedEvent[] {
	const due = state.rules.settings.observe ? dueAt(state, request) : undefined;
	if (!due) return [];
	const { plan, candidate, quote, trigger } = due;
	const { id: through, number: cut } = candidate.through;
	if (isObserved(state.ledger, plan?.commit ?? undefined, through)) return [];
	const data = {
		parent: request.leaf,
		before: plan?.commit ?? null,
		trigger,
		policy: state.rules.settings.policy,
		through,
		cut,
		quote,
	};
	return [{ type: "commit/observed", data }];
}

/** When and where a request is about to be sent. */
export type Occurring = Pick<RequestCommand, "at" | "leaf" | "model" | "warmedAt" | "owed" | "offer">;

/**
 * Whether the window of the next request will be within what the model takes, by our estimate, a commit that is due at
 * it made, or the one that would be made should it be refused; never where the session is the host's to compact.
 * `mayCommit`: whether one could be made at all.
 */
export function windowFits(state: QuoteState, request: RequestCommand, mayCommit: boolean): boolean {
	const { rules } = state;
	const { leaf } = request;
	if (rules.settings.policy === "off" || rules.suspended?.mode === "off") return false;
	const commits = mayCommit && foldsByItself(state);
	const due = commits ? dueAt(state, request) : undefined;
	const tokens = due?.quote.after ?? promptTokens(state, leaf, planAt(state, leaf));
	const most = Math.min(budgetOf(rules), rules.valuation?.window ?? Number.POSITIVE_INFINITY);
	if (isOverBytes(state, leaf) && !(commits && commitForBytes(state, request).length > 0)) return false;
	if (tokens <= most) return true;
	const [tighter] = commits ? commitTighter(state, request, "tokens") : [];
	return tighter?.type === "commit/applied" && tighter.data.quote.after <= most;
}

/** What a commit at a request would be, and why the policy would make it, if it would. */
export interface Prospect extends Offer {
	readonly cold: boolean;
	readonly trigger: Trigger | undefined;
}

/** Requests for which what was taken back is not folded again, unless the window is over its budget. */
const UNDO_LASTS = 8;

/** What a commit at a request would be; `undefined` where nothing is foldable. */
export function prospectAt(state: QuoteState, request: Occurring): Prospect | undefined {
	const offer = offerFor(state, request);
	if (!offer) return undefined;
	const { plan, quote } = offer;
	const cold = isCold(state, request, plan?.commit ?? undefined);
	const asked = triggerOf(state.rules.settings, {
		quote,
		cold,
		budget: budgetOf(state.rules),
		window: state.rules.valuation?.window,
	});
	const rests = requestsSoFar(state.ledger) - (plan?.undoneAt ?? Number.NEGATIVE_INFINITY) < UNDO_LASTS;
	const trigger = rests && quote.before < budgetOf(state.rules) ? undefined : asked;
	return { ...offer, cold, trigger: trigger ?? request.owed };
}

/**
 * The last moment, ms since the epoch, up to which the policy asks for no commit, be it to make it or to watch, should
 * nothing else change; `undefined` where it asks for one at the request.
 */
export function notDueUntil(state: QuoteState, request: Occurring): number | undefined {
	if (dueAt(state, request) || (foldsByItself(state) && isForcedByBytes(state, request.leaf)))
		return undefined;
	const commit = planAt(state, request.leaf)?.commit ?? undefined;
	const isNever = isCold(state, request, commit) || !offerFor(state, request);
	return isNever ? Number.POSITIVE_INFINITY : warmUntil(state, request, commit);
}

function offerFor(state: QuoteState, { leaf, offer }: Occurring): Offer | undefined {
	return offer ? offer() : offerAt(state, leaf);
}

function dueAt(state: QuoteState, request: Occurring) {
	if (state.rules.suspended) return undefined;
	const { plan, candidate, quote, trigger } = prospectAt(state, request) ?? {};
	return trigger && candidate && quote && { plan, candidate, quote, trigger };
}

/**
 * A commit because someone asked for one, however little it frees; through one cut where that is named, whatever that
 * leaves raw. Nothing where nothing is foldable, or that cut is folded or on another branch.
 */
export function commitNow(state: QuoteState, request: RequestCommand, through?: string): CommitEvents {
	const plan = planAt(state, request.leaf);
	const number = cutOf(state.forest, through ?? null)?.number ?? 0;
	const named = number > (plan?.cut ?? 0) ? candidateThrough(state, request.leaf, number) : undefined;
	// a cut of another branch may have the number of one here
	const isHere = named?.through?.id === through;
	const candidate = through === undefined ? newerCandidate(state, request.leaf, plan) : isHere && named;
	return candidate ? commitTo(state, request, plan, candidate, "user") : [];
}

/**
 * The commit in force again, with thinking treated as the rules now say, down to the leaf: the provider refused what it
 * was sent. What is open stays so, and what was withdrawn is put back, as at any commit. Nothing where that changes
 * nothing.
 */
export function commitForReasoning(state: QuoteState, request: RequestCommand): CommitEvents {
	const plan = planAt(state, request.leaf);
	if (!plan?.commit) return [];
	const mode = reasoningOf(state.rules);
	const strips = mode === "strip" && thoughtBetween(state.tree, plan.parent, request.leaf, []) > 0;
	if (plan.reasoning === mode && !strips) return [];
	const requests = requestsSoFar(state.ledger);
	const withdrawn = withdrawnUpTo(state, plan, plan.cut).map((cut) => [cut, requests] as const);
	const open = new Map([...plan.expanded, ...withdrawn]);
	const candidate = candidateThrough(state, request.leaf, plan.cut, open);
	return candidate ? commitTo(state, request, plan, candidate, "reasoning") : [];
}

/** The record of a request that goes out now, with what waiting for a commit costs at it. */
export function prepareRequest(
	state: QuoteState,
	request: RequestCommand & {
		window: string;
		items: number;
		change?: { item: number; cause: string } | undefined;
	},
): Extract<RequestEvent, { type: "request/prepared" }> {
	const plan = planAt(state, request.leaf);
	const quote = offerFor(state, request)?.quote;
	const foldable = Math.max(0, quote?.freed ?? 0);
	return {
		type: "request/prepared",
		data: {
			request: state.ledger.requests + 1,
			at: request.at,
			leaf: request.leaf,
			...(plan?.commit && { commit: plan.commit }),
			model: request.model,
			window: request.window,
			items: request.items,
			tokens: Math.round(promptTokens(state, request.leaf, plan)),
			foldable: Math.round(foldable),
			holding: Math.max(0, quote?.saves ?? 0),
			cold: isCold(state, request, plan?.commit ?? undefined),
			...(request.change && { change: request.change }),
		},
	};
}
