import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { History, PastRequest } from "./history.ts";
import { tokensThen } from "./past-sizes.ts";

/** Entries on the path of a request that are not on the path of another, root first. O(those below where both part). */
export function passedBetween(history: History, before: PastRequest, now: PastRequest): EntryNode[] {
	const { tree } = history.states;
	let a = nodeOf(tree, before.prepared.leaf);
	let b = nodeOf(tree, now.prepared.leaf);
	const passed: EntryNode[] = [];
	while (b && a?.id !== b.id) {
		const [up, over] = [b.depth, a?.depth ?? -1];
		if (over >= up) a = nodeOf(tree, a?.parent ?? null);
		if (up < over) continue;
		passed.push(b);
		b = nodeOf(tree, b.parent);
	}
	return passed.reverse();
}

/** Estimated tokens of what entries add to a request, whole. */
export function tokensIn({ sizes }: PastRequest, nodes: readonly EntryNode[]): number {
	let [chars, images] = [0, 0];
	for (const { fate, weight } of nodes) {
		if (fate !== "sent") continue;
		chars += weight.chars;
		images += weight.images;
	}
	return tokensThen(sizes, { chars, images });
}

/** Content blocks in entries, about: thinking, words and calls are one each. */
export function blocksIn(nodes: readonly EntryNode[]): number {
	let blocks = 0;
	for (const { fate, opens, thinking, weight } of nodes) {
		if (fate !== "sent") continue;
		const thinks = thinking > 0 ? 1 : 0;
		const speaks = opens.length === 0 && weight.chars > thinking ? 1 : 0;
		blocks += Math.max(1, opens.length + thinks + speaks);
	}
	return blocks;
}
