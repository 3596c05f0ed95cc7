import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Content } from "../../src/debug/content.ts";
import { History } from "../../src/debug/history.ts";
import type { ReadOptions, Store } from "../../src/store/store.ts";
import type { Walk } from "../walk/steps.ts";
import { STREAM, type WalkState } from "../walk/walk-state.ts";
import { walkThrough } from "../walk/walker.ts";

/** A walk through a session in which anything may be decided, read back from its log. */
export interface WalkedHistory {
	readonly walked: WalkState;
	readonly history: History;
	readonly content: Content;
}

/** Walks kept: the same ones are gone in many tests, and going one takes longer than what is asked of it. */
const KEPT = 40;

const kept = new Map<string, Promise<WalkedHistory>>();

/** A walk that was gone, and its log as it is read; both are shared with other tests, and only looked at. */
export function walkedHistory(walk: Walk): Promise<WalkedHistory> {
	const key = JSON.stringify(walk);
	const known = kept.get(key);
	if (known) return known;
	const gone = goneThrough(walk);
	if (kept.size < KEPT) kept.set(key, gone);
	return gone;
}

async function goneThrough(walk: Walk): Promise<WalkedHistory> {
	const walked = await walkThrough(walk, {}, { compares: false });
	const history = await History.read(walked.store, STREAM);
	const read = (digest: string) => walked.store.blob(digest);
	const decode: Content["decode"] = (_bytes, { id }) => walked.host.entry(id) as TranscriptEntry;
	return { walked, history, content: Object.assign(read, { decode }) };
}

/** A store as it was when its stream held so many events, or so many more at a time: `grown` tells it that it grew. */
export function cutShort(store: Store, events: number): { readonly store: Store; grow(to: number): void } {
	let end = events;
	const short: Pick<Store, "readRuns" | "event"> = {
		readRuns: (stream: string, options: ReadOptions = {}) => store.readRuns(stream, { ...options, to: end }),
		event: (stream: string, position: number) => (position < end ? store.event(stream, position) : undefined),
	};
	return {
		store: short as Store,
		grow(to) {
			end = to;
		},
	};
}
