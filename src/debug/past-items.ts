import { type Item, planAt, windowItems } from "../../projections/window-plan.ts";
import { digestOf } from "../engine/window-chain.ts";
import { sha256Node } from "../store/hash.ts";
import type { History, PastRequest } from "./history.ts";

/** The items of the window of a past request. O(window). */
export function itemsOf(
	{ states }: Pick<History, "states">,
	{ prepared }: Pick<PastRequest, "prepared">,
): Item[] {
	return windowItems(states, prepared.leaf, planAt(states, prepared.leaf));
}

/** Hex digest of a window as it is rebuilt, to be set against the one that was recorded. */
export function digestOfItems(items: readonly Item[]): string {
	return digestOf(items, (text) => sha256Node(new TextEncoder().encode(text)));
}
