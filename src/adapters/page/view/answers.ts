import type { SessionView } from "../../../debug/session-view.ts";

/** What `/api/session` and `/api/grown` answer: what the page is of. */
export interface Session extends SessionView {
	/** whether a session writes to the store, as far as was seen */
	readonly live: boolean;
	/** whether the page may undo and redo */
	readonly write: boolean;
	/** what was found wrong with the store, in words; everything told ends before it */
	readonly damage: readonly string[];
}

/** What `/api/why/:request/:id` answers. */
export interface WhyAnswer {
	readonly inputs: readonly {
		readonly name: string;
		readonly value: string | number;
		readonly unit?: string;
	}[];
	readonly alternatives: readonly {
		readonly what: string;
		readonly cost?: number;
		readonly saves?: number;
		readonly refused?: string;
	}[];
	readonly reach: readonly { readonly by: string; readonly call: string }[];
	readonly sentences: readonly string[];
}
