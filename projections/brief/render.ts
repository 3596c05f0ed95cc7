import { opening } from "./account.ts";
import type { Account, Brief, BriefItem } from "./brief.ts";
import { choose } from "./choose.ts";
import { indexLines } from "./lines.ts";

/** A brief of at most `room` characters: the opening, what was supplied, and as much of the index as fits. */
export function rendered(
	account: Account,
	index: readonly BriefItem[],
	room: number,
	supplied?: string,
): Brief {
	const head = supplied === undefined ? opening(account) : `${opening(account)}\nNote: ${supplied}`;
	const given = supplied === undefined ? {} : { supplied };
	for (let left = room - head.length - 1; left > 0; ) {
		const items = choose(index, left);
		const text = [head, ...indexLines(items)].join("\n");
		if (text.length <= room) return { text, account, items, ...given };
		left -= text.length - room;
	}
	return { text: head, account, items: [], ...given };
}

/**
 * The brief with a text of the user or the model in it, word for word; its index gives way so that both fit `room`.
 * `supplied` has at most 600 characters.
 */
export function withSupplied(brief: Brief, supplied: string, room: number): Brief {
	return rendered(brief.account, brief.items, room, supplied);
}
