import type { DecisionEvent } from "../../projections/plans.ts";
import { nodeOf, type SessionTree } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { Store } from "../store/store.ts";
import type { Decision } from "./decision.ts";

/** The cause that a decision names which was taken while its session did not run. */
export const FROM_OUTSIDE = "palimpsest undo";

/** A decision whose event was written and whose node was not: it is not in force anywhere. */
export interface UnplacedDecision extends Decision {
	/** leaf at which it was decided */
	readonly parent: string | null;
	/** hex SHA-256 of its event as stored */
	readonly hash: string;
	/** whether it was taken while the session did not run, so that nobody could write its node */
	readonly isFromOutside: boolean;
}

/**
 * The decisions that are still to be placed, oldest first: the newest, where no entry was recorded behind its event, as
 * where a process did not live to place it or it was decided from outside; and those it builds on that are in the same
 * case. One that other entries came behind was met at an earlier opening. O(events behind them, up to the next entry).
 */
export async function unplacedDecisions(
	store: Store,
	stream: string,
	{ plans }: Pick<SessionStates, "plans">,
): Promise<UnplacedDecision[]> {
	const found: UnplacedDecision[] = [];
	let position: number | null = [...plans.after.keys()].at(-1) ?? null;
	let end = store.head(stream).version;
	while (position !== null && !(await entryBetween(store, stream, position + 1, end))) {
		const stored = store.event(stream, position);
		if (!stored) break;
		const event = { type: stored.type, data: stored.data } as DecisionEvent;
		const { id, parent, on } = event.data;
		const isFromOutside = stored.cause === FROM_OUTSIDE;
		found.unshift({ id, position, event, parent, hash: stored.hash, isFromOutside });
		end = position;
		position = on;
	}
	return found;
}

async function entryBetween(store: Store, stream: string, from: number, to: number): Promise<boolean> {
	for await (const { type } of store.read(stream, { from, to: Math.max(from, to), chunk: 250 })) {
		if (type === "entry/recorded") return true;
	}
	return false;
}

/**
 * Whether a decision may still be placed at a leaf: its parent is on the path there, behind that stands nothing that
 * changes what the model reads, and in force is what it builds on. O(entries behind it).
 */
export function mayBePlaced(
	tree: SessionTree,
	leaf: string | null,
	{ parent, event }: Pick<UnplacedDecision, "parent" | "event">,
): boolean {
	let node = nodeOf(tree, leaf);
	if ((node?.decision ?? null) !== event.data.on) return false;
	while (node && node.id !== parent) {
		if (node.role !== undefined || node.kind === "contextEdit") return false;
		node = nodeOf(tree, node.parent);
	}
	return (node?.id ?? null) === parent;
}
