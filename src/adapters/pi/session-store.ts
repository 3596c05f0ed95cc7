import { REGISTRY, recordedRoot, sessionStream } from "../../engine/store-journal.ts";
import { StoreError } from "../../store/errors.ts";
import { homeDirectory, type SessionIdentity, sessionDirectory } from "../../store/identity.ts";
import { openMemoryStore, openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { holdStore, type StoreHolder } from "./store-holders.ts";

/** A session's store, and how to let go of it. */
export interface HeldStore {
	readonly store: Store;
	readonly stream: string;
	/** why nothing may be decided on it, in words */
	readonly refusal?: string;
	close(): Promise<void>;
}

/** A store for a session that has no file: it lasts as long as the process. */
export function memorySessionStore(sessionId: string): HeldStore {
	const store = openMemoryStore({ registry: REGISTRY });
	return { store, stream: sessionStream(sessionId), close: () => store.close() };
}

/**
 * What a session has while another process holds its store: one in memory, to be filled from the session's entries and
 * nodes, which give the folds as they stand. Throws the error where it says anything else.
 */
export function storeBeside({ sessionId }: SessionIdentity, error: unknown): HeldStore {
	if (!(error instanceof StoreError && error.code === "STORE_LOCKED")) throw error;
	return { ...memorySessionStore(sessionId), refusal: "this session is open elsewhere" };
}

/**
 * Opens the store of a session, made if need be. Throws what `openStore` throws, and an `Error` where the store is
 * damaged: a live session writes to a sound store or to none.
 */
export async function openSessionStore(identity: SessionIdentity, holder: StoreHolder): Promise<HeldStore> {
	const stream = sessionStream(identity.sessionId);
	let opened: { store: Store; directory: string; letGo: () => void } | undefined;
	const open = async (directory: string) => {
		const letGo = await holdStore(directory, holder);
		try {
			opened = { store: await openStore({ directory, registry: REGISTRY }), directory, letGo };
			return opened;
		} catch (error) {
			letGo();
			throw error;
		}
	};
	const close = async () => {
		await opened?.store.close();
		opened?.letGo();
		opened = undefined;
	};
	const directory = await sessionDirectory(homeDirectory(), identity, async (candidate) => {
		const { store } = await open(candidate);
		try {
			return recordedRoot(store, stream);
		} catch (error) {
			await close();
			throw error;
		}
	});
	if (opened && opened.directory !== directory) await close();
	const { store } = opened ?? (await open(directory));
	const [damage] = store.damage;
	if (!damage) return { store, stream, close };
	await close();
	throw new Error(`the store in ${directory} is damaged: ${damage.what}`);
}
