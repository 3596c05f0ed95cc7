import { editsAt } from "../../projections/edits.ts";
import { partsOf } from "../../projections/forest.ts";
import { type KeptOutput, type Outputs, outputOf } from "../../projections/outputs.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { type BytePart, onLines, partOf, textOf } from "./byte-parts.ts";
import { entriesOf, foldSpans, isHidden } from "./fold-spans.ts";
import { outputPart, type ReadContent } from "./read-output.ts";
import { SHREDDED, shreddedWords } from "./shredded.ts";

/** Which part of the originals is wanted, in bytes. */
export interface Slice {
	/** from 0 */
	readonly offset: number;
	/** at most so many */
	readonly bytes: number;
}

/** A slice that begins behind the last byte there is. */
export class BeyondEnd extends RangeError {
	override readonly name = "BeyondEnd";
}

/** The originals behind a fold or an entry, as far as a slice reaches. */
export interface ReadBack {
	readonly id: string;
	/** messages it holds */
	readonly entries: number;
	/** folds right below a group, oldest first */
	readonly children: readonly string[];
	/** the one entry that was asked for */
	readonly entry?: string;
	/** a whole output that stands before the entry's own bytes, a line before them */
	readonly output?: WholeOutput;
	/** messages that were edited: the entry that edits them stands in their place, and they are the user's to read */
	readonly edited: readonly string[];
	/** whole outputs of entries inside a fold, which are read by the entries' ids and are no part of it */
	readonly outputs: readonly WholeOutput[];
	/** bytes of the whole: each entry's own, one on a line */
	readonly total: number;
	readonly offset: number;
	/** whole characters of the slice */
	readonly text: string;
	/** why the whole output behind the entry is not here, in words; an adapter's to tell */
	readonly missing?: string;
	/** where the rest begins; absent where nothing is left */
	readonly next?: number;
}

/** All that a tool gave out, where the result shows a part of it. */
interface WholeOutput {
	/** the result's entry */
	readonly entry: string;
	/** the tool that made it; `!` for a command of the user's own */
	readonly source: string;
	readonly bytes: number;
}

/**
 * Reads back what a fold stands for, what an entry holds, or the result that answered a call, for the model: where
 * edits of the path to the leaf changed it, they are read in its place. Where the host cut the result short and its
 * whole output was kept, that comes first: it is what is asked for, and the message shows a part of it again.
 * What was destroyed on purpose stands as words that say so. `undefined` where nothing has this id; throws a {@link BeyondEnd} where the slice begins behind the last byte, and
 * another `RangeError` where an original is no longer stored.
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
	const edits = editsAt(states.tree, states.tree.leaf);
	const left = nodes.filter(({ id }) => !edits.has(id));
	const output = left.length > 0 && entry ? outputOf(states.outputs, entry.id) : undefined;
	const originals = nodes.map((node) => partOf(bytesOf(states, content, edits.get(node.id) ?? node)));
	const whole = onLines(output ? [outputOrWords(states, output, content), ...originals] : originals);
	if (slice.offset > 0 && slice.offset >= whole.bytes)
		throw new BeyondEnd(
			`${id} holds ${whole.bytes} bytes, counted from 0: byte ${slice.offset} is behind the last`,
		);
	const level = span?.text.level ?? 0;
	const children = span && level > 0 ? partsOf(states.forest, span.cut, level).map(({ fold }) => fold) : [];
	const { start, end, text } = textOf(whole, slice.offset, slice.bytes);
	return {
		id,
		entries: nodes.length,
		children,
		...(entry && { entry: entry.id }),
		...(output && { output: wholeOutput(output) }),
		edited: nodes.flatMap(({ id }) => (edits.has(id) ? id : [])),
		outputs: span ? outputsOf(states.outputs, left) : [],
		total: whole.bytes,
		offset: start,
		text,
		...(end < whole.bytes && { next: end }),
	};
}

/** The newest result on the path to the leaf that answers a call. */
export function answerTo({ tree }: SessionStates, call: string): EntryNode | undefined {
	let node = nodeOf(tree, tree.leaf);
	while (node && node.answers !== call) node = nodeOf(tree, node.parent);
	return node;
}

function bytesOf(states: SessionStates, content: ReadContent, { id, digest }: EntryNode): Uint8Array {
	const bytes = content(digest);
	const words = bytes ? undefined : shreddedWords(states, digest);
	if (words !== undefined) return new TextEncoder().encode(words);
	if (!bytes) throw new RangeError(`the original of ${id} is no longer stored`);
	return bytes;
}

function outputOrWords(states: SessionStates, output: KeptOutput, content: ReadContent): BytePart {
	const gone = output.pieces.find((digest) => shreddedWords(states, digest) !== undefined);
	return gone === undefined ? outputPart(output, content) : partOf(new TextEncoder().encode(SHREDDED));
}

function outputsOf(outputs: Outputs, nodes: readonly EntryNode[]): WholeOutput[] {
	return nodes.flatMap(({ id }) => outputOf(outputs, id) ?? []).map(wholeOutput);
}

function wholeOutput({ entry, source, bytes }: WholeOutput): WholeOutput {
	return { entry, source, bytes };
}
