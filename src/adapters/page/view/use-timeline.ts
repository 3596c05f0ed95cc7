import { useEffect } from "preact/hooks";
import type { Timeline } from "../../../debug/timeline.ts";
import type { ApiError } from "./api.ts";
import { change, usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";

/** Places of a timeline: about one to a pixel of a wide chart. */
const MOST = 1200;

/** The timeline as far as it is shown: finer where it is zoomed. The whole one goes into the state for all to use. */
export function useTimeline(): { timeline: Timeline | undefined; error: ApiError | undefined } {
	const zoom = usePage((state) => state.zoom);
	const any = usePage(({ session }) => (session?.requests ?? 0) > 0);
	const { value: whole, error } = useAnswer<Timeline>(any ? `/api/timeline?most=${MOST}` : undefined);
	const fine = whole !== undefined && whole.step > 1 && zoom !== undefined;
	const part = useAnswer<Timeline>(fine ? `/api/timeline?${rangeOf(zoom)}&most=${MOST}` : undefined);
	useEffect(() => change({ timeline: whole }), [whole]);
	return { timeline: fine && covers(part.value, zoom) ? part.value : whole, error };
}

/** Index of the place that a request falls in, of a timeline; -1 where it has none. */
export function placeOf(timeline: Timeline, request: number): number {
	let [low, high] = [0, timeline.request.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((timeline.request[middle] ?? 0) <= request) low = middle;
		else high = middle - 1;
	}
	return high < 0 ? -1 : low;
}

/** A zoom asks for a little more than it shows, in steps, so that moving it a bit asks for nothing. */
function rangeOf([from, to]: readonly [number, number]): string {
	const step = 2 ** Math.max(3, Math.ceil(Math.log2(to - from + 1)) - 1);
	return `from=${Math.max(1, Math.floor(from / step) * step)}&to=${Math.ceil((to + 1) / step) * step}`;
}

function covers(part: Timeline | undefined, [from, to]: readonly [number, number]): boolean {
	const [first = Number.POSITIVE_INFINITY, last = 0] = [part?.request[0], part?.request.at(-1)];
	return first <= from && last + (part?.step ?? 1) > Math.min(to, part?.requests ?? to);
}
