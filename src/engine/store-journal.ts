import { CATALOGUE, type DomainEvent } from "../../events/catalogue.ts";
import { createRegistry } from "../../events/registry.ts";
import { StoreRepaired } from "../../events/store.ts";
import { sessionTree } from "../../projections/session-tree-reducer.ts";
import { type SessionStates, statesFrom } from "../../projections/states.ts";
import type { Store } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import type { Journal } from "./journal.ts";

/** Every event type this release reads and writes. */
export const REGISTRY = createRegistry([...CATALOGUE, StoreRepaired]);

/** The name of a session's own stream. */
export function sessionStream(session: string): string {
	return `session/${session}`;
}

/** Id of the root entry of the session a stream was begun for, where it records one. Throws as `Store.event` does. */
export function recordedRoot(store: Store, stream: string): string | undefined {
	const first = store.event(stream, 0)?.data as { readonly root?: string | null } | undefined;
	return first?.root ?? undefined;
}

/** One stream of a store, as an engine's journal. */
export function storeJournal(store: Store, stream: string): Journal {
	return {
		append: async (events, expectedVersion, { contents, ...options }) => {
			await store.append(stream, events, expectedVersion, { ...options, blobs: contents });
		},
		content: (digest) => store.blob(digest),
		hash: (position) => store.event(stream, position)?.hash,
	};
}

/**
 * Brings an engine to the head of its stream, from the newest checkpoint on. Events of a newer release stop it, as they
 * must stop a writer.
 */
export async function loadFromStore(engine: Engine, store: Store, stream: string): Promise<void> {
	const kept = newestStates(store, stream);
	if (kept) engine.restore(kept.states, kept.covers);
	for await (const run of store.readRuns(stream, { from: kept?.covers ?? 0 })) {
		engine.load(
			run.map(({ type, data, position, at }) => ({ event: { type, data } as DomainEvent, position, at })),
		);
	}
}

/** The newest states of which every projection has a checkpoint at the same place. */
function newestStates(store: Store, stream: string): { states: SessionStates; covers: number } | undefined {
	let upTo = store.head(stream).version;
	for (;;) {
		const tree = store.checkpoint(stream, sessionTree.name, sessionTree.version, upTo);
		if (!tree) return undefined;
		const { covers } = tree;
		const states = statesFrom((name, version) => {
			const found = store.checkpoint(stream, name, version, covers);
			return found?.covers === covers ? found.state : undefined;
		});
		if (states) return { states, covers };
		upTo = covers - 1;
	}
}
