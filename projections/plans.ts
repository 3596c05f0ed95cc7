import type { Draft } from "immer";
import type { BriefDecision, WrittenText } from "../events/brief.ts";
import type { CommitEvent } from "../events/commit.ts";
import type { FoldDecision, FoldEvent } from "../events/fold.ts";
import type { MarkDecision } from "../events/mark.ts";
import type { PinEvent } from "../events/pin.ts";
import type { ShownEvent } from "../events/shown.ts";
import { type FoldText, foldText } from "./forest.ts";
import type { Place, Projection } from "./projection.ts";
import type { Weight } from "./session-tree.ts";

/** A text in view: by its digest, and how long it is. */
export interface TextInView {
	readonly text: string;
	readonly chars: number;
}

/** What a commit tells the model. */
export interface ReceiptInView extends TextInView {
	/** what it tells instead once something it quotes is edited; absent where it quotes nothing */
	readonly plain?: TextInView;
}

/** What is in force below the node of a decision: how much is folded, and what is excepted. */
export interface Plan {
	/** the decision's own name */
	readonly id: string;
	/** position of the decision's event */
	readonly position: number;
	/** leaf at which it was decided */
	readonly leaf: string | null;
	/** what kind of decision it was: the type of its event */
	readonly made: DecisionEvent["type"] | undefined;
	/** position of the decision that was in force before it */
	readonly on: number | null;
	/** position of the decision whose plan this one alters */
	readonly under: number | null;
	/** the commit it stands on; `null` where none was made */
	readonly commit: string | null;
	/** leaf at which that commit was decided; thinking is stripped no later than there */
	readonly parent: string | null;
	/** the last cut folded */
	readonly through: string | null;
	/** its number; 0 for none */
	readonly cut: number;
	/** entries inside the folded span that stay raw, in path order */
	readonly held: readonly string[];
	/** folds shown by their parts, and the number of requests that had been sent when they were opened */
	readonly expanded: ReadonlyMap<string, number>;
	/** what is left in view of clipped results, by entry; none of them is pinned */
	readonly clips: ReadonlyMap<string, TextInView>;
	/** whether more was clipped than the settings ask for: what is, stays so until it is folded */
	readonly emergency: boolean;
	readonly reasoning: "keep" | "strip";
	/** size of what stands before and instead of the raw tail, less what was clipped or stripped from it */
	readonly fixed: Weight;
	/** what the commit tells the model, behind the last fold */
	readonly receipt?: ReceiptInView;
	/** entries no commit may fold */
	readonly pins: ReadonlySet<string>;
	/** cuts the next commit leaves raw */
	readonly withdrawn: ReadonlySet<string>;
	/** texts with a supplied brief, by fold */
	readonly texts: ReadonlyMap<string, FoldText>;
	/** requests that had been sent when a commit was taken back last */
	readonly undoneAt?: number;
}

/** What each decision leaves in force. */
export interface Plans {
	/** by the position of the decision's event */
	readonly after: ReadonlyMap<number, Plan>;
	/** position of each commit's event, by its id */
	readonly commits: ReadonlyMap<string, number>;
	/** folds whose making is recorded */
	readonly made: ReadonlySet<string>;
}

/** An event that owns a node in the session tree, and changes the window or the right to change it. */
export type DecisionEvent = CommitEvent | FoldDecision | PinEvent | MarkDecision | BriefDecision;

/** Whether an event is a decision about the window. */
export function isDecision(event: { readonly type: string; readonly data: object }): event is DecisionEvent {
	return plans.listens[event.type as DecisionEvent["type"]] === true && "on" in event.data;
}

type PlanEvent = DecisionEvent | FoldEvent | ShownEvent;

/** What is in force after each decision. */
export const plans: Projection<Plans, PlanEvent> = {
	name: "plans",
	version: 4,
	listens: {
		"commit/applied": true,
		"commit/undone": true,
		"fold/expanded": true,
		"fold/refolded": true,
		"pin/placed": true,
		"pin/lifted": true,
		"mark/withdrawn": true,
		"mark/recut": true,
		"brief/supplied": true,
		"fold/made": true,
		"fold/grouped": true,
		"fold/clipped": true,
		"fold/released": true,
		"shown/appended": true,
	},
	initial: () => ({ after: new Map(), commits: new Map(), made: new Set() }),
	apply,
};

/** Nothing decided yet: the whole transcript is in view. */
export const BARE_PLAN: Plan = {
	id: "",
	position: -1,
	leaf: null,
	made: undefined,
	on: null,
	under: null,
	commit: null,
	parent: null,
	through: null,
	cut: 0,
	held: [],
	expanded: new Map(),
	clips: new Map(),
	emergency: false,
	reasoning: "keep",
	fixed: { chars: 0, images: 0 },
	pins: new Set(),
	withdrawn: new Set(),
	texts: new Map(),
};

/** What is in force where a decision is the nearest one above. */
export function planAfter(state: Plans, decision: number | null): Plan | undefined {
	return decision === null ? undefined : state.after.get(decision);
}

/** The plans commits made, in the order they were decided. */
export function committedPlans(state: Plans): Plan[] {
	return [...state.commits.values()].flatMap((position) => planAfter(state, position) ?? []);
}

/** Positions of the decisions in force after one, newest first: what each builds on, undone ones left out. */
export function decisionsUnder(state: Plans, decision: number | null): number[] {
	const chain: number[] = [];
	let position = decision;
	for (let plan = planAfter(state, position); plan && position !== null; plan = planAfter(state, position)) {
		chain.push(position);
		position = plan.under;
	}
	return chain;
}

