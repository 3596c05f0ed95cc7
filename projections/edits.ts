import { isDraft, original } from "immer";
import type { EntryEvent } from "../events/entry.ts";
import { lookUp } from "./buckets.ts";
import type { EntryNode, SessionTree, Weight } from "./session-tree.ts";

/** What an edit leaves of an entry. */
type Edited = Pick<EntryNode, "omits" | "opens" | "leaves">;

type Edits = ReadonlyMap<string, Edited>;

interface Tree extends Pick<SessionTree, "nodes"> {
	/** what a reducer has not put there yet; a draft, which is slow to read */
	readonly fresh?: SessionTree["nodes"];
}

const NOTHING: Weight = { chars: 0, images: 0 };

/** The edits on the path to a leaf that are deeper than `above`, newest first. O(edits there). */
export function* editsUpFrom(tree: Tree, leaf: string | null, above = -1): Generator<EntryNode> {
	let node = at(tree, at(tree, leaf)?.lastEdit ?? null);
	while (node && node.depth > above) {
		yield node;
		node = at(tree, at(tree, node.parent)?.lastEdit ?? null);
	}
}

/**
 * The newest edit of each edited entry on the path, by the entry's id: of those deeper than `above`. O(edits there).
 */
export function editsAt(tree: Tree, leaf: string | null, above = -1): Map<string, EntryNode> {
	const edits = new Map<string, EntryNode>();
	for (const edit of editsUpFrom(tree, leaf, above))
		if (edit.target !== undefined && !edits.has(edit.target)) edits.set(edit.target, edit);
	return edits;
}

/** What edits deeper than an entry changed about entries at or above it, which are hidden there. O(edits deeper). */
export function changesAbove(tree: Tree, leaf: string | null, hidden: EntryNode): Weight {
	let { chars, images } = NOTHING;
	for (const { target, changes } of editsUpFrom(tree, leaf, hidden.depth)) {
		if (!changes || (at(tree, target)?.depth ?? 0) > hidden.depth) continue;
		chars += changes.chars;
		images += changes.images;
	}
	return { chars, images };
}

/**
 * By how much an edit that arrives changes what its path weighs: the difference it makes to its target and, where it
 * takes away or gives calls, to the results that answer them. O(entries since the target).
 */
export function changesBy(state: Tree, { parent, target, ...edit }: EntryEvent["data"]): Weight {
	const tree = asRead(state);
	const edited = at(tree, target);
	if (edited?.fate !== "sent") return NOTHING;
	let results: EntryNode[] = [];
	let node = at(tree, parent);
	for (; node && node.depth > edited.depth; node = at(tree, node.parent)) {
		if (node.fate !== "sent") continue;
		if (node.role === "result") results.push(node);
		else results = [];
	}
	if (node?.id !== edited.id) return NOTHING;
	const asker = edited.role === "result" ? askerOf(tree, edited) : undefined;
	const before = editsAt(tree, parent, (asker ?? edited).depth);
	const leaves = { chars: edit.chars, images: edit.images };
	const after: Edits = new Map<string, Edited>(before).set(edited.id, {
		omits: edit.omits ?? false,
		opens: edit.opens ?? [],
		leaves,
	});
	let { chars, images } = NOTHING;
	for (const one of edited.role === "result" ? [edited] : [edited, ...results]) {
		const was = weightUnder(tree, one, before);
		const is = weightUnder(tree, one, after);
		chars += is.chars - was.chars;
		images += is.images - was.images;
	}
	return { chars, images };
}

/** Characters of thinking behind one entry and down to another, less that of entries that were edited since. */
export function thoughtBetween(
	tree: Tree,
	above: string | null,
	below: string | null,
	edited: Iterable<string>,
): number {
	const [from, to] = [at(tree, above), at(tree, below)];
	let chars = (to?.thought ?? 0) - (from?.thought ?? 0);
	for (const id of edited) {
		const { depth = -1, thinking = 0 } = at(tree, id) ?? {};
		if (depth > (from?.depth ?? -1) && depth <= (to?.depth ?? -1)) chars -= thinking;
	}
	return Math.max(0, chars);
}

/** Whether edits take an entry out, or the call that it answers. O(entries since the call). */
export function isTakenOut(tree: Tree, node: EntryNode, edits: Edits): boolean {
	if (edits.get(node.id)?.omits) return true;
	if (node.role !== "result") return false;
	const asker = askerOf(tree, node);
	const made = asker && (edits.get(asker.id) ?? asker);
	return !made || edits.get(asker.id)?.omits === true || !made.opens.includes(node.answers ?? "");
}

/** What an entry adds to a request, edited. */
function weightUnder(tree: Tree, node: EntryNode, edits: Edits): Weight {
	return isTakenOut(tree, node, edits) ? NOTHING : (edits.get(node.id)?.leaves ?? node.weight);
}

/** The message whose calls a result comes behind. O(entries between). */
function askerOf(tree: Tree, result: EntryNode): EntryNode | undefined {
	let node = at(tree, result.parent);
	while (node && (node.fate !== "sent" || node.role === "result")) node = at(tree, node.parent);
	return node;
}

/** A tree to walk far in: nodes that a draft has as they were before it are read past it, 50 times as fast. */
function asRead({ nodes }: Tree): Tree {
	const settled: SessionTree["nodes"] | undefined = isDraft(nodes)
		? (original<unknown>(nodes) as SessionTree["nodes"])
		: undefined;
	return settled ? { nodes: settled, fresh: nodes } : { nodes };
}

function at({ nodes, fresh }: Tree, id: string | null | undefined): EntryNode | undefined {
	if (id === null || id === undefined) return undefined;
	return lookUp(nodes, id) ?? (fresh && lookUp(fresh, id));
}
