import { InvalidArgumentError } from "commander";

/** Which numbers an option takes. Both ends belong to the range unless `open` says that they do not. */
export interface NumberRange {
	readonly least: number;
	readonly most?: number;
	readonly open?: boolean;
}

/** Reads a whole number, whose digits may be set apart by `_`; anything else is a misuse. */
export function wholeNumber(range: NumberRange): (text: string) => number {
	return (text) => {
		const value = /^\d+(_\d+)*$/.test(text) ? Number(text.replaceAll("_", "")) : Number.NaN;
		return within(value, range, "a whole number");
	};
}

/** Reads a share such as 0.8; anything else is a misuse. */
export function share(range: NumberRange): (text: string) => number {
	return (text) =>
		within(/^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN, range, "a share such as 0.5,");
}

function within(value: number, { least, most, open = false }: NumberRange, what: string): number {
	const upTo = most ?? Number.MAX_SAFE_INTEGER;
	if (open ? value > least && value < upTo : value >= least && value <= upTo) return value;
	const words = rangeWords(least, most ?? (value > upTo ? upTo : undefined), open);
	throw new InvalidArgumentError(`It takes ${what} ${words}.`);
}

function rangeWords(least: number, most: number | undefined, open: boolean): string {
	if (most === undefined) return open ? `above ${least}` : `from ${least} on`;
	return open ? `above ${least} and below ${most}` : `from ${least} to ${most}`;
}
