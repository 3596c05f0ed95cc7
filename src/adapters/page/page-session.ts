import type { SessionView } from "../../debug/session-view.ts";

/** What `/api/session` and `/api/grown` answer: what the page is of. */
export interface PageSession extends SessionView {
	/** whether a session wrote to the store within the last minute, or has it open */
	readonly live: boolean;
	/** how often the store was read from its beginning: where it is another than before, so may be all that was told */
	readonly begun: number;
	/** whether the page may undo and redo */
	readonly write: boolean;
	/** what was found wrong with the store, in words; everything told ends before it */
	readonly damage: readonly string[];
	/** what else is to be known of it, in words: that a bundle leaves contents out */
	readonly notes: readonly string[];
}

/** What `/api/reading` answers: how far the first reading of a store has come, in events. */
export interface ReadingProgress {
	readonly done: number;
	readonly total: number;
}
