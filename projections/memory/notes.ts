import { type EntryNode, nodeOf, type SessionTree } from "../session-tree.ts";

/** Messages of ours about memory on the path to an entry, the last one first. */
export function* memoryNotes(tree: SessionTree, at: EntryNode | undefined): Generator<EntryNode> {
	for (
		let node = nodeOf(tree, at?.lastMemory ?? null);
		node;
		node = nodeOf(tree, nodeOf(tree, node.parent)?.lastMemory ?? null)
	)
		yield node;
}

/**
 * The messages that say what is remembered where a path stands, the last one first: the newest block, and what was told
 * to hold or no longer to hold since. They are not folded while they are in force.
 */
export function memoryInForce(tree: SessionTree, at: EntryNode | undefined): EntryNode[] {
	const inForce: EntryNode[] = [];
	for (const node of memoryNotes(tree, at)) {
		const { block, told, gone } = node.memory ?? {};
		if (block || told || gone) inForce.push(node);
		if (block) break;
	}
	return inForce;
}
