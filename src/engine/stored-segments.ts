import {
	blocksFor,
	type FoundTerm,
	findInBlock,
	type Sought,
	soughtOf,
} from "../../projections/recall/blocks.ts";
import {
	blockKey,
	decodeJson,
	documentsKey,
	firstsKey,
	rowName,
	type TermSpace,
} from "../../projections/recall/rows.ts";
import { type RecallRecord, recordsIn } from "../../projections/recall/segment.ts";
import { StoreError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import { MOST_BLOCKS } from "./segment-search.ts";

/** Blocks kept in memory, about a KB each. */
const KEPT_BLOCKS = 8192;

/** More blocks than a segment has of one space. */
const BLOCKS = 2 ** 32;

/** A segment in the store. */
interface StoredSegment {
	/** number of its first document */
	readonly first: number;
	/** the first term of each of its blocks */
	readonly firsts: { readonly [S in TermSpace]: readonly string[] };
}

/** The segments of an index whose rows are all in a store, and the blocks of them that were read last. */
export class StoredSegments {
	readonly #store: Pick<Store, "row">;
	readonly #segments: StoredSegment[] = [];
	readonly #blocks = new Map<number, Uint8Array>();

	constructor(store: Pick<Store, "row">) {
		this.#store = store;
	}

	/** How many there are. */
	get count(): number {
		return this.#segments.length;
	}

	/** Forgets them all. */
	clear(): void {
		this.#segments.length = 0;
		this.#blocks.clear();
	}

	/**
	 * Takes in the next one, whose first document has the number `first`. Throws `STORE_DAMAGED` where the first terms of
	 * its blocks are gone.
	 */
	add(first: number): void {
		const segment = this.#segments.length;
		const firsts = this.#firstsOf(segment);
		if (!firsts) throw rowMissing(documentsKey(segment));
		this.#segments.push({ first, firsts });
	}

	/** Takes in the next one from its rows, and gives its records; `undefined` where they are gone or cannot be read. */
	read(first: number): RecallRecord[] | undefined {
		const segment = this.#segments.length;
		const row = readable(this.#store.row(documentsKey(segment)));
		const firsts = this.#firstsOf(segment);
		if (!Array.isArray(row) || !firsts) return undefined;
		const records = recordsIn(row);
		this.#segments.push({ first, firsts });
		return records;
	}

	/**
	 * A term, and with a stem, which the term begins with, also those that begin with it, as far as they are few. Throws
	 * `STORE_DAMAGED` where a block is gone.
	 */
	*find(space: TermSpace, term: string, stem?: string): Generator<FoundTerm> {
		const exactly = soughtOf(term, false);
		const sought = stem === undefined ? exactly : soughtOf(stem, true);
		for (const [segment, { first, firsts }] of this.#segments.entries()) {
			const inBlock = (block: number, what: Sought) =>
				findInBlock(this.#block(space, segment, block), what, first);
			const [from, to] = blocksFor(firsts[space], sought.text, sought.asPrefix);
			const last = Math.min(to, from + MOST_BLOCKS - 1);
			for (let block = from; block <= last; block++) yield* inBlock(block, sought);
			if (last === to) continue;
			const [own] = blocksFor(firsts[space], term, false);
			if (own > last) yield* inBlock(own, exactly);
		}
	}

	#block(space: TermSpace, segment: number, block: number): Uint8Array {
		const place = (segment * 2 + (space === "t" ? 0 : 1)) * BLOCKS + block;
		const known = this.#blocks.get(place);
		if (known) return known;
		const bytes = this.#store.row(blockKey(space, segment, block));
		if (!bytes) throw rowMissing(blockKey(space, segment, block));
		this.#blocks.set(place, bytes);
		const [oldest] = this.#blocks.keys();
		if (this.#blocks.size > KEPT_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
		return bytes;
	}

	#firstsOf(segment: number): StoredSegment["firsts"] | undefined {
		const [t, h] = (["t", "h"] as const).map((space) =>
			readable<readonly string[]>(this.#store.row(firstsKey(space, segment))),
		);
		return t && h && { t, h };
	}
}

/** Without one of its rows an index would keep silent about what was said. */
function rowMissing(key: Uint8Array): StoreError {
	return new StoreError(
		"STORE_DAMAGED",
		`the recall index lacks ${rowName(key)}; palimpsest repair makes it again`,
	);
}

/** What a row holds, where it is there and is JSON. */
export function readable<T>(row: Uint8Array | undefined): T | undefined {
	try {
		return row && (decodeJson(row) as T);
	} catch {
		return undefined;
	}
}
