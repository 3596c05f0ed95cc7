import { change, follow, type PageState, type Place, requests, state } from "./state.ts";

/** Ids are shorter than this; what is longer in a link is none. */
const LONGEST_ID = 200;

/** How often the address is written while the playhead moves, ms: browsers refuse to write it all the time. */
const WRITE_EVERY = 200;

/** Reads what a fragment says of a place. What it says badly is as if it were not there. */
function placeIn(fragment: string): Place {
	const said = new URLSearchParams(fragment.replace(/^#/, ""));
	const [from, to] = (said.get("zoom") ?? "").split("-").map(numberIn);
	const id = said.get("entry") ?? "";
	return {
		at: numberIn(said.get("at")) ?? 0,
		beside: numberIn(said.get("beside")),
		entry: id.length > 0 && id.length <= LONGEST_ID ? id : undefined,
		panel: /^[a-z-]{1,20}$/.exec(said.get("panel") ?? "")?.[0],
		zoom: from !== undefined && to !== undefined && from < to ? [from, to] : undefined,
	};
}

/** The fragment that leads to a place, with its `#`. */
function fragmentOf(place: Place): string {
	const said = new URLSearchParams();
	if (place.at > 0) said.set("at", String(place.at));
	if (place.beside !== undefined) said.set("beside", String(place.beside));
	if (place.entry !== undefined) said.set("entry", place.entry);
	if (place.panel !== undefined) said.set("panel", place.panel);
	if (place.zoom) said.set("zoom", place.zoom.join("-"));
	return `#${said}`;
}

/** The place brought within what there is. */
function within(place: Place, most: number): Place {
	if (most === 0) return { ...place, at: 0, beside: undefined, zoom: undefined };
	const clamp = (number: number) => Math.min(most, Math.max(1, number));
	const zoom = place.zoom && ([clamp(place.zoom[0]), clamp(place.zoom[1])] as const);
	return {
		...place,
		at: place.at === 0 ? most : clamp(place.at),
		beside: place.beside === undefined ? undefined : clamp(place.beside),
		zoom: zoom && zoom[1] - zoom[0] >= 1 && zoom[1] - zoom[0] < most - 1 ? zoom : undefined,
	};
}

/**
 * Goes somewhere. A step that a reader would want to take back is a new entry of the browser's history; where `quietly`
 * is true, as while the playhead moves, the entry there is changes instead.
 */
export function go(patch: Partial<Place>, quietly = false): void {
	const there = state();
	const next = within({ ...placeOf(there), ...patch }, requests());
	const same = fragmentOf(next) === fragmentOf(there);
	change(next);
	if (same) return;
	if (quietly) writeSoon();
	else write("push");
}

/** Keeps state and address in step: reads the address now and when it changes. Returns what ends it. */
export function keepPlace(): () => void {
	read();
	addEventListener("popstate", read);
	const unfollow = follow((now, before) => {
		if (now.session && now.session !== before.session) settle(now, before);
	});
	return () => {
		removeEventListener("popstate", read);
		unfollow();
	};
}

/** The fragment as it was last read or written here. */
let known = "";

function read(): void {
	known = location.hash;
	const said = placeIn(known);
	change(requests() > 0 ? within(said, requests()) : said);
	writeSoon();
}

/** Brings the place within a session that is new or has grown; a playhead at the end stays at the end. */
function settle(now: PageState, before: PageState): void {
	const [most, were] = [now.session?.requests ?? 0, before.session?.requests ?? 0];
	const atEnd = before.session !== undefined && before.at === were && most > were;
	change(within({ ...placeOf(now), ...(atEnd && { at: most }) }, most));
	writeSoon();
}

function placeOf({ at, beside, entry, panel, zoom }: Place): Place {
	return { at, beside, entry, panel, zoom };
}

let waiting: ReturnType<typeof setTimeout> | undefined;

function writeSoon(): void {
	waiting ??= setTimeout(() => write("replace"), WRITE_EVERY);
}

function write(how: "push" | "replace"): void {
	clearTimeout(waiting);
	waiting = undefined;
	// who followed a link a moment ago is there, whether or not we were told
	if (location.hash !== known) read();
	const fragment = fragmentOf(state());
	if (fragment === location.hash || requests() === 0) return;
	if (how === "push") history.pushState(null, "", fragment);
	else history.replaceState(null, "", fragment);
	known = location.hash;
}

function numberIn(text: string | null | undefined): number | undefined {
	return /^\d{1,9}$/.test(text ?? "") ? Number(text) : undefined;
}
