import { setTimeout as pause } from "node:timers/promises";
import { StoreError } from "../../store/errors.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { REGISTRY } from "../store-journal.ts";

/**
 * How long a store that is open elsewhere is left alone before it is tried again, ms: by chance, and half as long whenever it
 * was waited for so much longer, so that who came first mostly has it first.
 */
const LONGEST_PAUSE_MS = 50;
const SHORTEST_PAUSE_MS = 2;
const HALVED_AFTER_MS = 200;

/** How long a store that cannot be opened may be one that another process is just making, or is just renaming a file of; ms. */
const BEGINNING_MS = 1_000;

/**
 * Does something with a store of which many processes hold a lease in turn, each for one batch. While another one holds
 * it that is tried again, as long as `isWanted` says so when it is told of the refusal. Throws `STORE_LOCKED` then, and
 * what `openStore` throws. What `work` did stands even if letting go fails, which `onClosing` is told.
 */
export async function withLease<T>(
	directory: string,
	work: (store: Store) => Promise<T>,
	isWanted: (locked: StoreError) => boolean,
	onClosing: (error: unknown) => void,
): Promise<T> {
	const store = await opened(directory, isWanted);
	try {
		return await work(store);
	} finally {
		await store.close().catch(onClosing);
	}
}

async function opened(directory: string, isWanted: (locked: StoreError) => boolean): Promise<Store> {
	const begun = performance.now();
	for (;;) {
		try {
			return await openStore({ directory, registry: REGISTRY });
		} catch (error) {
			if (!(error instanceof StoreError) || !isWanted(error)) throw error;
			const isBeginning = error.code === "STORE_DAMAGED" && performance.now() - begun < BEGINNING_MS;
			if (error.code !== "STORE_LOCKED" && !isBeginning) throw error;
		}
		const most = LONGEST_PAUSE_MS / 2 ** ((performance.now() - begun) / HALVED_AFTER_MS);
		await pause(Math.max(most * Math.random(), SHORTEST_PAUSE_MS));
	}
}
