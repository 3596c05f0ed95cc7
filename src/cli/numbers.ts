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
		if (!/^\d+(_\d+)*$/.test(text)) throw new InvalidArgumentError("It takes a whole number.");
		return within(Number(text.replaceAll("_", "")), range);
	};
}

/** Reads a share such as 0.8; anything else is a misuse. */
export function share(range: NumberRange): (text: string) => number {
	return (text) => {
		if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) throw new InvalidArgumentError("It takes a share such as 0.5.");
		return within(Number(text), range);
	};
}

function within(value: number, { least, most = Number.MAX_SAFE_INTEGER, open = false }: NumberRange): number {
	const inside = open ? value > least && value < most : value >= least && value <= most;
	if (inside) return value;
	const range =
		most < Number.MAX_SAFE_INTEGER || value > most ? `between ${least} and ${most}` : `at least ${least}`;
	throw new InvalidArgumentError(`It takes a number ${range}${open ? ", both excluded" : ""}.`);
}
