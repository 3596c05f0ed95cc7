import type { TranscriptEntry } from "../../projections/transcript.ts";

/** A fold as the model saw it: its text, and the stretch of the path it stands for. */
export interface FoldText {
	/** fold id */
	readonly id: string;
	/** the whole placeholder, header included */
	readonly text: string;
	/** the brief inside it, without header */
	readonly brief: string;
	/** index on the path of the first entry it covers */
	readonly first: number;
	/** index on the path of the last entry it covers */
	readonly last: number;
}

/** What one commit made of the window. It stays the same object until the next commit or branch move. */
export interface WindowView {
	/** entries from the root to the leaf, also those that came after the commit; grows, never changes */
	readonly path: readonly TranscriptEntry[];
	/** entries before this index are hidden, but for those kept or clipped */
	readonly folded: number;
	/** ids of entries that stay raw before `folded` */
	readonly kept: ReadonlySet<string>;
	/** what is still shown of clipped results, by entry id */
	readonly clipped: ReadonlyMap<string, string>;
	/** visible fold texts, in window order */
	readonly texts: readonly FoldText[];
}

/** One request of a trajectory: the window it was sent with, and the reply that came. */
export interface TrajectoryRequest {
	readonly view: WindowView;
	/** number of entries of `view.path` that were there when the request was sent */
	readonly upTo: number;
	readonly reply: TranscriptEntry;
}
