import { type Cut, cutOf } from "../../projections/forest.ts";
import { type EntryNode, nodeOf, stretch } from "../../projections/session-tree.ts";
import type { WindowState } from "../../projections/window-plan.ts";

/**
 * The entries that must go together with one, itself included, in path order: a reply with calls and all results that
 * answer them; anything else stands alone, what is never sent too. `path` holds the whole path, root first. O(path).
 */
export function unitAround(path: ReadonlyMap<string, EntryNode>, node: EntryNode): EntryNode[] {
	const nodes = [...path.values()];
	if (node.fate !== "sent") return [node];
	const asks = (other: EntryNode) => other.fate === "sent" && other.opens.includes(node.answers ?? "");
	const opener =
		node.role === "result" ? nodes.findLast((other) => other.depth < node.depth && asks(other)) : node;
	if (!opener || opener.opens.length === 0) return [node];
	const unit = [opener];
	const waiting = new Set(opener.opens);
	for (const other of nodes.slice(nodes.indexOf(opener) + 1)) {
		if (waiting.size === 0) break;
		if (other.fate !== "sent") continue;
		if (other.role !== "result") break;
		if (waiting.delete(other.answers ?? "")) unit.push(other);
	}
	return unit;
}

/**
 * The unit of a message in a cut at or before another; a cut takes whole units. None where no cut took it. O(the cut's
 * entries).
 */
export function unitWithin(state: WindowState, through: Cut, node: EntryNode): EntryNode[] {
	const cut = cutAround(state, through, node.depth);
	if (!cut) return [];
	return unitAround(new Map(stretch(state.tree, cut.to, node.depth - 1).map((one) => [one.id, one])), node);
}

/** The cut, at or before one, whose stretch reaches over a depth. O(log cuts), past whole groups at once. */
function cutAround({ tree, forest }: WindowState, through: Cut, depth: number): Cut | undefined {
	const depthOf = (id: string) => nodeOf(tree, id)?.depth ?? -1;
	let cut: Cut | undefined = through;
	while (cut && depthOf(cut.from) > depth) {
		const above: (Cut | undefined)[] = [cut.before, ...cut.tens].map((id) => cutOf(forest, id));
		cut = above.findLast((one) => one && depthOf(one.to) >= depth);
	}
	return cut && depthOf(cut.to) >= depth ? cut : undefined;
}
