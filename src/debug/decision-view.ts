import type { Quote } from "../../events/commit.ts";
import { type Plan, planAfter } from "../../projections/plans.ts";
import { UNPRICED } from "../../projections/price.ts";
import { isTextShown, standingAt } from "../../projections/standing.ts";
import { costOf, type FirstBill } from "./cost.ts";
import { curveUpTo, type DecisionCurve, type QuotedAt } from "./decision-curve.ts";
import { decisionSentence, nothingSentence } from "./decision-sentence.ts";
import type { History, PastRequest } from "./history.ts";
import { readingOf } from "./history-reading.ts";
import { sizesNow, tokensThen } from "./past-sizes.ts";
import { type MarkKind, marksOf } from "./timeline-marks.ts";

/** A decision, or what a commit would have been where none was made, with what it was made from. */
export interface DecisionView {
	/** first request that shows it; one beyond the last where none was made since */
	readonly request: number;
	/** absent where nothing was decided */
	readonly id?: string;
	readonly kind: MarkKind | "none";
	/** of a commit: why it was made */
	readonly trigger?: string;
	/** in force then */
	readonly policy: string;
	readonly unit: "usd" | "token";
	readonly curve: DecisionCurve;
	readonly quote?: Quote;
	/** of a commit: what the first request with it came to */
	readonly bill?: FirstBill;
	/** folds that took the place of what they cover, oldest first; sizes in tokens */
	readonly taken: readonly TakenFold[];
	/** entries that stay raw among what is folded */
	readonly held: readonly { readonly entry: string; readonly why: string }[];
	/** closed cuts left raw, nearest first */
	readonly refused: readonly { readonly cut: string; readonly why: string }[];
	/** results of which a part alone stays in view, and its characters */
	readonly clips: readonly { readonly entry: string; readonly chars: number }[];
	readonly actor: string;
	/** the tool call or command behind it */
	readonly cause?: string;
	readonly sentence: string;
}

/** A fold that a commit put in the window. */
interface TakenFold {
	readonly fold: string;
	readonly from: string;
	readonly to: string;
	/** tokens of what it stands for */
	readonly source: number;
	/** tokens of its text */
	readonly text: number;
}

/** Which decision: one by its id, or what was decided for a request. */
export type DecisionAsked = { readonly id: string } | { readonly request: number };

/**
 * What was decided just before a request, a commit before anything else, and what it was made from; `undefined` where
 * there is no such request or decision. O(requests since the commit before, and raw tail for each of 300 of them).
 */
export function decisionView(history: History, asked: DecisionAsked): DecisionView | undefined {
	const step = "id" in asked ? stepOf(history, asked.id) : stepBefore(history, asked.request);
	if (step) return seen(history, step);
	const past = "id" in asked ? undefined : history.request(asked.request);
	return past && undecided(history, past);
}

type Step =
	| History["decisions"][number]
	| (History["turns"][number] & { readonly event: { readonly type: "commit/observed" } });

function stepOf({ decisions }: History, id: string): Step | undefined {
	return decisions.find(({ event }) => event.data.id === id);
}

function stepBefore({ decisions, turns }: History, request: number): Step | undefined {
	const here = decisions.filter(({ after }) => after + 1 === request);
	const observed = turns.find((turn): turn is Step & typeof turn => {
		return turn.after + 1 === request && turn.event.type === "commit/observed";
	});
	return here.findLast(({ event }) => event.type === "commit/applied") ?? here.at(-1) ?? observed;
}

function undecided(history: History, past: PastRequest): DecisionView {
	const { prepared, settings, valuation = UNPRICED } = past;
	const curve = curveUpTo(history, prepared.request, prepared.commit);
	return {
		request: prepared.request,
		kind: "none",
		policy: settings.policy,
		unit: valuation.unit,
		curve,
		...NOTHING,
		actor: "rule",
		sentence: nothingSentence(past, curve),
	};
}

const NOTHING = { taken: [], held: [], refused: [], clips: [] };

function seen(history: History, { event, position, actor, cause, after }: Step): DecisionView {
	const request = after + 1;
	const { states } = history;
	// the request it was made for, or the last there was
	const past = history.request(request) ?? history.requests.at(-1);
	const quote = "quote" in event.data ? event.data.quote : undefined;
	const isCommit = event.type === "commit/applied" || event.type === "commit/observed";
	const before = isCommit
		? (event.data.before ?? undefined)
		: (planAfter(states.plans, event.data.on)?.commit ?? undefined);
	const quoted: QuotedAt | undefined = isCommit
		? { request, held: event.data.quote.held, cost: event.data.quote.cost, factor: event.data.quote.factor }
		: undefined;
	const mark = marksOf(history, request, request).find((one) => one.position === position);
	const id = "id" in event.data ? event.data.id : undefined;
	const bill =
		event.type === "commit/applied"
			? costOf(history, nothing).commits.find((commit) => commit.id === id)?.bill
			: undefined;
	return {
		request,
		...(id !== undefined && { id }),
		kind: mark?.kind ?? "none",
		...(isCommit && { trigger: event.data.trigger }),
		policy: isCommit ? event.data.policy : (past?.settings.policy ?? states.rules.settings.policy),
		unit: quote?.unit ?? past?.valuation?.unit ?? UNPRICED.unit,
		curve: curveUpTo(history, request, before, quoted),
		...(quote && { quote }),
		...(bill && { bill }),
		...NOTHING,
		...(event.type === "commit/applied" && {
			taken: takenBy(history, planAfter(states.plans, position), past),
			held: event.data.held,
			refused: event.data.refused,
			clips: clipsOf(planAfter(states.plans, position)),
		}),
		actor,
		...(cause !== undefined && { cause }),
		sentence: decisionSentence(event),
	};
}

/** No content is needed to tell of costs alone. */
const nothing = Object.assign(() => undefined, {
	decode: (): never => {
		throw new TypeError("no entry is read here");
	},
});

/** The folds that stand under a plan and did not under the one it alters. O(texts that stand). */
function takenBy(history: History, plan: Plan | undefined, past: PastRequest | undefined): TakenFold[] {
	if (!plan) return [];
	const { states } = history;
	const sizes = past?.sizes ?? sizesNow(states.calibration);
	const standing = (one: Plan) => standingAt(states, plan.leaf, one).filter(isTextShown);
	const earlier = planAfter(states.plans, plan.on);
	const before = new Set(earlier ? standing(earlier).map(({ text }) => text.fold) : []);
	const { sums } = readingOf(history);
	return standing(plan).flatMap(({ cut, text }) => {
		if (before.has(text.fold)) return [];
		const span = sums.span(states, cut, text.level);
		return {
			fold: text.fold,
			from: span.first.from,
			to: cut.to,
			source: Math.round(tokensThen(sizes, span)),
			text: Math.round(tokensThen(sizes, { chars: text.chars, images: 0 })),
		};
	});
}

function clipsOf(plan: Plan | undefined): { entry: string; chars: number }[] {
	return [...(plan?.clips ?? [])].map(([entry, { chars }]) => ({ entry, chars }));
}
