import type { DecisionEvent } from "../../projections/plans.ts";
import { nodeOf, type SessionTree } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { Store } from "../store/store.ts";
import type { Decision } from "./decision.ts";

/** A decision whose event was written and whose node was not: it is not in force anywhere. */
export interface UnplacedDecision extends Decision {
	/** leaf at which it was decided */
	readonly parent: string | null;
	/** hex SHA-256 of its event as stored */
	readonly hash: string;
}

/**
 * The decision a process did not live to place: the newest, where no entry was recorded behind its event. One that
 * other entries came behind was met at an earlier opening. O(events behind it, up to the next entry).
 */
export async function unplacedDecision(
	store: Store,
	stream: string,
	{ plans }: SessionStates,
): Promise<UnplacedDecision | undefined> {
	const position = [...plans.after.keys()].at(-1);
	const stored = position === undefined ? undefined : store.event(stream, position);
	if (position === undefined || !stored) return undefined;
	for await (const { type } of store.read(stream, { from: position + 1, chunk: 250 })) {
		if (type === "entry/recorded") return undefined;
	}
	const event = { type: stored.type, data: stored.data } as DecisionEvent;
	return { id: event.data.id, position, event, parent: event.data.parent, hash: stored.hash };
}

/**
 * Whether a decision may still be placed at a leaf: its parent is on the path there, and behind that stand no decision
 * and nothing that changes what the model reads. O(entries behind it).
 */
export function mayBePlaced(
	tree: SessionTree,
	leaf: string | null,
	{ parent }: Pick<UnplacedDecision, "parent">,
): boolean {
	const inForce = nodeOf(tree, parent)?.decision ?? null;
	let node = nodeOf(tree, leaf);
	while (node && node.id !== parent) {
		if (node.role !== undefined || node.kind === "contextEdit" || node.decision !== inForce) return false;
		node = nodeOf(tree, node.parent);
	}
	return (node?.id ?? null) === parent;
}
