import { PageError } from "./page-error.ts";

/** A whole number of an address; `undefined` where it is not given. Throws `PAGE_BAD_REQUEST`. */
export function wholeNumberIn(
	name: string,
	text: string | undefined,
	{ least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number | undefined {
	if (text === undefined || text === "") return undefined;
	const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
	if (value >= least && value <= most) return value;
	throw new PageError("PAGE_BAD_REQUEST", `${name} is a whole number from ${least} to ${most}`);
}

/** The same where it must be given. */
export function neededNumberIn(...args: Parameters<typeof wholeNumberIn>): number {
	const value = wholeNumberIn(...args);
	if (value === undefined) throw new PageError("PAGE_BAD_REQUEST", `${args[0]} is missing`);
	return value;
}

/** The whole numbers among the options of an address, by their names; those not given are left out. Throws as `wholeNumberIn`. */
export function numbersIn<const N extends string>(
	given: Readonly<Record<string, string>>,
	names: readonly N[],
): { readonly [name in N]?: number } {
	const numbers: { [name in N]?: number } = {};
	for (const name of names) {
		const value = wholeNumberIn(name, given[name]);
		if (value !== undefined) numbers[name] = value;
	}
	return numbers;
}
