import { setTimeout as pause } from "node:timers/promises";
import type { RecallDocument } from "../../../projections/recall/document.ts";
import type { RecallQuery } from "../../../projections/recall/query.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import { type RecallEntries, recallDocument } from "../../engine/recall-document.ts";
import type { RecallIndex } from "../../engine/recall-index.ts";
import { clipped, LISTED_CHARS } from "./blocks.ts";
import { Branch } from "./branch.ts";
import { listRecords } from "./listing.ts";
import { type RecallFound, type RecallHit, searchRecall } from "./search.ts";
import { snippetOf } from "./snippet.ts";

/** How a session is searched. */
export interface RecallOptions {
	/** where the path ends that counts as the branch */
	readonly leaf: string | null;
	/**
	 * `model`: the branch, as edits on it left it; `branch`: the branch, originals included; `all`: every branch
	 */
	readonly scope: "model" | "branch" | "all";
	/** an entry that is not to be found */
	readonly except?: string;
	readonly limit: number;
	/** hits passed over before the first */
	readonly offset?: number;
	/** how long to wait for the index where it is behind, ms; 2,000 unless given */
	readonly waitMs?: number;
}

/** What a search found, to be shown. */
export interface RecallAnswer extends Omit<RecallFound, "hits"> {
	readonly hits: readonly (RecallHit & { readonly snippet: string })[];
	/** `index`; `scan` where a session without a store was read through */
	readonly from: "index" | "scan";
	/** whether everything was searched; not so while an index is made that was not there */
	readonly isComplete: boolean;
}

/** How long a question waits for an index that is behind, ms. */
const WAIT_MS = 2_000;

/** One session as it can be searched: its index, and the texts behind it. */
export class Recall {
	readonly #index: RecallIndex;
	readonly #entries: RecallEntries;
	readonly #branch: Branch;

	/** `entries` are those the index is made from. */
	constructor(index: RecallIndex, entries: RecallEntries) {
		this.#index = index;
		this.#entries = entries;
		this.#branch = new Branch(index.records);
	}

	/** Searches what was said. Throws what the store throws. */
	async search(query: RecallQuery, options: RecallOptions): Promise<RecallAnswer> {
		await this.#caughtUp(options.waitMs ?? WAIT_MS);
		const allows = this.#allowed(options);
		const textOf = (id: string) => this.document(id);
		const { limit, offset = 0 } = options;
		const found = searchRecall({
			source: this.#index,
			query,
			limit,
			offset,
			textOf,
			...(allows && { allows }),
		});
		const hits = found.hits.map((hit) => ({
			...hit,
			snippet: snippetIn(this.document(hit.id), query, found),
		}));
		return { ...found, hits, from: "index", isComplete: this.#index.isComplete };
	}

	/**
	 * Lists what was said, newest first, each with its beginning; of a query only the filters count. Throws what the store
	 * throws.
	 */
	async list(query: RecallQuery, options: RecallOptions): Promise<RecallAnswer> {
		await this.#caughtUp(options.waitMs ?? WAIT_MS);
		const { limit, offset = 0 } = options;
		const { records } = this.#index;
		const listed = listRecords({ records, query, allows: this.#allowed(options), limit, offset });
		const hits = shownHits(listed.hits, (id) => this.document(id));
		return { hits, total: listed.total, words: [], from: "index", isComplete: this.#index.isComplete };
	}

	/** An entry as recall sees it; `undefined` for one that holds nothing to be found. */
	document(id: string): RecallDocument | undefined {
		return recallDocument(this.#entries, id);
	}

	#allowed(options: RecallOptions): ((document: number) => boolean) | undefined {
		const { except } = options;
		const isWithin = this.#within(options);
		if (except === undefined) return isWithin;
		const { records } = this.#index;
		return (document) => records[document]?.id !== except && (isWithin?.(document) ?? true);
	}

	#within({ scope, leaf }: RecallOptions): ((document: number) => boolean) | undefined {
		const tree = this.#entries.tree();
		if (scope === "all") return undefined;
		return scope === "model" ? this.#branch.forModel(tree, leaf) : this.#branch.at(tree, leaf);
	}

	async #caughtUp(waitMs: number): Promise<void> {
		if (this.#index.isComplete) return;
		const timer = new AbortController();
		const waited = pause(waitMs, undefined, { signal: timer.signal, ref: false }).catch(() => {});
		// what is told first ends the waiting; an index that cannot go on says so by throwing
		await Promise.race([this.#index.catchUp(), waited]).finally(() => timer.abort());
	}
}

/** Entries of a list as hits that are as good as each other, each with the beginning of its text. */
export function shownHits(
	records: readonly RecallRecord[],
	documentOf: (id: string) => Pick<RecallDocument, "text"> | undefined,
): RecallAnswer["hits"] {
	return records.map((record) => {
		return { ...record, score: 0, snippet: clipped(documentOf(record.id)?.text ?? "", LISTED_CHARS) };
	});
}

/** The part of a document to show for a hit. */
export function snippetIn(
	document: RecallDocument | undefined,
	{ phrases, thinking }: RecallQuery,
	{ words }: Pick<RecallFound, "words">,
): string {
	if (!document) return "";
	const text = thinking
		? [document.text, document.thinking].filter((part) => part !== "").join("\n")
		: document.text;
	return snippetOf(text, words, phrases);
}
