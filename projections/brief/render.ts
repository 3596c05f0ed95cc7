import { opening } from "./account.ts";
import {
	type Account,
	BRIEF_CHARS,
	type Brief,
	type BriefItem,
	SUPPLIED_CHARS,
	type WeighedName,
} from "./brief.ts";
import { choose, type Limits } from "./choose.ts";
import { indexLines } from "./lines.ts";
import { tellableAccount, tellableItems, tellableNames } from "./tellable.ts";

/** What a brief is made of beside its index. */
export interface Frame {
	readonly account: Account;
	readonly again: readonly WeighedName[];
	readonly supplied?: string;
}

/** A brief: the opening, what was supplied, and as much of an index as is worth its place. */
export function rendered(frame: Frame, index: readonly BriefItem[], limits: Limits): Brief {
	const { account, supplied } = frame;
	const head = supplied === undefined ? opening(account) : `${opening(account)}\nNote: ${supplied}`;
	for (let room = limits.room - head.length - 1; room > 0; ) {
		const { shown, worth } = choose(index, { ...limits, room });
		const text = [head, ...indexLines(shown)].join("\n");
		if (text.length <= limits.room) return { text, items: worth, ...frame };
		room -= text.length - limits.room;
	}
	return { text: head, items: [], ...frame };
}

/**
 * The brief with a text of the user or the model in it, word for word; the index gives way so that both fit 2,000
 * characters. Throws `RangeError` when the text has more than 600.
 */
export function withSupplied({ account, items, again = [] }: Brief, supplied: string): Brief {
	if (supplied.length > SUPPLIED_CHARS)
		throw new RangeError(`a supplied brief has at most ${SUPPLIED_CHARS} characters, not ${supplied.length}`);
	const frame = { account: tellableAccount(account), again: tellableNames(again), supplied };
	return rendered(frame, tellableItems(items), {
		room: BRIEF_CHARS,
		least: 0,
		named: new Set(),
		fill: 0,
	});
}
