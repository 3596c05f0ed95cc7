import type { EntryNode } from "../../projections/session-tree.ts";

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
