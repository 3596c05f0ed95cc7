import { lookUp } from "./buckets.ts";
import { editsAt, editsUpFrom } from "./edits.ts";
import { cutOf, type FoldText, type Forest, type Rewriting, type Standing, standingParts } from "./forest.ts";
import type { Plan, ReceiptInView, TextInView } from "./plans.ts";
import { isFoldable, type SessionTree } from "./session-tree.ts";

/** What texts are read from. */
export interface TextState {
	readonly tree: Pick<SessionTree, "nodes">;
	readonly forest: Forest;
}

/** What the edits on the path to a leaf made of the texts of folds, oldest first. O(edits on the path). */
export function rewritingsAt({ tree, forest }: TextState, leaf: string | null): Rewriting[] {
	const rewritings: Rewriting[] = [];
	for (const { id } of editsUpFrom(tree, leaf)) {
		const rewriting = lookUp(forest.rewritten, id);
		if (rewriting) rewritings.push(rewriting);
	}
	return rewritings.reverse();
}

/** A text as edits leave it. */
export function rewritten(text: FoldText, rewritings: readonly Rewriting[]): FoldText {
	let left = text;
	for (const rewriting of rewritings) left = rewriting.get(left.text) ?? left;
	return left;
}

/**
 * The text that stands for a fold under a plan where it is closed: what was written for it, or supplied, as edits leave
 * it.
 */
export function textUnder(
	{ texts }: Pick<Plan, "texts">,
	written: FoldText,
	rewritings: readonly Rewriting[],
): FoldText {
	return rewritten(texts.get(written.fold) ?? written, rewritings);
}

/**
 * What stands under a plan for everything that is folded, oldest first, each text as the edits on a path leave it. O(texts
 * that stand, edits on the path and entries that are held).
 */
export function standingAt(
	state: TextState,
	leaf: string | null,
	plan: Pick<Plan, "through" | "expanded" | "texts"> & Partial<Pick<Plan, "held">>,
): Standing[] {
	const standing = standingParts(state.forest, plan.through, plan);
	const rewritings = rewritingsAt(state, leaf);
	const left =
		rewritings.length === 0
			? standing
			: standing.map((part) => ({ ...part, text: rewritten(part.text, rewritings) }));
	return plan.held && plan.held.length > 0 ? withBare(state, leaf, left, plan.held) : left;
}

/** Whether a part is shown by its text: it is closed, something of what it stands for is left, and not all of it raw. */
export function isTextShown({ text, isOpen, isBare }: Standing): boolean {
	return !isOpen && text.gone !== true && isBare !== true;
}

/** Parts, with those marked of which every message that edits left is held. */
function withBare(
	{ tree, forest }: TextState,
	leaf: string | null,
	standing: readonly Standing[],
	entries: readonly string[],
): Standing[] {
	const held = entries.flatMap((id) => {
		const node = lookUp(tree.nodes, id);
		return node && isFoldable(node) ? [node] : [];
	});
	const ids = new Set(held.map(({ id }) => id));
	const edits = editsAt(tree, leaf);
	let next = 0;
	let above = (lookUp(tree.nodes, cutOf(forest, standing[0]?.cut.id ?? null)?.origin ?? "")?.depth ?? 0) - 1;
	while ((held[next]?.depth ?? Number.POSITIVE_INFINITY) <= above) next++;
	return standing.map((part) => {
		const from = above;
		const first = next;
		let node = lookUp(tree.nodes, part.cut.to);
		above = node?.depth ?? above;
		while ((held[next]?.depth ?? Number.POSITIVE_INFINITY) <= above) next++;
		if (next === first || part.isOpen) return part;
		for (; node && node.depth > from; node = lookUp(tree.nodes, node.parent ?? "")) {
			const isTold = node.fate === "sent" && isFoldable(node) && edits.get(node.id)?.omits !== true;
			if (isTold && !ids.has(node.id)) return part;
		}
		return { ...part, isBare: true };
	});
}

/** What a commit tells: plainly, where something that was said before it, which it may quote, was edited since. O(edits since). */
export function receiptInView(
	{ tree }: Pick<TextState, "tree">,
	leaf: string | null,
	{ parent }: Pick<Plan, "parent">,
	{ plain, text, chars }: ReceiptInView,
): TextInView {
	if (!plain) return { text, chars };
	const node = (id: string | null | undefined) => (id ? lookUp(tree.nodes, id) : undefined);
	const to = node(parent)?.depth ?? -1;
	for (const { target } of editsUpFrom(tree, leaf, to)) {
		const edited = node(target);
		if (edited?.fate !== "sent" || edited.role === "system") continue;
		if (edited.depth <= to) return plain;
	}
	return { text, chars };
}
