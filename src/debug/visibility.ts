import type { Content } from "./content.ts";
import type { History } from "./history.ts";
import { mergedSpans } from "./merged-spans.ts";
import type { ShownAs } from "./past-standing.ts";
import { type TextHolder, textHolders } from "./text-holders.ts";
import { watch, watchedEntry, watchedFold, watchInTurns } from "./watched.ts";

/** Requests in a row, by their numbers, in which something stood in the same way. */
export interface VisibilitySpan {
	readonly from: number;
	readonly to: number;
	readonly as: ShownAs;
	/** the fold or entry it is read in; of what is hidden, the compaction or the edit that hides it */
	readonly through?: string;
	/**
	 * what brought it there: a decision by its id, or `compaction`, `leaf` (it is on another branch), `edit`, `unsent` (no
	 * model is ever sent it); absent where it simply came
	 */
	readonly because?: string;
}

/** When something could be read in the window, and how. Runs of requests, in order, from the first that had it on. */
export interface Visibility {
	readonly of: string;
	readonly spans: readonly VisibilitySpan[];
}

/**
 * When an entry could be read, or what a fold stands for; `undefined` where the history knows neither by this id.
 * O(requests, and for each change of the window what stands in it).
 */
export function visibilityOf(history: History, id: string): Visibility | undefined {
	const watched = watchedEntry(history, id) ?? watchedFold(history, id);
	return watched && watch(history, [watched])[0];
}

/** How a text is looked for. */
export interface TextOptions {
	/** whether letters match whatever their case */
	readonly ignoreCase?: boolean;
}

/** When a text could be read in the window, and what holds it. */
export interface TextVisibility extends Visibility {
	/** entries, fold texts and receipts that hold it, each with the requests at which it could be read there */
	readonly holders: readonly (TextHolder & Visibility)[];
	/** contents that could not be read: destroyed on purpose, or lost */
	readonly unread: number;
}

/**
 * When a text could be read: in entries, in what is left of clipped ones, and in the texts of ours that stand in the
 * window. It has no spans where nothing that was ever in a window holds it. Reads all content once, and lets others have their
 * turn meanwhile.
 */
export async function whenText(
	history: History,
	content: Content,
	text: string,
	{ ignoreCase = false }: TextOptions = {},
): Promise<TextVisibility> {
	const { found, unread } = await textHolders(history, content, { text, ignoreCase });
	const seen = await watchInTurns(
		history,
		found.map(({ watched }) => watched),
	);
	const holders = found.flatMap(({ holder }, index) => {
		const { of, spans } = seen[index] as Visibility;
		const first = spans.findIndex(({ as }) => as !== "hidden");
		return first === -1 ? [] : [{ ...holder, of, spans: spans.slice(first) }];
	});
	return { of: text, spans: mergedSpans(holders), holders, unread };
}
