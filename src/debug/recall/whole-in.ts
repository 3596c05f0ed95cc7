/** What a number may be, and what it is where it is not that. */
interface Range {
	readonly otherwise: number;
	readonly least: number;
	readonly most?: number;
}

/** The whole number that a field holds, or what it reads as: the default below the least or for what is none, at most the most. */
export function wholeIn(value: unknown, { otherwise, least, most = Number.MAX_SAFE_INTEGER }: Range): number {
	const number = typeof value === "string" && /^\s*\+?\d+\s*$/.test(value) ? Number(value) : value;
	if (typeof number !== "number" || !Number.isInteger(number) || number < least) return otherwise;
	return Math.min(number, most);
}
