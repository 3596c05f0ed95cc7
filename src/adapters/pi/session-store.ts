import { REGISTRY, recordedRoot, sessionStream } from "../../engine/store-journal.ts";
import { StoreError } from "../../store/errors.ts";
import { homeDirectory, type SessionIdentity, sessionDirectory } from "../../store/identity.ts";
import { openMemoryStore, openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { holdStore, type StoreHolder } from "./store-holders.ts";
import { metIn } from "./store-trouble.ts";

/** A session's store, and how to let go of it. */
export interface HeldStore {
	readonly store: Store;
	readonly stream: string;
	close(): Promise<void>;
}

/** A store for a session that has no file, or none it can use: it lasts as long as the process. */
export function memorySessionStore(sessionId: string): HeldStore {
	const store = openMemoryStore({ registry: REGISTRY });
	return { store, stream: sessionStream(sessionId), close: () => store.close() };
}

/**
 * Opens the store of a session, made if need be. Throws what `openStore` throws, with the store's folder, and `STORE_DAMAGED` where the store is
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
			throw metIn(directory, error);
		}
	};
	const close = async () => {
		const closing = opened;
		opened = undefined;
		await closing?.store.close().finally(closing.letGo);
	};
	const directory = await sessionDirectory(homeDirectory(), identity, async (candidate) => {
		const { store } = await open(candidate);
		try {
			return recordedRoot(store, stream);
		} catch (error) {
			await close();
			throw metIn(candidate, error);
		}
	});
	if (opened && opened.directory !== directory) await close();
	const { store } = opened ?? (await open(directory));
	const [damage] = store.damage;
	if (!damage) return { store, stream, close };
	await close();
	throw new StoreError("STORE_DAMAGED", damage.what, { directory });
}
