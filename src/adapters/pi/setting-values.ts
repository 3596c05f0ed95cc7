import type { FullChoices } from "./choices.ts";

/** `80`, `80 %` and `0.8` are the same share; `off` is none. `undefined` where a text is no share. */
export function shareIn(text: string): number | undefined {
	if (text.trim().toLowerCase() === "off") return 0;
	const [, digits, sign] = /^\s*(\d*\.?\d+|\d+\.)\s*(%?)\s*$/.exec(text) ?? [];
	if (digits === undefined) return undefined;
	const number = Number(digits);
	return sign === "%" || number > 1 ? Number((number / 100).toFixed(6)) : number;
}

/** `8000`, `8,000` and `8k` are the same number. `undefined` where a text is no number. */
export function numberIn(text: string): number | undefined {
	const [, digits, thousand] =
		/^\s*(\d[\d,_]*(?:\.\d+)?)\s*(k?)\s*(?:characters|tokens)?\s*$/i.exec(text) ?? [];
	if (digits === undefined) return undefined;
	return Number(digits.replaceAll(/[,_]/g, "")) * (thousand ? 1_000 : 1);
}

/** Whether a text says on or off; `undefined` where neither. */
export function flagIn(text: string): boolean | undefined {
	const word = text.trim().toLowerCase();
	if (["on", "true", "yes"].includes(word)) return true;
	return ["off", "false", "no"].includes(word) ? false : undefined;
}

/** Names in a text, with commas or spaces between them; `none` is no name. */
export function namesIn(text: string): ReadonlySet<string> {
	return new Set(text.split(/[\s,]+/).filter((name) => name !== "" && name !== "none"));
}

/** A policy as a text names it, whatever it puts between its words. */
export function policyIn(text: string): FullChoices["policy"] {
	// whether there is one of this name is for the rules to say
	return text.trim().toLowerCase().replaceAll(/\s+/g, "-") as FullChoices["policy"];
}

/** A share in percent. */
export function percent(share: number): string {
	return `${Number((share * 100).toFixed(2))} %`;
}

/** A number with a comma at each thousand, rounded down. */
export function grouped(count: number): string {
	return Math.floor(count).toLocaleString("en-US");
}
