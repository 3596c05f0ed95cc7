import { tokensOf } from "../../projections/calibration.ts";
import { decisionsInForce } from "../commands/undo.ts";
import { type Alternative, alternativesTo, pricesAt } from "./alternatives.ts";
import type { Content } from "./content.ts";
import { type DecisionInput, decisionInputs } from "./decision-inputs.ts";
import { type DecisionSeen, decisionOf, decisionSeen, deedSentence } from "./decision-seen.ts";
import { causeName } from "./decision-words.ts";
import type { History, PastRequest } from "./history.ts";
import { type Named, namedIn } from "./named.ts";
import { count, whole } from "./numbers.ts";
import type { ShownAs } from "./past-standing.ts";
import { type Reach, reachOf, searchFor, undoOf } from "./reach.ts";
import {
	type TextOptions,
	type TextVisibility,
	type VisibilitySpan,
	visibilityOf,
	whenText,
} from "./visibility.ts";

/** Why something stood in the window of a request as it did. */
export interface WhyAnswer {
	readonly about: "entry" | "fold" | "decision" | "text";
	readonly id: string;
	readonly request: number;
	/** how it stood there; of a decision, whether its effect did */
	readonly visible: ShownAs | "not yet";
	/** first request of the run in which it stood so */
	readonly since?: number;
	/** the fold or entry it was read in; the compaction or edit that hid it */
	readonly through?: string;
	/** text: the entry that was looked at, of those that hold it */
	readonly entry?: string;
	/** text: contents that could not be read, which may hold it too; absent where there are none */
	readonly unread?: number;
	/** what brought it there, as it was written down then */
	readonly decision?: DecisionSeen;
	/** why that was decided, or what else brought it there, in words */
	readonly rule?: string;
	readonly inputs: readonly DecisionInput[];
	readonly alternatives: readonly Alternative[];
	/** how the model, or of an undo the user, could get at it */
	readonly reach: readonly Reach[];
	/** at which requests it stood how */
	readonly spans: readonly VisibilitySpan[];
	/** the answer in words */
	readonly sentences: readonly string[];
}

/**
 * Why an entry, a call's result, a fold, a decision, or, where nothing is called so, a text stood as it did in the window
 * of a request. What is told of decisions is what they wrote down; alternatives priced by today's code say so.
 * `undefined` where nothing is called so and no window held it as a text. O(requests); of a text, all content.
 */
export async function whyAnswer(
	history: History,
	content: Content,
	id: string,
	past: PastRequest,
	options: TextOptions = {},
): Promise<WhyAnswer | undefined> {
	const named = namedIn(history, id);
	if (named?.kind === "decision") return ofDecision(history, past, decisionOf(named.step));
	if (named) {
		const seen = visibilityOf(history, named.id);
		return seen && ofThing(history, past, named, seen.spans);
	}
	const seen = await whenText(history, content, id, options);
	return seen.spans.length === 0 ? undefined : ofText(history, past, seen);
}

/** How something stood at a request, and the spans that led there. */
interface Stood {
	readonly span: VisibilitySpan;
	/** the first of the spans in a row in which it was shown no more than in `span` by the same means */
	readonly first: VisibilitySpan;
	/** what is shown less now: the last request before that had all of it in the window */
	readonly whole?: number;
}

function stoodAt(
	spans: readonly VisibilitySpan[],
	{ prepared: { request } }: Pick<PastRequest, "prepared">,
): Stood | undefined {
	const at = spans.findIndex(({ from, to }) => from <= request && request <= to);
	const span = spans[at];
	if (!span) return undefined;
	const isLeaf = (index: number) => spans[index]?.because === "leaf";
	let first = at;
	while (first > 0 && spans[first - 1]?.as === span.as && !isLeaf(first - 1) && !isLeaf(first)) first--;
	const whole =
		span.as === "whole" ? undefined : spans.slice(0, first).findLast(({ as }) => as === "whole")?.to;
	return { span, first: spans[first] as VisibilitySpan, ...(whole !== undefined && { whole }) };
}

const EFFECTS: Readonly<Record<ShownAs, string>> = {
	whole: "",
	clip: " clipped it",
	brief: " folded it",
	hidden: " hid it",
};

/** What is told alike, whatever stands so. */
function partsOf(history: History, past: PastRequest, stood: Stood | undefined) {
	const { request } = past.prepared;
	if (!stood) return { request, visible: "not yet" as const, inputs: [], alternatives: [] };
	const { span, first } = stood;
	const decision = first.because === undefined ? undefined : decisionSeen(history, first.because);
	const outside = first.because === undefined ? undefined : causeName(history, first);
	const rule = decision ? deedSentence(decision, EFFECTS[span.as]) : outside;
	const fold = span.as === "brief" ? span.through : undefined;
	return {
		request,
		visible: span.as,
		since: first.from,
		...(span.through !== undefined && { through: span.through }),
		...(decision && { decision }),
		...(rule !== undefined && { rule }),
		inputs: decision ? decisionInputs(history, decision) : [],
		alternatives: [
			...(decision ? alternativesTo(decision, request) : []),
			...pricesAt(history, past, { decision: decision?.id, fold }),
		],
	};
}

function ofThing(
	history: History,
	past: PastRequest,
	named: Exclude<Named, { kind: "decision" }>,
	spans: readonly VisibilitySpan[],
): WhyAnswer {
	const { kind, id } = named;
	const stood = stoodAt(spans, past);
	const parts = partsOf(history, past, stood);
	const reach = stood ? reachOf(id, kind, stood.span) : [];
	const sentences = sentencesOf(history, nameOf(history, named), stood, parts, reach);
	return { about: kind, id, ...parts, reach, spans, sentences };
}

