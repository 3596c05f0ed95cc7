import type { SessionView } from "../../debug/session-view.ts";

/** What `/api/session` and `/api/grown` answer: what the page is of. */
export interface PageSession extends SessionView {
	/** whether a session wrote to the store within the last minute, or has it open */
	readonly live: boolean;
	/** whether the page may undo and redo */
	readonly write: boolean;
	/** what was found wrong with the store, in words; everything told ends before it */
	readonly damage: readonly string[];
}

/** What `/api/reading` answers: how far the first reading of a store has come, in events. */
export interface ReadingProgress {
	readonly done: number;
	readonly total: number;
}
