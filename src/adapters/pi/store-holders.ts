/** Who has a store open in this process. */
export interface StoreHolder {
	/** false once the host has dropped the session without telling its extensions */
	readonly alive: () => boolean;
	readonly close: () => Promise<void>;
}

/** A host may evaluate this module again in one process (`/reload`), so the table does not live in it. */
const KEY = Symbol.for("pi-palimpsest.store-holders");

/**
 * Takes a store's folder for a session. One that a dropped session still holds is closed first; one that is held by a
 * living session is left to the store to refuse. Returns how to give the folder back.
 */
export async function holdStore(directory: string, holder: StoreHolder): Promise<() => void> {
	const holders = table();
	for (let other = holders.get(directory); other && !other.alive(); other = holders.get(directory)) {
		await other.close();
		// another may have taken it meanwhile
		if (holders.get(directory) === other) holders.delete(directory);
	}
	if (!holders.has(directory)) holders.set(directory, holder);
	return () => {
		if (holders.get(directory) === holder) holders.delete(directory);
	};
}

function table(): Map<string, StoreHolder> {
	const shared = globalThis as { [KEY]?: Map<string, StoreHolder> };
	shared[KEY] ??= new Map();
	return shared[KEY];
}
