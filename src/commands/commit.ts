import type { CommitEvent, CommitObservedEvent, Quote } from "../../events/commit.ts";
import type { FoldEvent } from "../../events/fold.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { ShownEvent } from "../../events/shown.ts";
import { standingParts } from "../../projections/forest.ts";
import { BARE_PLAN, type Plan, planUnder, type TextInView } from "../../projections/plans.ts";
import { UNPRICED } from "../../projections/price.ts";
import { budgetOf, reasoningOf } from "../../projections/rules.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { fixedAt, type Item, planAt, windowItems } from "../../projections/window-plan.ts";
import { decisionAt } from "./change.ts";
import {
	type Candidate,
	type Clipping,
	candidateAt,
	candidateThrough,
	clippableBehind,
	promptTokens,
	usualClipping,
} from "./commit-candidate.ts";
import { pendingCuts } from "./fold-path.ts";
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
	/** what is left in view of a result when it is clipped or released; absent where that would be no shorter */
	readonly clip: (entry: EntryNode) => TextInView | undefined;
	/** what the model is told of a commit */
	readonly receipt: (facts: ReceiptFacts) => TextInView;
	/** hex digest chaining the keys of a window's items */
	readonly digest: (items: readonly Item[]) => string;
}

/** What a receipt tells. */
export interface ReceiptFacts {
	/** cuts folded now that were not before */
	readonly folded: number;
	/** texts that stand in the window */
	readonly standing: number;
	readonly clipped: number;
	readonly released: number;
	/** cuts that wait for the next commit and have no brief by anyone, where the settings ask the model for some */
	readonly unbriefed: readonly { readonly fold: string; readonly brief: string }[];
}

type CommitEvents = (CommitEvent | FoldEvent | ShownEvent)[];

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

/** A refused request is taken to be this much too large at least: the next is to hold no more than this share of it. */
const TIGHTER = 0.6;

/** In an emergency results are clipped wherever they stand, the newest too, and shorter ones. */
const EMERGENCY: Clipping = { share: 1, least: 1_000, everywhere: true };

/**
 * A commit because the provider refused a request as too large: as deep as need be, and if that does not do, large
 * results and images are clipped wherever they stand, with nothing new folded where nothing can be. Nothing where even
 * that frees nothing.
 */
export function commitTighter(state: QuoteState, request: RequestCommand): CommitEvents {
	const plan = planAt(state, request.leaf);
	const before = promptTokens(state, request.leaf, plan);
	const ceiling = Math.min(before * TIGHTER, budgetOf(state.rules));
	const deeper = candidateAt(state, request.leaf, ceiling);
	const isNewer = deeper?.through !== undefined && deeper.through.number > (plan?.cut ?? 0);
	const candidate = isNewer ? deeper : candidateThrough(state, request.leaf, plan?.cut ?? 0, new Map());
	if (!candidate) return [];
	const usual = commitTo(state, request, plan, candidate, "overflow");
	if (isNewer && quoteIn(usual).after <= ceiling) return usual;
	const clipped = commitTo(state, request, plan, candidate, "overflow", EMERGENCY);
	return quoteIn(clipped).freed > 0 ? clipped : [];
}

/** The commit in force again, with thinking treated as the rules now say: the provider refused what it was sent. */
export function commitForReasoning(state: QuoteState, request: RequestCommand): CommitEvents {
	const plan = planAt(state, request.leaf);
	if (!plan?.through || plan.reasoning === reasoningOf(state.rules)) return [];
	const candidate = candidateThrough(state, request.leaf, plan.cut, plan.expanded);
	return candidate ? commitTo(state, request, plan, candidate, "reasoning") : [];
}

function quoteIn(events: CommitEvents) {
	const [first] = events;
	if (first?.type !== "commit/applied") throw new RangeError("no commit");
	return first.data.quote;
}

