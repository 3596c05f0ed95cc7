import { partsOf } from "../../projections/forest.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { entriesOf, foldSpans, isHidden } from "./fold-spans.ts";

/** Which part of the originals is wanted, in bytes. */
export interface Slice {
	/** from 0 */
	readonly offset: number;
	/** at most so many */
	readonly bytes: number;
}

/** The originals behind a fold or an entry, as far as a slice reaches. */
export interface ReadBack {
	readonly id: string;
	/** messages it holds */
	readonly entries: number;
	/** folds right below a group, oldest first */
	readonly children: readonly string[];
	/** bytes of the whole: each entry's own, one on a line */
	readonly total: number;
	readonly offset: number;
	/** whole characters of the slice */
	readonly text: string;
	/** where the rest begins; absent where nothing is left */
	readonly next?: number;
}

/** Content by its digest, checked against it; absent where it is not stored. */
export type ReadContent = (digest: string) => Uint8Array | undefined;

/**
 * Reads back what a fold stands for, what an entry holds, or the result that answered a call. `undefined` where nothing
 * has this id; throws a `RangeError` where an original is no longer stored.
 */
export function readBack(
	states: SessionStates,
	content: ReadContent,
	id: string,
	slice: Slice,
): ReadBack | undefined {
	const span = foldSpans(states).get(id);
	const entry = span ? undefined : (nodeOf(states.tree, id) ?? answerTo(states, id));
	const nodes = span ? entriesOf(states.tree, span).filter(isHidden) : entry ? [entry] : undefined;
	if (!nodes) return undefined;
	const whole = Buffer.concat(
		nodes.flatMap((node, n) => [...(n > 0 ? [NEWLINE] : []), bytesOf(content, node)]),
	);
	const level = span?.text.level ?? 0;
	const children = span && level > 0 ? partsOf(states.forest, span.cut, level).map(({ fold }) => fold) : [];
	const start = boundary(whole, Math.min(slice.offset, whole.length));
	const end = boundary(whole, Math.min(start + slice.bytes, whole.length));
	return {
		id,
		entries: nodes.length,
		children,
		total: whole.length,
		offset: start,
		text: whole.toString("utf8", start, end),
		...(end < whole.length && { next: end }),
	};
}

const NEWLINE = Buffer.from("\n");

/** The newest result on the path to the leaf that answers a call. */
function answerTo({ tree }: SessionStates, call: string): EntryNode | undefined {
	let node = nodeOf(tree, tree.leaf);
	while (node && node.answers !== call) node = nodeOf(tree, node.parent);
	return node;
}

function bytesOf(content: ReadContent, { id, digest }: EntryNode): Uint8Array {
	const bytes = content(digest);
	if (!bytes) throw new RangeError(`the original of ${id} is no longer stored`);
	return bytes;
}

/** The nearest place at or before `at` where a character begins. */
function boundary(bytes: Uint8Array, at: number): number {
	let place = at;
	while (place > 0 && place < bytes.length && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
	return place;
}
