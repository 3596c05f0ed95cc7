import { budgetOf, floorOf } from "../../projections/rules.ts";
import { expiredIn } from "./expired.ts";
import type { History, PastRequest } from "./history.ts";
import { spentBy } from "./spent.ts";
import { fewerMarks, marksOf, type TimelineMark } from "./timeline-marks.ts";

/** Requests of a session in columns, one value a place, and what befell the window between them. Sizes are tokens. */
export interface Timeline {
	/** in all */
	readonly requests: number;
	/** how many one place stands for, at most; 1: each */
	readonly step: number;
	/** of `spent` */
	readonly unit: "usd" | "token";
	/** ordinal of the request whose numbers a place shows */
	readonly request: readonly number[];
	/** ms since the epoch */
	readonly time: readonly number[];
	readonly tokens: readonly number[];
	readonly foldable: readonly number[];
	readonly budget: readonly number[];
	readonly floor: readonly number[];
	/** since the first request of the session, this one included */
	readonly spent: readonly number[];
	/** whether the cache of a request it stands for had expired */
	readonly cold: readonly boolean[];
	/** provider/model; "" where it is that of the place before */
	readonly model: readonly string[];
	/** in the order they happened */
	readonly marks: readonly TimelineMark[];
}

/** Places of a timeline, unless another number is asked for: more than a screen has columns. */
const MOST = 2_000;

/** Marks of a kind of which very many may come. */
const MOST_MARKS = 2_000;

/**
 * The requests `from` to `to` (ordinals, both included; all unless given) in at most about `most` places. Where a place
 * must stand for more than one, the largest and the smallest window of each run stay, with the first and the last
 * request, so that neither a peak nor what a commit freed is lost; a cold request marks its place. O(requests in range).
 */
export function timelineOf(
	history: History,
	{ from = 1, to = history.requests.length, most = MOST }: { from?: number; to?: number; most?: number } = {},
): Timeline {
	const { requests } = history;
	const [first, last] = [Math.max(1, from), Math.min(to, requests.length)];
	const inRange = Math.max(0, last - first + 1);
	const room = Math.max(4, Math.floor(most));
	// two places a run, and the ends
	const run = inRange <= room ? 1 : Math.ceil((2 * inRange) / (room - 2));
	const places = run === 1 ? everyOne(first, last) : extremes(requests, first, last, run);
	const shown = places.map((number) => requests[number - 1] as PastRequest);
	const spent = spentBy(history);
	const rules = shown.map(({ settings, valuation }) => ({ settings, valuation: valuation ?? null }));
	return {
		requests: requests.length,
		step: run === 1 ? 1 : Math.ceil(run / 2),
		unit: spent.unit,
		request: shown.map(({ prepared }) => prepared.request),
		time: shown.map(({ prepared }) => prepared.at),
		tokens: shown.map(({ prepared }) => Math.round(prepared.tokens)),
		foldable: shown.map(({ prepared }) => Math.round(prepared.foldable)),
		budget: rules.map(budgetOf),
		floor: rules.map(floorOf),
		spent: places.map((number) => spent.until[number - 1] ?? 0),
		cold: coldPlaces(history, places, first, last),
		model: shown.map(({ prepared }, index) =>
			prepared.model === shown[index - 1]?.prepared.model ? "" : prepared.model,
		),
		marks: fewerMarks(marksOf(history, first, to), MOST_MARKS),
	};
}

function everyOne(first: number, last: number): number[] {
	const places: number[] = [];
	for (let number = first; number <= last; number++) places.push(number);
	return places;
}

/** The ends, and the largest and smallest window of each run, in order. */
function extremes(requests: readonly PastRequest[], first: number, last: number, run: number): number[] {
	const tokens = (number: number) => (requests[number - 1] as PastRequest).prepared.tokens;
	const places = new Set<number>([first]);
	for (let start = first; start <= last; start += run) {
		let [least, largest] = [start, start];
		for (let number = start + 1; number <= Math.min(last, start + run - 1); number++) {
			if (tokens(number) < tokens(least)) least = number;
			if (tokens(number) > tokens(largest)) largest = number;
		}
		places.add(Math.min(least, largest)).add(Math.max(least, largest));
	}
	return [...places.add(last)];
}

/** Which places stand for a cold request: each for itself and for those behind the place before it. */
function coldPlaces(history: History, places: readonly number[], first: number, last: number): boolean[] {
	const cold: boolean[] = places.map(() => false);
	const isExpired = expiredIn(history);
	let place = 0;
	for (let number = first; number <= last; number++) {
		while (place < places.length - 1 && (places[place] as number) < number) place++;
		if (isExpired(history.requests[number - 1] as PastRequest)) cold[place] = true;
	}
	return cold;
}
