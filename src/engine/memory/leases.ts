import { setTimeout as pause } from "node:timers/promises";
import { StoreError } from "../../store/errors.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { REGISTRY } from "../store-journal.ts";

/** How long a store that is open elsewhere is left alone before it is tried again, ms: by chance, less at first. */
const FIRST_PAUSE_MS = 8;
const LONGEST_PAUSE_MS = 60;

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
	for (let most = FIRST_PAUSE_MS; ; most = Math.min(2 * most, LONGEST_PAUSE_MS)) {
		try {
			return await openStore({ directory, registry: REGISTRY });
		} catch (error) {
			const isLocked = error instanceof StoreError && error.code === "STORE_LOCKED";
			if (!isLocked || !isWanted(error)) throw error;
		}
		await pause(most * (0.5 + Math.random() / 2));
	}
}
