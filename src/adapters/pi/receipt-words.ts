import type { Quote } from "../../../events/commit.ts";
import { aboutDollars, compact, dollars, whole } from "../../debug/numbers.ts";
import type { Receipt, RunningSum } from "../../debug/receipt.ts";
import type { AskedRaw } from "../../debug/withdrawn.ts";

/** When a commit takes effect. */
export type Effect = "now" | "then" | "from the next request on";

/**
 * A commit in one sentence: what it freed, what it cost, what it will save, and the running sum. Amounts of a model
 * without prices are tokens, never dollars.
 */
export function receiptSentence({ trigger, quote, saving }: Receipt, effect: Effect): string {
	const { freed, before, after } = quote;
	return [
		`folded about ${whole(freed)} tokens out of the window: ${whole(before)} before, ${whole(after)} ${effect}`,
		costOf(trigger, quote),
		savesOf(quote),
		...(saving ? [`so far ${sumsOf(saving)}`] : []),
	].join("; ");
}

/** What became of what someone had asked to leave raw, in clauses to follow a receipt; empty where nobody had. */
export function askedRawWords({ raw, folded }: AskedRaw): string {
	return [
		...(raw.length > 0
			? [`${named(raw)} ${raw.length === 1 ? "stays" : "stay"} raw, as was asked before`]
			: []),
		...(folded.length > 0 ? [`${named(folded)} had been asked to stay raw, for which there is no room`] : []),
	]
		.map((clause) => `; ${clause}`)
		.join("");
}

/** Ids named of several at most. */
const NAMED = 3;

function named(ids: readonly string[]): string {
	const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
	return `${ids.slice(0, NAMED).join(", ")}${more}`;
}

/** A commit that was not made, because the user wishes to watch only. */
export function observedSentence(quote: Quote): string {
	const { freed, rewritten, unit, cost } = quote;
	const priced = unit === "usd" ? ` for ${aboutDollars(Math.max(0, cost))}` : "";
	return `a commit now would fold about ${whole(freed)} tokens out of the window and have ${whole(rewritten)} taken in again${priced}; ${savesOf(quote)}; nothing was folded, as you chose to observe`;
}

/** What the session cost, beside what it would have cost with the host's own compaction. */
export function sumsOf({ unit, ours, host, isPartial }: RunningSum): string {
	if (unit === "usd")
		return `${dollars(ours)}${isPartial ? " on models with prices" : ""}, where Pi's own compaction would have made it ${dollars(host)}`;
	const [paid, instead] = [compact(ours), compact(host)];
	return `the worth of ${paid} tokens of input, where Pi's own compaction would have made it ${instead}`;
}

function costOf(trigger: Receipt["trigger"], { unit, cost, rewritten }: Receipt["quote"]): string {
	if (trigger === "cold") return "at no cost, for no cache held the old one any more";
	const priced = unit === "usd" ? `, for ${aboutDollars(Math.max(0, cost))}` : "";
	return `the provider takes about ${whole(rewritten)} of them in again${priced}`;
}

function savesOf({ unit, saves, freed }: Receipt["quote"]): string {
	if (unit === "usd") return `every later request saves ${aboutDollars(saves)}`;
	return `every later request is ${whole(freed)} tokens shorter`;
}
