import { go } from "./place.ts";
import { requests, state } from "./state.ts";

/** Fewest requests the timeline is zoomed to. */
const LEAST = 8;

/** Requests from and to that the timeline shows, half a request of air on either side. */
export function shown(): readonly [number, number] {
	const [from, to] = state().zoom ?? [1, Math.max(1, requests())];
	return [from - 0.5, to + 0.5];
}

/** Zooms so that `by` times as many requests are shown, `around` (the playhead, if nothing is said) staying in place. */
export function zoomBy(by: number, around = state().at): void {
	const [from, to] = shown();
	const width = Math.max(LEAST, (to - from) * by);
	const fixed = Math.min(to, Math.max(from, around));
	const start = fixed - ((fixed - from) / (to - from)) * width;
	zoomTo(start, start + width);
}

/** Shows these requests and no others; all of them where these are as many. */
export function zoomTo(from: number, to: number): void {
	const most = requests();
	const width = Math.max(LEAST, Math.round(to - from));
	if (width >= most) {
		go({ zoom: undefined }, true);
		return;
	}
	const start = Math.min(most - width + 1, Math.max(1, Math.round(from + 0.5)));
	go({ zoom: [start, start + width - 1] }, true);
}

/** Moves what is shown by a share of its width. */
export function panBy(share: number): void {
	const { zoom } = state();
	if (!zoom) return;
	const by = (zoom[1] - zoom[0] + 1) * share;
	zoomTo(zoom[0] - 0.5 + by, zoom[1] + 0.5 + by);
}

/** Moves what is shown so far that the playhead can be seen. */
export function showPlayhead(): void {
	const { zoom, at } = state();
	if (!zoom || (at >= zoom[0] && at <= zoom[1])) return;
	const width = zoom[1] - zoom[0] + 1;
	const from = at < zoom[0] ? at - 0.15 * width : at - 0.85 * width;
	zoomTo(from - 0.5, from - 0.5 + width);
}
