import { join } from "node:path";
import { recordedRoot, sessionStream } from "../../engine/store-journal.ts";
import { StoreError } from "../../store/errors.ts";
import { directoryAmong, escapeName } from "../../store/identity.ts";
import type { Store } from "../../store/store.ts";
import type { SessionFile } from "./pi/session.ts";

/** Where the stores of replays lie. */
export function replaysDirectory(home: string): string {
	return join(home, "replays");
}

/** Where the store of a session's replay lies, unless the caller names another place or another root came first. */
export function replayDirectory(home: string, session: string): string {
	return join(replaysDirectory(home), escapeName(session));
}

/**
 * Where the store of a session file's replay lies, unless the caller names another place. Two files that share an id
 * and not their first entry are two sessions. `open` opens a store for reading and lets go of it.
 */
export function replayDirectoryOf(home: string, file: SessionFile, open: OpenStore): Promise<string> {
	return directoryOf(replaysDirectory(home), file, open);
}

/** Where the store lies that the host's session in a file has, should it have run with the engine. Throws as {@link replayDirectoryOf}. */
export function liveDirectoryOf(home: string, file: SessionFile, open: OpenStore): Promise<string> {
	return directoryOf(join(home, "sessions"), file, open);
}

async function directoryOf(stores: string, file: SessionFile, open: OpenStore): Promise<string> {
	const identity = { sessionId: file.id, rootId: await firstIdOf(file) };
	return directoryAmong(stores, identity, async (directory) => {
		try {
			const { store, close } = await open(directory);
			try {
				return recordedRoot(store, sessionStream(file.id));
			} finally {
				await close();
			}
		} catch (error) {
			// nobody can tell whose it is, and a replay is made again from its file
			if (!(error instanceof StoreError) || KEPT_FROM_US.has(error.code)) throw error;
			return undefined;
		}
	});
}

/** Codes of a store that may be whole, and another's. */
const KEPT_FROM_US: ReadonlySet<string> = new Set(["STORE_LOCKED", "STORE_UNAVAILABLE"]);

/** Opens a store for reading. */
type OpenStore = (
	directory: string,
) => Promise<{ readonly store: Store; readonly close: () => Promise<void> }>;

async function firstIdOf(file: SessionFile): Promise<string> {
	for await (const { id } of file.entries) return id;
	return "";
}

/** Where the stores of live sessions and workspaces lie. A replay keeps out of them. */
export function liveDirectories(home: string): readonly string[] {
	return [join(home, "sessions"), join(home, "workspaces")];
}

/** Where the store of a live session lies, unless another session of the same id was there first. */
export function liveDirectory(home: string, session: string): string {
	return join(home, "sessions", escapeName(session));
}
