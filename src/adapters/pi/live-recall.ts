import type { RecallDocument } from "../../../projections/recall/document.ts";
import type { RecallQuery } from "../../../projections/recall/query.ts";
import { Recall, type RecallAnswer, type RecallList, type RecallOptions } from "../../debug/recall/recall.ts";
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
	readonly #index: RecallIndex;
	readonly #recall: Recall;
	readonly #held: HeldStore;
	readonly #mayGoOn: () => boolean;
	#isClosed = false;

	constructor(engine: Engine, held: HeldStore, patience: Patience) {
		const { store, stream } = held;
		const entries = { tree: () => engine.states.tree, entry: (id: string) => engine.entry(id) };
		// a value is read at once, which holds up the whole process while the disk is silent
		this.#mayGoOn = () => !patience.isOut;
		this.#index = new RecallIndex({ ...entries, store, stream, mayGoOn: this.#mayGoOn });
		this.#held = held;
		this.#recall = new Recall(this.#index, entries);
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
	list(query: RecallQuery, options: RecallOptions): Promise<RecallList> {
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

	/** Waits for the slice under way; nothing of the store is touched after that. Twice does no harm. */
	close(): Promise<void> {
		this.#isClosed = true;
		return this.#index.close();
	}
}
