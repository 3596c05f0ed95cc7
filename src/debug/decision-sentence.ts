import type { CommitObservedEvent, Quote } from "../../events/commit.ts";
import type { DecisionEvent } from "../../projections/plans.ts";
import type { DecisionCurve } from "./decision-curve.ts";
import { decisionWords, triggerWords } from "./decision-words.ts";
import type { PastRequest } from "./history.ts";
import { compact, count, dollars } from "./numbers.ts";

/** A decision and what it was made from, in a sentence or two. */
export function decisionSentence(event: DecisionEvent | CommitObservedEvent): string {
	switch (event.type) {
		case "commit/applied":
		case "commit/observed": {
			const { trigger, quote } = event.data;
			const would = event.type === "commit/observed" ? "A commit was only watched for: " : "Committed: ";
			return `${would}${trigger === "economic" ? paysWords(quote) : triggerWords(trigger, quote)}. ${quoteWords(quote, trigger === "cold")}`;
		}
		default: {
			const words = capital(decisionWords(event.type));
			return "quote" in event.data ? `${words}. ${quoteWords(event.data.quote)}` : `${words}.`;
		}
	}
}

/** What kept a commit from being made at a request, as far as the two curves tell. */
export function nothingSentence(
	{ prepared, settings, valuation }: PastRequest,
	curve: DecisionCurve,
): string {
	const rewrite = curve.rewrite.at(-1) ?? null;
	if (settings.policy === "off") return "Nothing was decided: the policy is off.";
	if (prepared.foldable <= 0 || rewrite === null)
		return "Nothing was decided: there was nothing to fold that would have freed anything.";
	const unit = valuation?.unit ?? "token";
	return `Nothing was decided: a commit would have freed ${compact(prepared.foldable)} tokens for about ${price(rewrite, unit)}, and waiting had cost ${price(curve.holding.at(-1) ?? 0, unit)}.`;
}

/** Which of the two rules of the policy was met. */
function paysWords({ held, saves, waited, cost, factor, unit }: Quote): string {
	const weighed = factor * cost;
	const counted = factor === 1 ? "" : `, weighed as ${price(weighed, unit)}`;
	const both = `waiting had cost ${price(held, unit)} over ${count(waited, "request")}, and the rewrite would cost ${price(cost, unit)}${counted}`;
	const risesFirst = held < weighed && saves * waited >= weighed + held - saves;
	return risesFirst ? `${both}; one more request would have raised the mean cost of a request` : both;
}

function quoteWords({ before, after, freed, rewritten, cost, saves, unit }: Quote, isCold = false): string {
	const grows = freed < 0;
	const change = grows ? `adds ${compact(-freed)} tokens` : `frees ${compact(freed)} tokens`;
	const then = saves > 0 ? ` and saves ${price(saves, unit)} at each later request` : "";
	const retaken = isCold
		? "takes nothing in again that would not have been anyway"
		: `has ${compact(rewritten)} taken in again for ${price(cost, unit)}`;
	return `It ${change} (${compact(before)} to ${compact(after)}), ${retaken}${then}.`;
}

function price(amount: number, unit: "usd" | "token"): string {
	return unit === "usd" ? dollars(amount) : `${compact(Math.max(0, amount))} input tokens`;
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
