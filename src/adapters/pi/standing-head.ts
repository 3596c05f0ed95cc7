import { editsUpFrom } from "../../../projections/edits.ts";
import { type FoldedHead, foldedHead } from "../../../projections/folded-head.ts";
import { isShredded } from "../../../projections/memory/positions.ts";
import { nodeOf, type SessionTree } from "../../../projections/session-tree.ts";
import { planAt } from "../../../projections/window-plan.ts";
import { SHREDDED } from "../../debug/shredded.ts";
import type { Engine } from "../../engine/engine.ts";

/** What a commit puts in place of the entries it folded, with the texts: enough to project any request below its node. */
export interface StandingHead {
	readonly head: FoldedHead;
	/** by digest */
	readonly texts: ReadonlyMap<string, string>;
	/** the entry that carries the decision; the head stands only below it */
	readonly node: string;
	/** edits of the path that its texts heed, by their entries' ids */
	readonly edits: ReadonlySet<string>;
	/** the last of them */
	readonly lastEdit: string | null;
	/** how much of the session was destroyed on purpose */
	readonly shredded: number;
}

/**
 * What stands at a leaf; `undefined` where no fold is in force there. The one made before is kept while its plan is in
 * force and nothing on the path was edited since.
 */
export function standingHead(
	engine: Engine,
	leaf: string | null,
	before: StandingHead | undefined,
): StandingHead | undefined {
	const plan = planAt(engine.states, leaf);
	if (!plan || (plan.through === null && plan.clips.size === 0)) return undefined;
	const lastEdit = nodeOf(engine.states.tree, leaf)?.lastEdit ?? null;
	const shredded = Object.keys(engine.states.memory.shredded).length;
	const isAsBefore = before?.lastEdit === lastEdit && before.shredded === shredded;
	if (before?.head.decision === plan.id && isAsBefore) return before;
	const node = carrierAbove(engine.states.tree, leaf);
	if (node === undefined) return undefined;
	const head = foldedHead(engine.states, plan, leaf);
	const texts = new Map<string, string>();
	const digests = head.parts.flatMap((part) => ("text" in part ? [part.text] : []));
	for (const digest of [...digests, ...head.clips.values()]) {
		const bytes = engine.content(digest);
		if (bytes) texts.set(digest, new TextDecoder().decode(bytes));
		else if (isShredded(engine.states, digest)) texts.set(digest, SHREDDED);
		else throw new RangeError(`the text ${digest} of a fold is not in the log`);
	}
	const edits = new Set([...editsUpFrom(engine.states.tree, leaf)].map(({ id }) => id));
	return { head, texts, node, edits, lastEdit, shredded };
}

/** The entry that carries the decision in force at a leaf; `undefined` where none is. O(entries below it). */
export function carrierAbove(tree: SessionTree, leaf: string | null): string | undefined {
	let node = nodeOf(tree, leaf);
	if (!node || node.decision === null) return undefined;
	for (let above = nodeOf(tree, node?.parent ?? null); above; above = nodeOf(tree, node?.parent ?? null)) {
		if (above.decision !== node?.decision) break;
		node = above;
	}
	return node?.id;
}
