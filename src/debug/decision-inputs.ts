import type { Quote } from "../../events/commit.ts";
import { budgetOf } from "../../projections/rules.ts";
import type { DecisionSeen } from "./decision-seen.ts";
import type { History } from "./history.ts";

/** Something a decision was made from, as it was written down then. */
export interface DecisionInput {
	readonly name: string;
	readonly value: string | number;
	/** tokens, requests, usd, or input tokens' worth where nothing is priced */
	readonly unit?: string;
}

/** What a decision was made from: its trigger, policy, floor and quote as its event tells, and the budget then in force. */
export function decisionInputs(history: History, decision: DecisionSeen): DecisionInput[] {
	const { trigger, policy, floor, quote, held, refused } = decision;
	const inputs: DecisionInput[] = [];
	if (trigger !== undefined) inputs.push({ name: "trigger", value: trigger });
	if (policy !== undefined) inputs.push({ name: "policy", value: policy });
	if (floor !== undefined) inputs.push({ name: "floor", value: floor, unit: "tokens" });
	const budget = budgetAt(history, decision.request);
	if (floor !== undefined && budget !== undefined)
		inputs.push({ name: "budget", value: budget, unit: "tokens" });
	if (quote) inputs.push(...quoteInputs(quote, trigger === "cold"));
	if (held.length > 0) inputs.push({ name: "held raw", value: held.length, unit: "messages" });
	if (refused.length > 0) inputs.push({ name: "not folded", value: refused.length, unit: "cuts" });
	return inputs;
}

/** A quote is made as if a cache held the window before, which at a cold moment none does. */
function quoteInputs(quote: Quote, isCold: boolean): DecisionInput[] {
	const ifWarm = isCold ? ", were the cache warm" : "";
	const price = quote.unit === "usd" ? "usd" : "input tokens' worth";
	return [
		{ name: "window before", value: Math.round(quote.before), unit: "tokens" },
		{ name: "window after", value: Math.round(quote.after), unit: "tokens" },
		{ name: "freed", value: Math.round(quote.freed), unit: "tokens" },
		{ name: `taken in again${ifWarm}`, value: Math.round(quote.rewritten), unit: "tokens" },
		{ name: `rewrite cost${ifWarm}`, value: quote.cost, unit: price },
		{ name: "saved at each later request", value: quote.saves, unit: price },
		{ name: "waiting had cost", value: quote.held, unit: price },
		{ name: "waited", value: quote.waited, unit: "requests" },
		...(quote.factor === 1 ? [] : [{ name: "rewrite cost counted times", value: quote.factor }]),
	];
}

/** Tokens a request might hold, by the settings and prices in force at the first one behind a decision. */
function budgetAt(history: History, request: number): number | undefined {
	const past = history.request(request) ?? history.requests.at(-1);
	if (!past) return undefined;
	const { settings, valuation } = past;
	return budgetOf({ settings, valuation: valuation ?? null });
}
