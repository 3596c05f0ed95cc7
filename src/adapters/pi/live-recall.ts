import type { RecallDocument } from "../../../projections/recall/document.ts";
import type { RecallQuery } from "../../../projections/recall/query.ts";
import { INDEX_ROWS } from "../../../projections/recall/rows.ts";
import { Recall, type RecallAnswer, type RecallOptions } from "../../debug/recall/recall.ts";
import { bytesIn } from "../../debug/store-sizes.ts";
import type { Engine } from "../../engine/engine.ts";
import { type LogHoldings, logHoldings } from "../../engine/log-holdings.ts";
import { RecallIndex } from "../../engine/recall-index.ts";
import type { Patience } from "./patience.ts";
import type { HeldStore } from "./session-store.ts";

/** What the store of a running session holds. */
export interface LiveHoldings extends LogHoldings {
	/** how far the index is; `undefined` where nobody asked it yet */
	readonly index: RecallIndex["reach"];
	/** where the store lies, and bytes of its files; absent in memory */
	readonly disk?: { readonly directory: string; readonly bytes: number };
}

/**
 * A running session as it can be searched. Its index follows the log when a turn has ended and when something is asked,
 * never before the first request of a session has gone out, and in slices that nobody waits for.
 */
export class LiveRecall {
	#index: RecallIndex;
	#recall: Recall;
	readonly #engine: Engine;
	readonly #held: HeldStore;
	readonly #mayGoOn: () => boolean;
	#isClosed = false;
	#isHeld = false;

	constructor(engine: Engine, held: HeldStore, patience: Patience) {
		// a value is read at once, which holds up the whole process while the disk is silent
		this.#mayGoOn = () => !patience.isOut;
		this.#engine = engine;
		this.#held = held;
		[this.#index, this.#recall] = this.#begun();
	}

	#begun(): [RecallIndex, Recall] {
		const { store, stream } = this.#held;
		const engine = this.#engine;
		const entries = { tree: () => engine.states.tree, entry: (id: string) => engine.entry(id) };
		const mayGoOn = () => !this.#isHeld && this.#mayGoOn();
		const index = new RecallIndex({ ...entries, store, stream, mayGoOn });
		return [index, new Recall(index, entries)];
	}

	/** Has the index follow, which nobody waits for. What keeps it from that keeps the log from more, and is told there. */
	follow(): void {
		this.#index.catchUp().catch(() => {});
	}

	/** Searches the session; see {@link Recall.search}. To be waited for outside of any turn. */
	search(query: RecallQuery, options: RecallOptions): Promise<RecallAnswer> {
		return this.#recall.search(query, options);
	}

	/** Lists what was said; see {@link Recall.list}. To be waited for outside of any turn. */
	list(query: RecallQuery, options: RecallOptions): Promise<RecallAnswer> {
		return this.#recall.list(query, options);
	}

	/** An entry as recall sees it; `undefined` for one that holds nothing to be found. */
	document(id: string): RecallDocument | undefined {
		return this.#recall.document(id);
	}

	/** Counts what the log and the index hold, for as long as `isWanted`. Throws what the store throws. To be waited for outside of any turn. */
	async holdings(isWanted: () => boolean): Promise<LiveHoldings> {
		const { store, stream } = this.#held;
		const index = this.#index.reach;
		const mayGoOn = () => !this.#isClosed && this.#mayGoOn() && isWanted();
		const held = await logHoldings(store, stream, { covers: index?.covers ?? 0, mayGoOn });
		const { directory } = store;
		if (directory === undefined) return { ...held, index };
		return { ...held, index, disk: { directory, bytes: await bytesIn(directory) } };
	}

	/**
	 * Does something while nothing is indexed nor found, given the keys of all rows; the index begins anew with what it leaves of
	 * them. Throws what `work` and the store throw.
	 */
	async anew<T>(work: (rows: readonly Uint8Array[]) => Promise<T>): Promise<T> {
		this.#isHeld = true;
		try {
			await this.#index.close();
			[this.#index, this.#recall] = this.#begun();
			const keys: Uint8Array[] = [];
			for await (const run of this.#held.store.rowRuns(INDEX_ROWS)) for (const [key] of run) keys.push(key);
			return await work(keys);
		} finally {
			this.#isHeld = false;
			if (!this.#isClosed) this.follow();
		}
	}

	/** Waits for the slice under way; nothing of the store is touched after that. Twice does no harm. */
	close(): Promise<void> {
		this.#isClosed = true;
		return this.#index.close();
	}
}
