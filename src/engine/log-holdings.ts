import { INDEX_ROWS } from "../../projections/recall/rows.ts";
import type { Store } from "../store/store.ts";
import { Slices } from "./slices.ts";

/** What a session's log holds. */
export interface LogHoldings {
	/** events in all, and by the noun of their type, most first */
	readonly events: number;
	readonly byNoun: readonly (readonly [noun: string, events: number])[];
	/** events of entries at `covers` and behind it */
	readonly waiting: number;
	/** rows of the recall index, and their bytes before compression, keys included */
	readonly rows: number;
	readonly rowBytes: number;
	/** whether all of it was read */
	readonly isComplete: boolean;
}

/**
 * Reads through a log and counts, in slices of a few ms, as long as it may go on. `covers` is how many events an index
 * has looked at. Throws what the store throws. O(events and rows).
 */
export async function logHoldings(
	store: Store,
	stream: string,
	{ covers, mayGoOn }: { readonly covers: number; readonly mayGoOn: () => boolean },
): Promise<LogHoldings> {
	const slices = new Slices();
	const nouns = new Map<string, number>();
	let [events, waiting, rows, rowBytes] = [0, 0, 0, 0];
	const count = ({ type, position }: { readonly type: string; readonly position: number }) => {
		const noun = type.split("/", 1)[0] ?? type;
		nouns.set(noun, (nouns.get(noun) ?? 0) + 1);
		events += 1;
		if (type === "entry/recorded" && position >= covers) waiting += 1;
	};
	const told = (isComplete: boolean): LogHoldings => {
		const byNoun = [...nouns].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
		return { events, byNoun, waiting, rows, rowBytes, isComplete };
	};
	if (!mayGoOn()) return told(false);
	for await (const run of store.readRuns(stream, { chunk: 250, onUnreadable: count })) {
		for (const event of run) count(event);
		await slices.pause();
		if (!mayGoOn()) return told(false);
	}
	for await (const run of store.rowRuns(INDEX_ROWS)) {
		for (const [key, value] of run) rowBytes += key.length + value.length;
		rows += run.length;
		await slices.pause();
		if (!mayGoOn()) return told(false);
	}
	return told(true);
}
