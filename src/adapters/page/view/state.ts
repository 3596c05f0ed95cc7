import { useEffect, useState } from "preact/hooks";
import type { Timeline } from "../../../debug/timeline.ts";
import type { PageSession } from "../page-session.ts";

/** What a link says: where the reader is. Requests are numbered from 1; 0 stands for the newest, until it is known. */
export interface Place {
	readonly at: number;
	/** second playhead, of a comparison */
	readonly beside: number | undefined;
	/** id of the entry or fold that is looked at */
	readonly entry: string | undefined;
	/** name of the open panel; the first one where absent */
	readonly panel: string | undefined;
	/** requests from and to that the timeline shows; all of them where absent */
	readonly zoom: readonly [number, number] | undefined;
}

/** Another history to lay over the timeline, one value a request of `request`. */
export interface Overlay {
	readonly label: string;
	readonly request: readonly number[];
	readonly tokens: readonly number[];
	readonly spent: readonly number[];
	/** requests before which it committed */
	readonly commitAt: readonly number[];
}

/** light, dark, or as the system has it */
export type Theme = "system" | "light" | "dark";

/** Why nothing, or nothing new, can be shown. */
type Trouble = { readonly kind: "token" | "gone" | "failed"; readonly message: string };

/** All that the page is drawn from, besides the answers of the server. */
export interface PageState extends Place {
	readonly session: PageSession | undefined;
	/** the whole session, as finely as the chart is wide */
	readonly timeline: Timeline | undefined;
	readonly trouble: Trouble | undefined;
	/** times the speed of one request per half second; 0 stands still */
	readonly playing: number;
	readonly speed: number;
	readonly theme: Theme;
	readonly overlay: Overlay | undefined;
	readonly help: boolean;
}

type Listener = (state: PageState, before: PageState) => void;

let current: PageState = {
	at: 0,
	beside: undefined,
	entry: undefined,
	panel: undefined,
	zoom: undefined,
	session: undefined,
	timeline: undefined,
	trouble: undefined,
	playing: 0,
	speed: 1,
	theme: "system",
	overlay: undefined,
	help: false,
};
const listeners = new Set<Listener>();

/** The state as it is now. */
export function state(): PageState {
	return current;
}

/** Changes some of the state and tells everyone who follows it. Nothing happens where nothing differs. */
export function change(patch: Partial<PageState>): void {
	const before = current;
	const next = { ...before, ...patch };
	const differs = (Object.keys(patch) as (keyof PageState)[]).some(
		(key) => !Object.is(before[key], next[key]),
	);
	if (!differs) return;
	current = next;
	for (const listener of listeners) listener(next, before);
}

/** Follows the state; returns what ends it. */
export function follow(listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** A part of the state, in a component that is drawn again when that part is another. */
export function usePage<T>(pick: (state: PageState) => T): T {
	const [, redraw] = useState<object>({});
	const picked = pick(current);
	useEffect(() => {
		let last = picked;
		const check = () => {
			const now = pick(current);
			if (Object.is(now, last)) return;
			last = now;
			redraw({});
		};
		check();
		return follow(check);
	}, []);
	return picked;
}

/** Requests there are; 0 until they are known. */
export function requests(): number {
	return current.session?.requests ?? 0;
}
