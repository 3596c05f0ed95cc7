import type { CommitEvent, Quote } from "../../events/commit.ts";
import type { FoldEvent } from "../../events/fold.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { Clip, Commit } from "../../projections/commits.ts";
import { standingTexts } from "../../projections/forest.ts";
import { UNPRICED } from "../../projections/price.ts";
import { budgetOf } from "../../projections/rules.ts";
import type { EntryNode } from "../../projections/session-tree.ts";
import { commitAt, type Item, windowItems } from "../../projections/window-plan.ts";
import {
	type Candidate,
	candidateAt,
	candidateThrough,
	clippableBehind,
	fixedWeight,
	promptTokens,
} from "./commit-candidate.ts";
import { type Trigger, triggerOf } from "./policy.ts";
import { isCold, type QuoteState, quoteFor } from "./quote.ts";

/** A request about to be sent, and what the decider needs of the world to decide about its window. */
export interface RequestCommand {
	/** start of the request, ms since the epoch */
	readonly at: number;
	readonly leaf: string | null;
	/** provider/model that will answer */
	readonly model: string;
	/** when the cache of the last window was last kept warm */
	readonly warmedAt?: number | undefined;
	/** why a commit is to come although the policy may not ask for it any more */
	readonly owed?: Trigger | undefined;
	/** what is left in view of a result when it is clipped; absent where that would be no shorter */
	readonly clip: (entry: EntryNode) => Clip | undefined;
	/** hex digest chaining the keys of a window's items */
	readonly digest: (items: readonly Item[]) => string;
}

/** A commit where the policy in force asks for one; nothing otherwise. */
export function commitIfDue(state: QuoteState, request: RequestCommand): (CommitEvent | FoldEvent)[] {
	const due = dueAt(state, request);
	return due ? commitTo(state, request, due.commit, due.candidate, due.trigger) : [];
}

/** When and where a request is about to be sent. */
export type Occurring = Pick<RequestCommand, "at" | "leaf" | "model" | "warmedAt" | "owed">;

/** Tokens the next request will hold, a commit that is due at it made. */
export function tokensToSend(state: QuoteState, request: Occurring): number {
	const due = dueAt(state, request);
	return due?.quote.after ?? promptTokens(state, request.leaf, commitAt(state, request.leaf));
}

/** What a commit at a request would be, and why the policy would make it, if it would. */
export interface Prospect {
	readonly commit: Commit | undefined;
	readonly candidate: Candidate;
	readonly quote: Quote;
	readonly cold: boolean;
	readonly trigger: Trigger | undefined;
}

/** What a commit at a request would be; `undefined` where nothing is foldable. */
export function prospectAt(state: QuoteState, request: Occurring): Prospect | undefined {
	const commit = commitAt(state, request.leaf);
	const candidate = newerCandidate(state, request.leaf, commit);
	if (!candidate) return undefined;
	const quote = quoteFor(state, request.leaf, commit, candidate);
	const cold = isCold(state, request, commit);
	const asked = triggerOf(state.rules.settings, { quote, cold, budget: budgetOf(state.rules) });
	return { commit, candidate, quote, cold, trigger: asked ?? request.owed };
}

function dueAt(state: QuoteState, request: Occurring) {
	const { commit, candidate, quote, trigger } = prospectAt(state, request) ?? {};
	return trigger && candidate && quote && { commit, candidate, quote, trigger };
}

/** A commit because someone asked for one, however little it frees; nothing where nothing is foldable. */
export function commitNow(state: QuoteState, request: RequestCommand): (CommitEvent | FoldEvent)[] {
	const commit = commitAt(state, request.leaf);
	const candidate = newerCandidate(state, request.leaf, commit);
	return candidate ? commitTo(state, request, commit, candidate, "user") : [];
}

/** What a node says of the commit it carries, as far as the path alone does not. */
export interface CommitAgain {
	/** number of the last cut folded */
	readonly cut: number;
	readonly toolFoldThreshold: number;
	readonly reasoning: "keep" | "strip";
	/** proof of the window it made */
	readonly window: string;
}

/**
 * Makes a commit again where its node was met: in a fork, or beside a store that is gone. Nothing where the path does
 * not give the window the node tells of, item by item.
 */
