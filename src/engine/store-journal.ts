import { CATALOGUE, type DomainEvent } from "../../events/catalogue.ts";
import { createRegistry } from "../../events/registry.ts";
import { StoreRepaired } from "../../events/store.ts";
import type { Store } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import type { Journal } from "./journal.ts";

/** Every event type this release reads and writes. */
export const REGISTRY = createRegistry([...CATALOGUE, StoreRepaired]);

/** The name of a session's own stream. */
export function sessionStream(session: string): string {
	return `session/${session}`;
}

/** One stream of a store, as an engine's journal. */
export function storeJournal(store: Store, stream: string): Journal {
	return {
		append: async (events, expectedVersion, { sync, contents }) => {
			await store.append(stream, events, expectedVersion, { sync, blobs: contents });
		},
		content: (digest) => store.blob(digest),
		hash: (position) => store.event(stream, position)?.hash,
	};
}

/** Brings an engine to the head of its stream. Events of a newer release stop it, as they must stop a writer. */
export async function loadFromStore(engine: Engine, store: Store, stream: string): Promise<void> {
	for await (const run of store.readRuns(stream)) {
		engine.load(
			run.map(({ type, data, position, at }) => ({ event: { type, data } as DomainEvent, position, at })),
		);
	}
}
