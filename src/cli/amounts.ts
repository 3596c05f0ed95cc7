import type { DecisionInput } from "../debug/decision-inputs.ts";
import { decimal, dollars, whole } from "../debug/numbers.ts";

/** Digits behind the point of amounts below ten cents. */
const DIGITS = 4;

/** A price in dollars, or in the worth of input tokens where nothing is priced. */
export function priceWords(amount: number, unit: "usd" | "token"): string {
	return unit === "usd" ? dollars(amount, DIGITS) : `${whole(amount)} tokens' worth`;
}

/** What a decision was made from, with its unit. */
export function inputWords({ value, unit = "" }: Pick<DecisionInput, "value" | "unit">): string {
	if (typeof value === "string") return value;
	if (unit === "usd") return dollars(value, DIGITS);
	const counted = value === 1 ? unit.replace(/s$/, "") : unit;
	return `${Number.isInteger(value) ? whole(value) : decimal(value)} ${counted}`.trim();
}