function ofText(
	history: History,
	past: PastRequest,
	{ of, spans, holders, unread }: TextVisibility,
): WhyAnswer {
	const stood = stoodAt(spans, past);
	const parts = partsOf(history, past, stood);
	const entries = holders.filter(({ kind }) => kind === "entry");
	const thereIn = (one: { readonly spans: readonly VisibilitySpan[] }) => stoodAt(one.spans, past)?.span;
	// of the entries that hold it, the one it is read in, else the newest on the path
	const holder =
		entries.find(({ id }) => id === stood?.span.through) ??
		entries.findLast((one) => (thereIn(one)?.because ?? "leaf") !== "leaf") ??
		entries.at(-1);
	const there = holder && thereIn(holder);
	const reach = [
		...(holder && there ? reachOf(holder.id, "entry", there) : []),
		...(stood?.span.as === "whole" || there?.because === "leaf" ? [] : [searchFor(of)]),
	];
	const others = entries.length > 1 ? ` and ${count(entries.length - 1, "other message")}` : "";
	const where = holder ? `, which ${holder.id}${others} held,` : "";
	const sentences = sentencesOf(history, `"${clipped(of)}"${where}`, stood, parts, reach);
	return {
		about: "text",
		id: of,
		...parts,
		...(holder && { entry: holder.id }),
		...(unread > 0 && { unread }),
		reach,
		spans,
		sentences,
	};
}

/** Characters of a text that a sentence quotes. */
const QUOTED = 80;

/** A text as a sentence quotes it. */
export function clipped(text: string): string {
	const characters = Array.from(text.slice(0, 2 * QUOTED + 2));
	return characters.length > QUOTED ? `${characters.slice(0, QUOTED).join("")}…` : text;
}

function ofDecision(history: History, past: PastRequest, decision: DecisionSeen): WhyAnswer {
	const { request } = past.prepared;
	const isMade = decision.request <= request;
	const alternatives = [
		...alternativesTo(decision, request),
		...(isMade ? pricesAt(history, past, { decision: decision.id }) : []),
	];
	const isInForce =
		isMade && decisionsInForce(history.states, past.prepared.leaf).some(({ id }) => id === decision.id);
	const rule = deedSentence(decision);
	const then = isMade
		? `It was made before request ${decision.request}${isInForce ? "" : `, and was not in force any more, or not on this branch, at request ${request}`}.`
		: `It was made before request ${decision.request}; at request ${request} it was still to come.`;
	return {
		about: "decision",
		id: decision.id,
		request,
		visible: isMade ? (isInForce ? "whole" : "hidden") : "not yet",
		since: decision.request,
		decision,
		rule,
		inputs: decisionInputs(history, decision),
		alternatives,
		reach: isInForce ? [undoOf(decision.id)] : [],
		spans: [],
		sentences: [rule, then],
	};
}

function nameOf({ states }: History, named: Exclude<Named, { kind: "decision" }>): string {
	const { calibration } = states;
	if (named.kind === "fold") {
		const { from, to } = named.cut;
		return `What fold ${named.id} stands for (${from === to ? from : `up to ${to}`})`;
	}
	const { id, role, kind, weight } = named.node;
	const size = role === undefined ? "" : `, about ${whole(tokensOf(calibration, weight))} tokens`;
	return `${id} (${role ?? kind}${size})`;
}

function sentencesOf(
	history: History,
	what: string,
	stood: Stood | undefined,
	{ request, decision, rule }: Pick<WhyAnswer, "request" | "decision" | "rule">,
	reach: readonly Reach[],
): string[] {
	if (!stood) return [`${what} was in no window yet at request ${request}.`];
	const { span, first, whole: last } = stood;
	const sentences = [`${what} ${standsWords(history, span, first, request)}`];
	if (decision && rule !== undefined) sentences.push(rule);
	if (last !== undefined) sentences.push(`It was in the window, whole, last at request ${last}.`);
	if (span !== first && span.as === "brief" && span.because !== undefined)
		sentences.push(
			`Since request ${span.from}, by ${causeName(history, span)}, ${span.through} stands for it.`,
		);
	const way = reach.find(({ by }) => by === "peek" || by === "recall");
	if (way) sentences.push(`The model gets at it by ${way.call}.`);
	return sentences;
}

function standsWords(history: History, span: VisibilitySpan, first: VisibilitySpan, request: number): string {
	const { as, through } = span;
	const { from, because } = first;
	const since =
		from === request ? `at request ${request}` : `at request ${request}, and since request ${from}`;
	switch (as) {
		case "whole":
			return `was in the window, whole, ${since}.`;
		case "clip":
			return `was in the window in part ${since}.`;
		case "brief":
			return `was not in the window itself ${since}: the text of ${first.through} stood for it.`;
		case "hidden":
			if (because === "leaf") return `was on another branch ${since}.`;
			if (because === "unsent") return "is sent to no model.";
			if (because === "edit" || because === "compaction")
				return `was out of the window ${since}: ${causeName(history, first)} took it out.`;
			return through === undefined
				? `was nowhere in the window ${since}.`
				: `was nowhere in the window ${since}: the text of ${through}, which stands in its place, does not name it.`;
		default:
			return as satisfies never;
	}
}
