import type { RecallDocument } from "../../../projections/recall/document.ts";
import type { RecallQuery } from "../../../projections/recall/query.ts";
import { Recall, type RecallAnswer, type RecallList, type RecallOptions } from "../../debug/recall/recall.ts";
import type { Engine } from "../../engine/engine.ts";
import { RecallIndex } from "../../engine/recall-index.ts";
import type { Patience } from "./patience.ts";
import type { HeldStore } from "./session-store.ts";

/**
 * A running session as it can be searched. Its index follows the log when a turn has ended and when something is asked,
 * never before the first request of a session has gone out, and in slices that nobody waits for.
 */
export class LiveRecall {
	readonly #index: RecallIndex;
	readonly #recall: Recall;

	constructor(engine: Engine, { store, stream }: HeldStore, patience: Patience) {
		const entries = { tree: () => engine.states.tree, entry: (id: string) => engine.entry(id) };
		// a value is read at once, which holds up the whole process while the disk is silent
		this.#index = new RecallIndex({ ...entries, store, stream, mayGoOn: () => !patience.isOut });
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

	/** Waits for the slice under way; nothing of the store is touched after that. Twice does no harm. */
	close(): Promise<void> {
		return this.#index.close();
	}
}
