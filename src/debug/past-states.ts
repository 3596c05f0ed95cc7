import type { DomainEvent } from "../../events/catalogue.ts";
import type { Placed } from "../../projections/projection.ts";
import { initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import type { RawEvent } from "../store/event-codec.ts";
import type { Store } from "../store/store.ts";

/** What a stream meant at some place of it. */
export interface PastStates {
	readonly states: SessionStates;
	/** the event that stopped the reading, not folded in; absent at the head */
	readonly stoppedAt: Placed<DomainEvent> | undefined;
	/** events this release cannot read, passed over */
	readonly unreadable: readonly RawEvent[];
}

/** How a stream is read back. */
export interface PastOptions {
	/** the event to stop before */
	readonly stop?: (placed: Placed<DomainEvent>) => boolean;
	/** told now and then how many events are read */
	readonly onProgress?: (done: number) => void;
}

/**
 * Folds a stream of a store up to, not including, the first event that `stop` picks, or up to its head. Throws
 * `STORE_CHAIN_BROKEN` where the stream is not what it was.
 */
export async function pastStates(
	store: Store,
	stream: string,
	{ stop = () => false, onProgress }: PastOptions = {},
): Promise<PastStates> {
	const states = initialStates();
	const unreadable: RawEvent[] = [];
	const options = { onUnreadable: (raw: RawEvent) => void unreadable.push(raw) };
	for await (const run of store.readRuns(stream, options)) {
		const batch = run.map(({ type, data, position, at }) => ({
			event: { type, data } as DomainEvent,
			position,
			at,
		}));
		const end = batch.findIndex(stop);
		replayStates(states, end === -1 ? batch : batch.slice(0, end));
		onProgress?.((batch.at(-1)?.position ?? 0) + 1);
		if (end !== -1) return { states, stoppedAt: batch[end], unreadable };
	}
	return { states, stoppedAt: undefined, unreadable };
}
