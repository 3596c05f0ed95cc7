import { CutSums } from "./cut-sums.ts";
import type { History } from "./history.ts";
import { Titles } from "./titles.ts";

/** What was worked out of a history and holds for good, kept so that it is worked out once. */
export interface HistoryReading {
	readonly sums: CutSums;
	readonly titles: Titles;
}

const readings = new WeakMap<History, HistoryReading>();

/** What is kept beside a history, as long as that is. */
export function readingOf(history: History): HistoryReading {
	let reading = readings.get(history);
	if (!reading) {
		reading = { sums: new CutSums(), titles: new Titles() };
		readings.set(history, reading);
	}
	return reading;
}
