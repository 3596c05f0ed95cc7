import { nodeOf, type SessionTree } from "../../projections/session-tree.ts";
import type { History } from "./history.ts";

/**
 * Requests in a row on one path, between which nothing was decided, edited or compacted: the window only grew, so that
 * how an entry stands in the last of them is how it stood in each that had it.
 */
export interface RequestRun {
	/** of the first request, by index */
	readonly first: number;
	/** of the last one */
	readonly last: number;
	/** leaf of the last one; those of the others are at or above it */
	readonly leaf: string | null;
	/** depth of the last entry that it shares with the path of the run before; -1 for none */
	readonly joins: number;
}

type Growing = { -readonly [Key in keyof RequestRun]: RequestRun[Key] };

interface Known {
	readonly runs: Growing[];
	requests: number;
}

const known = new WeakMap<History, Known>();

/**
 * The requests of a history in runs. Worked out once for a history, and gone on with where that grew. O(requests, and
 * entries between their leaves).
 */
export function requestRuns(history: History): readonly RequestRun[] {
	const { states, requests } = history;
	const so = known.get(history) ?? { runs: [], requests: 0 };
	known.set(history, so);
	for (; so.requests < requests.length; so.requests++) {
		const leaf = requests[so.requests]?.prepared.leaf ?? null;
		const run = so.runs.at(-1);
		const joins = run ? sharedDepth(states.tree, run.leaf, leaf) : -1;
		if (run && joins === depthOf(states.tree, run.leaf) && isSteady(states.tree, run.leaf, leaf)) {
			run.last = so.requests;
			run.leaf = leaf;
		} else so.runs.push({ first: so.requests, last: so.requests, leaf, joins });
	}
	return so.runs;
}

/** Index of the first request of a run whose leaf is at least so deep. O(log requests). */
export function firstAsDeep(
	{ states, requests }: History,
	{ first, last }: RequestRun,
	depth: number,
): number {
	let [low, high] = [first, last];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (depthOf(states.tree, requests[middle]?.prepared.leaf ?? null) >= depth) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** Depth of the last entry that is on both paths; -1 where they share none. O(entries between). */
function sharedDepth(tree: SessionTree, one: string | null, other: string | null): number {
	let [a, b] = [nodeOf(tree, one), nodeOf(tree, other)];
	while (a && b && a.id !== b.id) {
		if (a.depth >= b.depth) a = nodeOf(tree, a.parent);
		else b = nodeOf(tree, b.parent);
	}
	return a && b ? a.depth : -1;
}

function isSteady(tree: SessionTree, before: string | null, leaf: string | null): boolean {
	const [was, is] = [nodeOf(tree, before), nodeOf(tree, leaf)];
	return (
		was?.decision === is?.decision &&
		was?.lastCompaction === is?.lastCompaction &&
		was?.lastEdit === is?.lastEdit
	);
}

function depthOf(tree: SessionTree, id: string | null): number {
	return nodeOf(tree, id)?.depth ?? -1;
}
