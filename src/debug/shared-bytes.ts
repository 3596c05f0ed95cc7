import type { Item } from "../../projections/window-plan.ts";
import type { CacheBreak } from "./cost.ts";
import type { History } from "./history.ts";
import { itemsOf } from "./past-items.ts";

/** Causes that break a prompt before its first item. */
const BEFORE_ALL: ReadonlySet<CacheBreak["cause"]> = new Set(["model", "idle", "prompt", "thinking"]);

/**
 * Bytes that a window and the one before it begin with alike, as messages of JSON, one a line; where the provider broke
 * the prefix, the bytes of the items it still served. `undefined` where the requests are not there. Reads the content of
 * both up to that place.
 */
export function sharedBytes(
	history: History,
	{ request, cause, item = 0 }: Pick<CacheBreak, "request" | "cause" | "item">,
	messages: (items: readonly Item[]) => Iterable<Uint8Array>,
): number | undefined {
	if (BEFORE_ALL.has(cause)) return 0;
	const [before, now] = [history.request(request - 1), history.request(request)];
	if (!before || !now) return undefined;
	const items = itemsOf(history, now);
	if (cause === "provider") return lengthOf(messages(items.slice(0, item)));
	return alike(messages(itemsOf(history, before)), messages(items));
}

function lengthOf(messages: Iterable<Uint8Array>): number {
	let bytes = 0;
	for (const { length } of messages) bytes += length + 1;
	return bytes;
}

function alike(a: Iterable<Uint8Array>, b: Iterable<Uint8Array>): number {
	const others = b[Symbol.iterator]();
	let bytes = 0;
	for (const one of a) {
		const { value: other, done } = others.next();
		if (done) return bytes;
		const most = Math.min(one.length, other.length);
		let same = 0;
		while (same < most && one[same] === other[same]) same++;
		if (same < one.length || same < other.length) return bytes + same;
		bytes += one.length + 1;
	}
	return bytes;
}
