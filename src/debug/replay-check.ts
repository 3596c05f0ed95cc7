import { isDeepStrictEqual } from "node:util";
import type { DomainEvent } from "../../events/catalogue.ts";
import { checkpointsOf, initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import type { Checkpoint } from "../store/checkpoint.ts";
import type { RawEvent } from "../store/event-codec.ts";
import type { Damage, Store } from "../store/store.ts";

/** What a session's stream means when it is replayed from its first event, and whether its checkpoints say so too. */
export interface Replayed {
	readonly events: number;
	/** events of a newer release, passed over */
	readonly unreadable: number;
	readonly requests: number;
	readonly entries: number;
	readonly decisions: number;
	/** checkpoints held against the replay */
	readonly compared: number;
	/** checkpoints that hold another state */
	readonly damage: readonly Damage[];
}

/**
 * Replays a session's stream from nothing, and holds each checkpoint of this release's projections against what the
 * events before it give. A stream with events nobody here can read is counted, and its checkpoints behind them are
 * passed over. Throws what the store throws.
 */
export async function replayChecked(
	store: Store,
	stream: string,
	onProgress: (done: number) => void = () => {},
): Promise<Replayed> {
	const { version } = store.head(stream);
	const states = initialStates();
	const kept = checkpointsIn(store, stream, version);
	const stops = [...new Set([...kept.map(({ covers }) => covers), version])].sort((a, b) => a - b);
	const damage: Damage[] = [];
	let compared = 0;
	let unreadable = 0;
	let from = 0;
	const onUnreadable = (_raw: RawEvent) => {
		unreadable++;
	};
	for (const to of stops) {
		for await (const run of store.readRuns(stream, { from, to, onUnreadable })) {
			replayStates(
				states,
				run.map(({ type, data, position, at }) => ({ event: { type, data } as DomainEvent, position, at })),
			);
			onProgress((run.at(-1)?.position ?? 0) + 1);
		}
		from = to;
		for (const checkpoint of unreadable === 0 ? kept.filter(({ covers }) => covers === to) : []) {
			compared++;
			if (isOf(states, checkpoint)) continue;
			const what = `the checkpoint of ${checkpoint.name} at ${to} is not what the events before it give`;
			damage.push({ part: "checkpoint", stream, position: to, what });
		}
	}
	return {
		events: version,
		unreadable,
		requests: states.ledger.requests,
		entries: states.tree.count,
		decisions: states.plans.after.size,
		compared,
		damage,
	};
}

function isOf(states: SessionStates, { name, state }: Checkpoint): boolean {
	return isDeepStrictEqual(checkpointsOf(states).find((one) => one.name === name)?.state, state);
}

/** Every sound checkpoint of this release's projections. */
function checkpointsIn(store: Store, stream: string, version: number): Checkpoint[] {
	return checkpointsOf(initialStates()).flatMap(({ name, version: ofProjection }) => {
		const found: Checkpoint[] = [];
		for (let upTo = version; upTo >= 0; ) {
			const checkpoint = store.checkpoint(stream, name, ofProjection, upTo);
			if (!checkpoint) break;
			found.push(checkpoint);
			upTo = checkpoint.covers - 1;
		}
		return found;
	});
}
