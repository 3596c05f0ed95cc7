import { statSync } from "node:fs";
import {
	openForReading as openStoreForReading,
	type ReadStore,
} from "../adapters/sessions/open-for-reading.ts";
import { openSession } from "../adapters/sessions/pi/session.ts";
import {
	liveDirectory,
	liveDirectoryOf,
	replayDirectory,
	replayDirectoryOf,
} from "../adapters/sessions/replay-places.ts";
import { isBundle } from "../store/bundle/bundle-source.ts";
import { StoreError } from "../store/errors.ts";
import { homeDirectory } from "../store/identity.ts";
import type { Store } from "../store/store.ts";
import { CliError } from "./cli-error.ts";
import { isStore, isThere } from "./is-store.ts";
import { lastStore } from "./last-store.ts";
import { foundSomethingWrong, note } from "./terminal.ts";

/** What a command says of where its store is, for its help. */
export const WHERE =
	"a store's folder, a bundle, or a session file or id that was replayed or ran with the engine; by default the last replay or session of this folder";

/** A store opened for reading, with the stream in question. */
export interface OpenPlace {
	readonly store: Store;
	readonly stream: string;
	readonly directory: string;
}

/**
 * The folder of the store a user means, or the file of a bundle: one named, the replay of a session file or id, else its
 * live store, or the store that was written to last. Throws `CLI_NO_STORE`, `CLI_USAGE`, and what `openSession` throws
 * of a file.
 */
export async function findStore(where: string | undefined): Promise<string> {
	const home = homeDirectory();
	if (where === undefined) {
		const directory = await lastStore(home, process.cwd(), openForReading);
		note(`reading ${directory}`);
		return directory;
	}
	if (where === "") throw new CliError("CLI_USAGE", "the store is named by nothing but an empty text");
	if (isThere(where) && statSync(where).isDirectory()) {
		if (isStore(where)) return where;
		throw new CliError("CLI_NO_STORE", `${where} is a folder, but no store`);
	}
	if (isThere(where)) {
		if (await isBundle(where)) return where;
		const file = await openSession(where);
		const replay = await replayDirectoryOf(home, file, openForReading);
		if (isStore(replay)) return replay;
		const live = await liveDirectoryOf(home, file, openForReading);
		if (isStore(live)) return live;
		throw new CliError(
			"CLI_NO_STORE",
			`${where} has no replay of its own yet: run palimpsest replay ${where}, or name a folder`,
		);
	}
	const [directory, other] = [replayDirectory(home, where), liveDirectory(home, where)].filter(isStore);
	if (other !== undefined) note(`reading the replay of ${where}, ${directory}; its live store is ${other}`);
	if (directory !== undefined) return directory;
	throw new CliError("CLI_NO_STORE", `${where} is no store, no session file and no id of a replayed session`);
}

/** The folder of the store a user means, to be written to. Throws as {@link findStore} does, and `STORE_READ_ONLY` for a bundle. */
export async function findWritable(where: string | undefined): Promise<string> {
	const directory = await findStore(where);
	if (!(await isBundle(directory))) return directory;
	throw new StoreError("STORE_READ_ONLY", `${directory} is a bundle, which is only read`, { directory });
}

/**
 * Runs work on the store a user means, opened for reading. What is
 * damaged is told and read as far as it holds. Throws as `findStore` and `openStore` do.
 */
export async function withPlace<T>(
	where: string | undefined,
	work: (place: OpenPlace) => Promise<T>,
): Promise<T> {
	return withStore(await findStore(where), work);
}

/** Runs work on the store in a folder, opened for reading, as {@link withPlace} does. */
export async function withStore<T>(directory: string, work: (place: OpenPlace) => Promise<T>): Promise<T> {
	const { store, close } = await openForReading(directory);
	try {
		const stream = store.streams().find((name) => name.startsWith("session/")) ?? store.streams()[0];
		if (stream === undefined && store.damage.length === 0) {
			throw new CliError("CLI_NO_STORE", `${directory} holds no events`);
		}
		for (const { what } of store.damage) note(`damaged: ${what}`);
		if (store.damage.length > 0) foundSomethingWrong();
		return await work({ store, stream: stream ?? "", directory });
	} finally {
		await close();
	}
}

/** Opens a store for reading as `openForReading` of the adapters does, and notes where a copy is read. */
export function openForReading(directory: string): Promise<ReadStore> {
	return openStoreForReading(directory, note);
}
