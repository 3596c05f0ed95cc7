import { editsUpFrom } from "../../../projections/edits.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import { nodeOf, type SessionTree } from "../../../projections/session-tree.ts";

/** Which documents of an index are on the path to a leaf. The last path is kept, and grows with the session. */
export class Branch {
	readonly #records: readonly RecallRecord[];
	readonly #numbers = new Map<string, number>();
	#bits = new Uint8Array(0);
	/** the leaf that `#bits` is of; `undefined` before anything was asked */
	#leaf: string | null | undefined;

	/** `records` may grow; a document never changes its number. */
	constructor(records: readonly RecallRecord[]) {
		this.#records = records;
	}

	/** Tells by number whether a document is on the path to a leaf. O(what is new since the last time). */
	at(tree: SessionTree, leaf: string | null): (document: number) => boolean {
		const known = this.#numbers.size;
		if (leaf === this.#leaf && known === this.#records.length) return this.#isOnPath();
		for (let number = known; number < this.#records.length; number++)
			this.#numbers.set((this.#records[number] as RecallRecord).id, number);
		const grown = new Uint8Array(this.#records.length);
		grown.set(this.#bits);
		const added: string[] = [];
		let node = nodeOf(tree, leaf);
		for (; node && node.id !== this.#leaf; node = nodeOf(tree, node.parent)) added.push(node.id);
		if (!node) grown.fill(0);
		// the path to the last leaf may have been asked for before its documents were there
		for (; node && this.#isLate(node.id, known); node = nodeOf(tree, node.parent)) added.push(node.id);
		for (const id of added) {
			const number = this.#numbers.get(id);
			if (number !== undefined) grown[number] = 1;
		}
		this.#bits = grown;
		this.#leaf = leaf;
		return this.#isOnPath();
	}

	/**
	 * As {@link at}, without what edits on the path took out of the model's sight, edits that were edited again among it:
	 * what stands instead is on it too.
	 */
	forModel(tree: SessionTree, leaf: string | null): (document: number) => boolean {
		const isOnPath = this.at(tree, leaf);
		const hidden = new Set<number>();
		for (const id of hiddenAt(tree, leaf)) hidden.add(this.#numbers.get(id) ?? -1);
		return hidden.size === 0 ? isOnPath : (document) => isOnPath(document) && !hidden.has(document);
	}

	#isOnPath(): (document: number) => boolean {
		const bits = this.#bits;
		return (document) => bits[document] === 1;
	}

	#isLate(id: string, known: number): boolean {
		const number = this.#numbers.get(id);
		return number === undefined || number >= known;
	}
}

/** Ids of what was edited, and of edits that a later one took the place of. O(edits on the path). */
function hiddenAt(tree: SessionTree, leaf: string | null): Set<string> {
	const hidden = new Set<string>();
	for (const { id, target } of editsUpFrom(tree, leaf)) {
		if (target === undefined) continue;
		if (hidden.has(target)) hidden.add(id);
		else hidden.add(target);
	}
	return hidden;
}
