import type { CommitEvent, Trigger } from "../../events/commit.ts";
import type { FoldEvent } from "../../events/fold.ts";
import type { ShownEvent } from "../../events/shown.ts";
import {
	BARE_PLAN,
	type Plan,
	planUnder,
	type ReceiptInView,
	type TextInView,
} from "../../projections/plans.ts";
import { reasoningOf, type Settings } from "../../projections/rules.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { isTextShown, rewritingsAt, rewritten, standingAt } from "../../projections/standing.ts";
import { fixedAt, type Item, windowItems } from "../../projections/window-plan.ts";
import { decisionAt } from "./change.ts";
import { clippableBehind, usuallyClipped } from "./clippable.ts";
import { type Candidate, withdrawnUpTo } from "./commit-candidate.ts";
import { pendingCuts } from "./fold-path.ts";
import type { Offer } from "./offer.ts";
import { type QuoteState, quoteFor } from "./quote.ts";

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
	/** gives what `offerAt` gives at the leaf, where that is kept; found out anew where absent */
	readonly offer?: (() => Offer | undefined) | undefined;
	/** what is left in view of a result when it is clipped or released; absent where that would be no shorter */
	readonly clip: (entry: EntryNode) => TextInView | undefined;
	/** what the model is told of a commit */
	readonly receipt: (facts: ReceiptFacts) => ReceiptInView;
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
	/** how long a work summary it carries; absent where it carries none */
	readonly summary?: Settings["workSummary"];
}

/** What a commit comes to: the decision, the folds and clips it makes, and what it tells the model. */
export type CommitEvents = (CommitEvent | FoldEvent | ShownEvent)[];

/** The events of a commit to a candidate that clips certain entries, whatever it frees. O(window). */
export function commitTo(
	state: QuoteState,
	request: RequestCommand,
	before: Plan | undefined,
	candidate: Candidate,
	trigger: Trigger,
	clipped: readonly EntryNode[] = clippableBehind(state, request.leaf, candidate.through),
): CommitEvents {
	const { leaf } = request;
	const { through, held, expanded, refused, floor } = candidate;
	const clips = new Map<string, TextInView>();
	for (const node of clipped) {
		const clip = request.clip(node);
		if (clip) clips.set(node.id, clip);
	}
	const receipt = through && request.receipt(receiptFacts(state, leaf, before, candidate, clips));
	const dropped = droppedBy(state, before, candidate);
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
		...(dropped.length > 0 && { dropped }),
		refused: refused.slice(0, 16).map((refusal) => ({ ...refusal })),
		...(isUnusual(state, leaf, through, clips) && { emergency: true }),
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

/** Whether entries are clipped that the settings leave whole. */
function isUnusual(
	state: QuoteState,
	leaf: string | null,
	through: Candidate["through"],
	clips: ReadonlyMap<string, TextInView>,
): boolean {
	const usual = new Set(usuallyClipped(state, leaf, through).map(({ id }) => id));
	return [...clips.keys()].some((id) => !usual.has(id));
}

/** Withdrawn cuts a commit reaches and does not leave raw. */
function droppedBy(state: QuoteState, before: Plan | undefined, { through, expanded }: Candidate): string[] {
	const reached = withdrawnUpTo(state, before ?? BARE_PLAN, through?.number ?? 0);
	return reached.filter((cut) => !expanded.has(cut));
}

function receiptFacts(
	state: QuoteState,
	leaf: string | null,
	before: Plan | undefined,
	{ through, expanded, held: exceptions }: Candidate,
	clips: ReadonlyMap<string, TextInView>,
): ReceiptFacts {
	const plan = before ?? BARE_PLAN;
	const held = exceptions.map(({ entry }) => entry);
	const shown = { through: through?.id ?? null, expanded, texts: plan.texts, held };
	const standing = standingAt(state, leaf, shown);
	const released = [...clips.keys()].filter((id) => nodeOf(state.tree, id)?.isPeek).length;
	const rewritings = rewritingsAt(state, leaf);
	const { workSummary: summary, postFoldNotice } = state.rules.settings;
	const asks = postFoldNotice === true;
	const waiting = asks ? pendingCuts(state, leaf, { ...plan, cut: through?.number ?? 0 }) : [];
	return {
		folded: Math.max(0, (through?.number ?? 0) - plan.cut),
		standing: standing.filter(isTextShown).length,
		clipped: clips.size - released,
		released,
		unbriefed: waiting.flatMap(({ id, texts: [written] }) => {
			const text = written && rewritten(written, rewritings);
			return !text || text.gone || plan.texts.has(id) ? [] : [{ fold: id, brief: text.brief }];
		}),
		...(summary && { summary }),
	};
}

function receiptShown({ id }: Plan, { text, chars, plain }: ReceiptInView): ShownEvent {
	const told = { text, chars, ...(plain && { plain: { ...plain } }) };
	return { type: "shown/appended", data: { what: "receipt", ...told, decision: id } };
}

/** One leaf may see two commits through one cut, on two branches that begin there; each keeps its own clips. */
function newId(state: QuoteState, name: string): string {
	let id = name;
	for (let n = 2; state.plans.commits.has(id); n++) id = `${name}~${n}`;
	return id;
}

function foldsMade(state: QuoteState, plan: Plan): FoldEvent[] {
	const events: FoldEvent[] = [];
	for (const part of standingAt(state, plan.leaf, plan)) {
		const { text } = part;
		if (!isTextShown(part) || state.plans.made.has(text.fold)) continue;
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
