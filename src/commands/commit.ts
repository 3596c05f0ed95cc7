import type { CommitObservedEvent, Quote } from "../../events/commit.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { Plan } from "../../projections/plans.ts";
import { budgetOf, reasoningOf } from "../../projections/rules.ts";
import { planAt } from "../../projections/window-plan.ts";
import { type Candidate, candidateAt, candidateThrough, promptTokens } from "./commit-candidate.ts";
import { type CommitEvents, commitTo, type RequestCommand } from "./commit-made.ts";
import { type Trigger, triggerOf } from "./policy.ts";
import { isCold, type QuoteState, quoteFor } from "./quote.ts";

/** A commit where the policy in force asks for one; nothing otherwise. */
export function commitIfDue(state: QuoteState, request: RequestCommand): CommitEvents {
	const due = state.rules.settings.observe ? undefined : dueAt(state, request);
	return due ? commitTo(state, request, due.plan, due.candidate, due.trigger) : [];
}

/** What {@link commitIfDue} would do, where the user wishes to watch only; nothing otherwise. */
export function observeIfDue(state: QuoteState, request: RequestCommand): CommitObservedEvent[] {
	const due = state.rules.settings.observe ? dueAt(state, request) : undefined;
	if (!due) return [];
	const { plan, candidate, quote, trigger } = due;
	const data = {
		parent: request.leaf,
		before: plan?.commit ?? null,
		trigger,
		policy: state.rules.settings.policy,
		through: candidate.through?.id ?? null,
		cut: candidate.through?.number ?? 0,
		quote,
	};
	return [{ type: "commit/observed", data }];
}

/** When and where a request is about to be sent. */
export type Occurring = Pick<RequestCommand, "at" | "leaf" | "model" | "warmedAt" | "owed">;

/** Tokens the next request will hold, a commit that is due at it made. */
export function tokensToSend(state: QuoteState, request: Occurring): number {
	const due = state.rules.settings.observe ? undefined : dueAt(state, request);
	return due?.quote.after ?? promptTokens(state, request.leaf, planAt(state, request.leaf));
}

/** What a commit at a request would be, and why the policy would make it, if it would. */
export interface Prospect {
	readonly plan: Plan | undefined;
	readonly candidate: Candidate;
	readonly quote: Quote;
	readonly cold: boolean;
	readonly trigger: Trigger | undefined;
}

/** Requests for which what was taken back is not folded again, unless the window is full. */
const UNDO_LASTS = 8;

/** What a commit at a request would be; `undefined` where nothing is foldable. */
export function prospectAt(state: QuoteState, request: Occurring): Prospect | undefined {
	const plan = planAt(state, request.leaf);
	const candidate = newerCandidate(state, request.leaf, plan);
	if (!candidate) return undefined;
	const quote = quoteFor(state, request.leaf, plan, candidate);
	const cold = isCold(state, request, plan?.commit ?? undefined);
	const asked = triggerOf(state.rules.settings, { quote, cold, budget: budgetOf(state.rules) });
	const rests = state.ledger.requests - (plan?.undoneAt ?? Number.NEGATIVE_INFINITY) < UNDO_LASTS;
	const trigger = rests && asked !== "budget" ? undefined : asked;
	return { plan, candidate, quote, cold, trigger: trigger ?? request.owed };
}

function dueAt(state: QuoteState, request: Occurring) {
	if (state.rules.suspended) return undefined;
	const { plan, candidate, quote, trigger } = prospectAt(state, request) ?? {};
	return trigger && candidate && quote && { plan, candidate, quote, trigger };
}

/** A commit because someone asked for one, however little it frees; nothing where nothing is foldable. */
export function commitNow(state: QuoteState, request: RequestCommand): CommitEvents {
	const plan = planAt(state, request.leaf);
	const candidate = newerCandidate(state, request.leaf, plan);
	return candidate ? commitTo(state, request, plan, candidate, "user") : [];
}

/** The commit in force again, with thinking treated as the rules now say: the provider refused what it was sent. */
export function commitForReasoning(state: QuoteState, request: RequestCommand): CommitEvents {
	const plan = planAt(state, request.leaf);
	if (!plan?.through || plan.reasoning === reasoningOf(state.rules)) return [];
	const candidate = candidateThrough(state, request.leaf, plan.cut, plan.expanded);
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
	const candidate = newerCandidate(state, request.leaf, plan);
	const quote = candidate && quoteFor(state, request.leaf, plan, candidate);
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

function newerCandidate(
	state: QuoteState,
	leaf: string | null,
	plan: Plan | undefined,
): (Candidate & { through: NonNullable<Candidate["through"]> }) | undefined {
	const candidate = candidateAt(state, leaf);
	const { through } = candidate ?? {};
	return candidate && through && through.number > (plan?.cut ?? 0) ? { ...candidate, through } : undefined;
}