export function commitAgain(
	state: QuoteState,
	request: RequestCommand,
	node: CommitAgain,
	proofOf: (items: readonly Item[]) => string,
): (CommitEvent | FoldEvent)[] {
	const { settings, valuation } = state.rules;
	const rules = {
		settings: { ...settings, toolFoldThreshold: node.toolFoldThreshold },
		valuation: { ...(valuation ?? UNPRICED), reasoning: node.reasoning },
	};
	const then = { ...state, rules };
	const candidate = candidateThrough(then, request.leaf, node.cut);
	if (!candidate) return [];
	let proof = "";
	const digest = (items: readonly Item[]) => {
		proof = proofOf(items);
		return request.digest(items);
	};
	const events = commitTo(then, { ...request, digest }, commitAt(state, request.leaf), candidate, "node");
	return proof === node.window ? events : [];
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
	const commit = commitAt(state, request.leaf);
	const candidate = newerCandidate(state, request.leaf, commit);
	const quote = candidate && quoteFor(state, request.leaf, commit, candidate);
	const foldable = Math.max(0, quote?.freed ?? 0);
	return {
		type: "request/prepared",
		data: {
			request: state.ledger.requests + 1,
			at: request.at,
			leaf: request.leaf,
			...(commit && { commit: commit.id }),
			model: request.model,
			window: request.window,
			items: request.items,
			tokens: Math.round(promptTokens(state, request.leaf, commit)),
			foldable: Math.round(foldable),
			holding: Math.max(0, quote?.saves ?? 0),
			cold: isCold(state, request, commit),
			...(request.change && { change: request.change }),
		},
	};
}

function newerCandidate(
	state: QuoteState,
	leaf: string | null,
	commit: Commit | undefined,
): Candidate | undefined {
	const candidate = candidateAt(state, leaf);
	return candidate && candidate.through.number > (commit?.cut ?? 0) ? candidate : undefined;
}

function commitTo(
	state: QuoteState,
	request: RequestCommand,
	before: Commit | undefined,
	candidate: Candidate,
	trigger: Trigger,
): (CommitEvent | FoldEvent)[] {
	const { leaf } = request;
	const clips = new Map<string, Clip>();
	for (const node of clippableBehind(state, leaf, candidate.through)) {
		const clip = request.clip(node);
		if (clip) clips.set(node.id, clip);
	}
	const fixed = fixedWeight(state, leaf, candidate, clips);
	const reasoning = state.rules.valuation?.reasoning ?? "keep";
	const { through, held } = candidate;
	const commit: Commit = {
		id: newId(state, `c${through.number}-${leaf ?? "root"}`),
		parent: leaf,
		before: before?.id ?? null,
		through: through.id,
		cut: through.number,
		held: held.map(({ entry }) => entry),
		clips,
		reasoning,
		fixed,
	};
	const applied: CommitEvent = {
		type: "commit/applied",
		data: {
			id: commit.id,
			parent: leaf,
			trigger,
			policy: state.rules.settings.policy,
			through: through.id,
			cut: through.number,
			before: commit.before,
			fixed: { ...fixed },
			floor: candidate.floor,
			quote: quoteFor(state, leaf, before, candidate, clips),
			held: held.map((exception) => ({ ...exception })),
			refused: candidate.refused.slice(0, 16).map((refusal) => ({ ...refusal })),
			candidates: through.number - (before?.cut ?? 0),
			reasoning,
			window: request.digest(windowItems(state, leaf, commit)),
		},
	};
	return [applied, ...foldsMade(state, commit), ...clipsMade(commit)];
}

/** One leaf may see two commits through one cut, on two branches that begin there; each keeps its own clips. */
function newId(state: QuoteState, name: string): string {
	let id = name;
	for (let n = 2; state.commits.byId.has(id); n++) id = `${name}~${n}`;
	return id;
}

function foldsMade(state: QuoteState, commit: Commit): FoldEvent[] {
	const events: FoldEvent[] = [];
	for (const { text } of standingTexts(state.forest, commit.through)) {
		if (state.commits.made.has(text.fold)) continue;
		const made = { fold: text.fold, commit: commit.id, text: text.text };
		events.push(
			text.level === 0
				? { type: "fold/made", data: made }
				: { type: "fold/grouped", data: { ...made, level: text.level } },
		);
	}
	return events;
}

function clipsMade(commit: Commit): FoldEvent[] {
	return [...commit.clips].map(([entry, { text, chars }]) => ({
		type: "fold/clipped",
		data: { entry, commit: commit.id, text, chars },
	}));
}
