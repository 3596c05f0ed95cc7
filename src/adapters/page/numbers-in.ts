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
