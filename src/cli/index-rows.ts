import { EventError } from "../../events/registry.ts";
import { decodeEntry } from "../adapters/sessions/recorded-session.ts";
import { Engine } from "../engine/engine.ts";
import type { RecallParts } from "../engine/recall-index.ts";
import { type CheckedRows, checkRows, remakeRows } from "../engine/recall-rows.ts";
import { loadFromStore, REGISTRY, storeJournal } from "../engine/store-journal.ts";
import { sha256Node } from "../store/hash.ts";
import { openStore } from "../store/open-store.ts";
import type { Damage, Store } from "../store/store.ts";
import { openForReading } from "./place.ts";

/** Rows named of a wrong index at most. */
const NAMED = 5;

/** What was found wrong with a store's index, and how many of its rows were looked at. */
export interface IndexFaults {
	readonly damage: readonly Damage[];
	readonly checked: number;
}

/**
 * Compares the index of a store with what its events give, where these are sound: `known` is what is wrong with them,
 * and a repair of that drops the index. One behind events of a newer release is not looked at. Throws what the store
 * throws.
 */
export async function indexFaults(store: Store, known: readonly Damage[] = []): Promise<IndexFaults> {
	const damage: Damage[] = [];
	let checked = 0;
	if (known.some(({ part }) => part !== "checkpoint")) return { damage, checked };
	for (const stream of sessionsIn(store)) {
		const found = await ofStream(store, stream);
		checked += found.checked;
		const named = found.wrong.slice(0, NAMED);
		const more = found.wrong.length - named.length;
		if (more > 0) named.push(`${more} more rows of the index are not what the events give`);
		damage.push(...named.map((what) => ({ part: "row" as const, stream, what })));
	}
	return { damage, checked };
}

/** Makes the index of a sound store again where it is wrong; what was wrong. Throws what the store throws. */
export async function repairIndex(directory: string): Promise<readonly Damage[]> {
	const reading = await openForReading(directory);
	const { damage } = await indexFaults(reading.store).finally(reading.close);
	if (damage.length === 0) return [];
	await using store = await openStore({ directory, registry: REGISTRY });
	for (const stream of sessionsIn(store)) await remakeRows(await partsOf(store, stream));
	return damage;
}

function sessionsIn(store: Store): string[] {
	return store.streams().filter((stream) => stream.startsWith("session/"));
}

async function ofStream(store: Store, stream: string): Promise<CheckedRows> {
	try {
		return await checkRows(await partsOf(store, stream));
	} catch (error) {
		if (error instanceof EventError) return { checked: 0, wrong: [] };
		throw error;
	}
}

async function partsOf(store: Store, stream: string): Promise<RecallParts> {
	const journal = storeJournal(store, stream);
	const engine = new Engine({ journal, hash: sha256Node, decode: decodeEntry, driver: "replay" });
	await loadFromStore(engine, store, stream);
	return { store, stream, tree: () => engine.states.tree, entry: (id) => engine.entry(id) };
}