/**
 * What a decision makes of the plan it alters: of the one in force before it, and of an earlier one where it takes
 * decisions back. What a commit clips and tells comes in events of its own.
 */
export function planUnder(altered: Plan | undefined, event: DecisionEvent, position = -1): Plan {
	const { id, on, parent: leaf } = event.data;
	const under = event.type === "commit/undone" ? event.data.to : on;
	const plan = { ...copyOf(altered ?? BARE_PLAN), id, position, leaf, made: event.type, on, under };
	switch (event.type) {
		case "commit/applied": {
			const { parent, through, cut, held, expanded, reasoning, fixed } = event.data;
			const { receipt: _replaced, ...kept } = plan;
			const spent = new Set([...expanded.map(({ fold }) => fold), ...(event.data.dropped ?? [])]);
			return {
				...kept,
				commit: id,
				parent,
				through,
				cut,
				held: held.map(({ entry }) => entry),
				expanded: new Map(expanded.map(({ fold, request }) => [fold, request])),
				clips: new Map(),
				emergency: event.data.emergency === true,
				reasoning,
				fixed: { ...fixed },
				withdrawn: new Set([...plan.withdrawn].filter((fold) => !spent.has(fold))),
			};
		}
		case "commit/undone":
			return {
				...plan,
				undoneAt: event.data.request,
				texts: withTexts(plan.texts, event.data.texts),
			};
		case "fold/expanded": {
			const { fold, request, fixed } = event.data;
			return { ...plan, expanded: new Map(plan.expanded).set(fold, request), fixed: { ...fixed } };
		}
		case "fold/refolded": {
			const closed = new Set(event.data.folds);
			const expanded = new Map([...plan.expanded].filter(([fold]) => !closed.has(fold)));
			return { ...plan, expanded, fixed: { ...event.data.fixed } };
		}
		case "pin/placed": {
			const { entries, held, fixed } = event.data;
			const pins = new Set([...plan.pins, ...entries]);
			// whole again for good: lifting the pin leaves that to the next commit
			const clips = new Map([...plan.clips].filter(([entry]) => !pins.has(entry)));
			return { ...plan, pins, clips, held: [...held], fixed: { ...fixed } };
		}
		case "pin/lifted": {
			const lifted = new Set(event.data.entries);
			return { ...plan, pins: new Set([...plan.pins].filter((entry) => !lifted.has(entry))) };
		}
		case "mark/withdrawn":
			return { ...plan, withdrawn: new Set([...plan.withdrawn, ...event.data.cuts]) };
		case "mark/recut": {
			const replaced = new Set(event.data.replaces);
			const stays = [...plan.withdrawn].filter((cut) => !replaced.has(cut));
			const withdrawn = new Set([...stays, ...(event.data.withdrawn ?? [])]);
			return { ...plan, withdrawn, texts: withTexts(plan.texts, event.data.texts) };
		}
		case "brief/supplied":
			return { ...plan, texts: withTexts(plan.texts, event.data.texts) };
		default:
			return event satisfies never;
	}
}

function withTexts(texts: Plan["texts"], written: readonly WrittenText[] = []): Plan["texts"] {
	return new Map([...texts, ...written.map((text) => [text.fold, foldText(text)] as const)]);
}

/** Drafts of one plan may not stand in two places, so what a plan takes over is copied. */
function copyOf(plan: Plan): Plan {
	const { fixed, receipt } = plan;
	return {
		...plan,
		held: [...plan.held],
		expanded: new Map(plan.expanded),
		clips: new Map([...plan.clips].map(([entry, { text, chars }]) => [entry, { text, chars }])),
		fixed: { ...fixed },
		...(receipt && { receipt: receiptOf(receipt) }),
		pins: new Set(plan.pins),
		withdrawn: new Set(plan.withdrawn),
		texts: new Map([...plan.texts].map(([fold, text]) => [fold, { ...text }])),
	};
}

function apply(draft: Draft<Plans>, event: PlanEvent, place: Place): void {
	const state = draft as Plans;
	const put = (plan: Plan) => draft.after.set(place.position, plan as Draft<Plan>);
	switch (event.type) {
		case "commit/undone": {
			const { to } = event.data;
			put(planUnder(planAfter(state, to), event, place.position));
			return;
		}
		case "commit/applied":
			draft.commits.set(event.data.id, place.position);
			put(planUnder(planAfter(state, event.data.on), event, place.position));
			return;
		case "fold/expanded":
		case "fold/refolded":
		case "pin/placed":
		case "pin/lifted":
		case "mark/withdrawn":
		case "mark/recut":
		case "brief/supplied":
			put(planUnder(planAfter(state, event.data.on), event, place.position));
			return;
		case "fold/made":
		case "fold/grouped":
			draft.made.add(event.data.fold);
			return;
		case "fold/clipped":
		case "fold/released": {
			const plan = committed(draft, event.data.commit);
			plan?.clips.set(event.data.entry, { text: event.data.text, chars: event.data.chars });
			return;
		}
		case "shown/appended": {
			const { decision } = event.data;
			const plan = decision === undefined ? undefined : committed(draft, decision);
			if (plan) plan.receipt = receiptOf(event.data);
			return;
		}
		default:
			event satisfies never;
	}
}

function receiptOf({ text, chars, plain }: ReceiptInView): ReceiptInView {
	return { text, chars, ...(plain && { plain: { text: plain.text, chars: plain.chars } }) };
}

function committed(draft: Draft<Plans>, commit: string): Draft<Plan> | undefined {
	return draft.after.get(draft.commits.get(commit) ?? -1);
}
