import { opening } from "./account.ts";
import {
	type Account,
	BRIEF_CHARS,
	type Brief,
	type BriefItem,
	SUPPLIED_CHARS,
	type WeighedName,
} from "./brief.ts";
import { choose } from "./choose.ts";
import { indexLines } from "./lines.ts";

interface Limits {
	/** characters of the whole text */
	readonly room: number;
	/** what a name must be worth, weight a character times 1,024 */
	readonly least: number;
	/** names that need not be given again */
	readonly named: ReadonlySet<string>;
	readonly again: readonly WeighedName[];
	readonly supplied?: string;
}

/** A brief: the opening, what was supplied, and as much of an index as is worth its place. */
export function rendered(account: Account, index: readonly BriefItem[], limits: Limits): Brief {
	const { room, least, named, again, supplied } = limits;
	const head = supplied === undefined ? opening(account) : `${opening(account)}\nNote: ${supplied}`;
	const rest = { account, again, ...(supplied === undefined ? {} : { supplied }) };
	for (let left = room - head.length - 1; left > 0; ) {
		const items = choose(index, left, least, named);
		const text = [head, ...indexLines(items)].join("\n");
		if (text.length <= room) return { text, items, ...rest };
		left -= text.length - room;
	}
	return { text: head, items: [], ...rest };
}

/**
 * The brief with a text of the user or the model in it, word for word; the index gives way so that both fit 2,000
 * characters. Throws `RangeError` when the text has more than 600.
 */
export function withSupplied({ account, items, again = [] }: Brief, supplied: string): Brief {
	if (supplied.length > SUPPLIED_CHARS)
		throw new RangeError(`a supplied brief has at most ${SUPPLIED_CHARS} characters, not ${supplied.length}`);
	return rendered(account, items, { room: BRIEF_CHARS, least: 0, named: new Set(), again, supplied });
}
