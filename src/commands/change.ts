import type { Quote } from "../../events/commit.ts";
import { tokensOf } from "../../projections/calibration.ts";
import { waitingSince } from "../../projections/ledger.ts";
import { type DecisionEvent, type Plan, planAfter, planUnder } from "../../projections/plans.ts";
import { promptPrice, UNPRICED } from "../../projections/price.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { fixedAt, type Item, itemKey, planAt, weightOf, windowItems } from "../../projections/window-plan.ts";
import { promptTokens } from "./commit-candidate.ts";
import type { QuoteState } from "./quote.ts";

/** Where a decision is taken, and what its decider needs of the world. */
export interface DecisionCommand {
	readonly leaf: string | null;
	/** number of events before it, from which it gets its name */
	readonly ordinal: number;
	/** hex digest chaining the keys of a window's items */
	readonly digest: (items: readonly Item[]) => string;
	/** whether it was decided before, and is made again from its node: then what it costs was weighed there */
	readonly isAgain?: boolean;
}

/** The decision in force at a leaf. */
export function decisionAt(state: QuoteState, leaf: string | null): number | null {
	return nodeOf(state.tree, leaf)?.decision ?? null;
}

/** What every decision says, before its window is known. */
export function fieldsOf(state: QuoteState, { leaf, ordinal }: DecisionCommand, name: string) {
	return { id: `${name}-${ordinal}`, parent: leaf, on: decisionAt(state, leaf), window: "" };
}

type Changing = Extract<DecisionEvent, { data: { quote: Quote } }>;

const NO_QUOTE: Quote = {
	unit: "token",
	before: 0,
	after: 0,
	freed: 0,
	rewritten: 0,
	cost: 0,
	saves: 0,
	held: 0,
	waited: 0,
	factor: 1,
};

/** A quote to be filled in by {@link completed}. */
export const UNQUOTED = { quote: NO_QUOTE, fixed: { chars: 0, images: 0 } };

/** A decision with the window it makes, what that weighs and what the change costs. O(window). */
export function completed<E extends DecisionEvent>(state: QuoteState, command: DecisionCommand, event: E): E {
	const { leaf } = command;
	const before = planAt(state, leaf);
	const altered = event.type === "commit/undone" ? planAfter(state.plans, event.data.to) : before;
	const bare = planUnder(altered, event);
	const fixed = fixedAt(state, leaf, bare);
	const after = { ...bare, fixed };
	const items = windowItems(state, leaf, after);
	const data = {
		...event.data,
		...("fixed" in event.data && { fixed: { ...fixed } }),
		...("quote" in event.data && { quote: quoteOfChange(state, leaf, before, after, items) }),
		window: command.digest(items),
	};
	return { type: event.type, data } as E;
}

/** What replacing one plan by another at a leaf costs now and saves at each later request. */
function quoteOfChange(
	state: QuoteState,
	leaf: string | null,
	before: Plan | undefined,
	after: Plan,
	items: readonly Item[],
): Changing["data"]["quote"] {
	const valuation = state.rules.valuation ?? UNPRICED;
	const tokens = { before: promptTokens(state, leaf, before), after: promptTokens(state, leaf, after) };
	const kept = Math.min(tokens.after, keptTokens(state, windowItems(state, leaf, before), items));
	const waited = waitingSince(state.ledger, before?.commit ?? undefined);
	return {
		unit: valuation.unit,
		...tokens,
		freed: tokens.before - tokens.after,
		rewritten: tokens.after - kept,
		cost: promptPrice(valuation, kept, tokens.after - kept) - promptPrice(valuation, tokens.after, 0),
		saves: promptPrice(valuation, tokens.before, 0) - promptPrice(valuation, tokens.after, 0),
		held: waited.cost,
		waited: waited.requests,
		factor: 1,
	};
}

/** Tokens at the start of a window that a cache of the one before it serves. */
function keptTokens(state: QuoteState, before: readonly Item[], after: readonly Item[]): number {
	const onlyPrefix = state.rules.valuation?.cache !== "breakpoint";
	let chars = 0;
	let images = 0;
	for (const [index, item] of after.entries()) {
		const other = before[index];
		if (!other || itemKey(other) !== itemKey(item) || (!onlyPrefix && item.kind === "fold")) break;
		const weight = weightOf(item);
		chars += weight.chars;
		images += weight.images;
	}
	return state.calibration.base + tokensOf(state.calibration, { chars, images });
}
