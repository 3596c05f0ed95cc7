import { type Cut, lastCutOf } from "../../projections/forest.ts";
import type { DecisionEvent } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { History, PastStep } from "./history.ts";

/** What an id means in a history, on whatever branch. */
export type Named =
	| { readonly kind: "entry"; readonly id: string; readonly node: EntryNode }
	| { readonly kind: "fold"; readonly id: string; readonly cut: Cut }
	| { readonly kind: "decision"; readonly id: string; readonly step: PastStep<DecisionEvent> };

/**
 * What is called so: an entry, the newest result that answers a call, a fold or a decision; or, where nothing is, the
 * only thing whose id begins so, of four characters at least. O(1) for entries and folds, else O(entries).
 */
export function namedIn(history: History, id: string): Named | undefined {
	const exact = exactly(history, id);
	if (exact || id.length < SHORTEST_ID) return exact;
	const longer = new Set<string>();
	for (const known of knownIds(history)) if (known.startsWith(id)) longer.add(known);
	const [only] = longer;
	return longer.size === 1 ? exactly(history, only as string) : undefined;
}

/** Characters an id is cut short to at most. */
export const SHORTEST_ID = 4;

function exactly(history: History, id: string): Named | undefined {
	const { states, decisions } = history;
	const node = nodeOf(states.tree, id);
	if (node) return { kind: "entry", id, node };
	const cut = lastCutOf(states.forest, id);
	if (cut) return { kind: "fold", id, cut };
	const step = decisions.find(({ event }) => event.data.id === id);
	if (step) return { kind: "decision", id, step };
	const answer = answerTo(history, id);
	return answer && { kind: "entry", id: answer.id, node: answer };
}

/** The newest result that answers a call; where none does, the message that makes it. */
function answerTo({ states }: History, call: string): EntryNode | undefined {
	let found: EntryNode | undefined;
	for (const bucket of states.tree.nodes)
		for (const node of bucket.values()) {
			const rank = node.answers === call ? 2 : node.opens.includes(call) ? 1 : 0;
			const best = found?.answers === call ? 2 : found ? 1 : 0;
			if (rank > best || (rank > 0 && rank === best && node.depth > (found?.depth ?? -1))) found = node;
		}
	return found;
}

/** Every id there is: of entries, calls, folds and decisions; some more than once. */
export function* knownIds({ states, decisions }: History): Generator<string> {
	for (const bucket of states.tree.nodes) {
		yield* bucket.keys();
		for (const { opens } of bucket.values()) yield* opens;
	}
	for (const bucket of states.forest.cuts)
		for (const { texts } of bucket.values()) for (const { fold } of texts) yield fold;
	for (const { event } of decisions) yield event.data.id;
}
