import { type Draft, enableMapSet, produce } from "immer";

enableMapSet();

/** Where an event stands in its stream and when it was recorded; what a reducer may know beside the payload. */
export interface Place {
	readonly position: number;
	/** ms since the epoch */
	readonly at: number;
}

/** An event at its place. */
export interface Placed<E> extends Place {
	readonly event: E;
}

/** A named reducer. A checkpoint of another `version` is thrown away. */
export interface Projection<S, E extends { readonly type: string }> {
	readonly name: string;
	readonly version: number;
	/** every type it folds; anything else is not handed to it */
	readonly listens: { readonly [T in E["type"]]: true };
	readonly initial: () => S;
	/**
	 * Folds one event into a draft. Reads no clock, awaits nothing, keeps no reference to the event. `before` is the state
	 * it comes to, to be read where much is: reading through a draft copies each table that is looked into.
	 */
	readonly apply: (draft: Draft<S>, event: E, place: Place, before: S) => void;
}

/** The state after a batch, the old state untouched: the live driver, one draft a batch. */
export function evolve<S, E extends { readonly type: string }>(
	projection: Projection<S, E>,
	state: S,
	batch: readonly Placed<E>[],
): S {
	return produce(state, (draft) => {
		for (const [index, placed] of batch.entries())
			projection.apply(draft, placed.event, placed, index === 0 ? state : (draft as S));
	});
}

/** Folds a batch into a state that nobody else holds: the driver of replay, without drafts. */
export function replayInto<S, E extends { readonly type: string }>(
	projection: Projection<S, E>,
	owned: S,
	batch: readonly Placed<E>[],
): void {
	for (const placed of batch) projection.apply(owned as Draft<S>, placed.event, placed, owned);
}
