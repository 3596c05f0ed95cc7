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

export async function walkedHistory(walk: Walk): Promise<WalkedHistory> {
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