/** What a node says of the commit it carries, as far as the path alone does not. */
export interface CommitAgain {
	/** number of the last cut folded; 0 for none */
	readonly cut: number;
	/** folds it left open */
	readonly expanded: readonly string[];
	/** whether it clipped as in an emergency */
	readonly emergency: boolean;
	/** whether its receipt asked the model for briefs */
	readonly postFoldNotice: boolean;
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
): CommitEvents {
	const { settings, valuation } = state.rules;
	const { toolFoldThreshold, postFoldNotice } = node;
	const rules = {
		...state.rules,
		settings: { ...settings, toolFoldThreshold, postFoldNotice },
		valuation: { ...(valuation ?? UNPRICED), reasoning: node.reasoning },
		reasoning: new Map(),
	};
	const then = { ...state, rules };
	const { requests } = state.ledger;
	const expanded = new Map(node.expanded.map((fold) => [fold, requests]));
	const candidate = candidateThrough(then, request.leaf, node.cut, expanded);
	if (!candidate) return [];
	let proof = "";
	const digest = (items: readonly Item[]) => {
		proof = proofOf(items);
		return request.digest(items);
	};
	const plan = planAt(state, request.leaf);
	const clipping = node.emergency ? EMERGENCY : usualClipping(rules);
	const events = commitTo(then, { ...request, digest }, plan, candidate, "node", clipping);
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

function commitTo(
	state: QuoteState,
	request: RequestCommand,
	before: Plan | undefined,
	candidate: Candidate,
	trigger: Trigger,
	clipping = usualClipping(state.rules),
): CommitEvents {
	const { leaf } = request;
	const { through, held, expanded, refused, floor } = candidate;
	const clips = new Map<string, TextInView>();
	for (const node of clippableBehind(state, leaf, through, clipping)) {
		const clip = request.clip(node);
		if (clip) clips.set(node.id, clip);
	}
	const receipt = through && request.receipt(receiptFacts(state, leaf, before, candidate, clips));
	const data: Extract<CommitEvent, { type: "commit/applied" }>["data"] = {
		id: newId(state, `c${through?.number ?? 0}-${leaf ?? "root"}`),
		parent: leaf,
		on: decisionAt(state, leaf),
		trigger,
		policy: state.rules.settings.policy,
		through: through?.id ?? null,
		cut: through?.number ?? 0,
		before: before?.commit ?? null,
		fixed: { chars: 0, images: 0 },
		floor,
		quote: quoteFor(state, leaf, before, candidate, clips),
		held: held.map((exception) => ({ ...exception })),
		expanded: [...expanded].map(([fold, request]) => ({ fold, request })),
		refused: refused.slice(0, 16).map((refusal) => ({ ...refusal })),
		candidates: Math.max(0, (through?.number ?? 0) - (before?.cut ?? 0)),
		...(clipping.everywhere && { emergency: true }),
		reasoning: reasoningOf(state.rules),
		window: "",
	};
	const made = planUnder(before, { type: "commit/applied", data });
	const bare: Plan = { ...made, clips, ...(receipt && { receipt }) };
	const plan = { ...bare, fixed: fixedAt(state, leaf, bare) };
	data.fixed = { ...plan.fixed };
	data.window = request.digest(windowItems(state, leaf, plan));
	return [
		{ type: "commit/applied", data },
		...foldsMade(state, plan),
		...clipsMade(state, plan),
		...(receipt ? [receiptShown(plan, receipt)] : []),
	];
}

function receiptFacts(
	state: QuoteState,
	leaf: string | null,
	before: Plan | undefined,
	{ through, expanded }: Candidate,
	clips: ReadonlyMap<string, TextInView>,
): ReceiptFacts {
	const plan = before ?? BARE_PLAN;
	const standing = standingParts(state.forest, through?.id ?? null, { expanded, texts: plan.texts });
	const released = [...clips.keys()].filter((id) => nodeOf(state.tree, id)?.isPeek).length;
	const asks = state.rules.settings.postFoldNotice === true;
	const waiting = asks ? pendingCuts(state, leaf, { ...plan, cut: through?.number ?? 0 }) : [];
	return {
		folded: Math.max(0, (through?.number ?? 0) - plan.cut),
		standing: standing.filter(({ isOpen }) => !isOpen).length,
		clipped: clips.size - released,
		released,
		unbriefed: waiting.flatMap(({ id, texts }) =>
			plan.texts.has(id) ? [] : [{ fold: id, brief: texts[0]?.brief ?? "" }],
		),
	};
}

function receiptShown({ id }: Plan, { text, chars }: TextInView): ShownEvent {
	return { type: "shown/appended", data: { what: "receipt", text, chars, decision: id } };
}

/** One leaf may see two commits through one cut, on two branches that begin there; each keeps its own clips. */
function newId(state: QuoteState, name: string): string {
	let id = name;
	for (let n = 2; state.plans.commits.has(id); n++) id = `${name}~${n}`;
	return id;
}

function foldsMade(state: QuoteState, plan: Plan): FoldEvent[] {
	const events: FoldEvent[] = [];
	for (const { text, isOpen } of standingParts(state.forest, plan.through, plan)) {
		if (isOpen || state.plans.made.has(text.fold)) continue;
		const made = { fold: text.fold, commit: plan.id, text: text.text };
		if (text.level === 0) events.push({ type: "fold/made", data: made });
		else events.push({ type: "fold/grouped", data: { ...made, level: text.level } });
	}
	return events;
}

function clipsMade(state: QuoteState, { id: commit, clips }: Plan): FoldEvent[] {
	return [...clips].map(([entry, { text, chars }]) => {
		const type = nodeOf(state.tree, entry)?.isPeek ? ("fold/released" as const) : ("fold/clipped" as const);
		return { type, data: { entry, commit, text, chars } };
	});
}
