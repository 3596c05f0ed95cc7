import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type CopyOptions, copyFiles, copyOpenStore } from "../../store/copy-store.ts";
import { StoreError } from "../../store/errors.ts";
import { levelDirectory } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { witnessPath } from "../../store/witness.ts";
import { openCopy, openInPlace, type ReadStore } from "../sessions/open-for-reading.ts";

/** Copies taken until one shows no damage, else the last is read as far as it holds. */
const COPIES = 3;

/** How long a session counts as being at work after it wrote something, ms. Then it is asked whether it has the store open. */
const QUIET_MS = 60_000;

/** Where a page has its store from, which may grow meanwhile. */
export interface StoreOrigin {
	/** whether a session wrote to it a moment ago or has it open, as of when its mark was last asked for */
	isLive(): boolean;
	/** what is to be known of it, in words; nothing unless given */
	readonly notes?: readonly string[];
	/** something that is another once the store may hold more; `undefined` where it cannot be had now */
	mark(): Promise<string | undefined>;
	/** the store as it stands, to be let go of by its `close` */
	open(): Promise<ReadStore>;
	/** does something to the store in its own folder; absent where that is not for a page to do */
	readonly write?: <T>(work: (directory: string) => Promise<T>) => Promise<T>;
}

/**
 * A store in a folder. It is always read from a copy, whoever has it open: a page stays open for hours, and must not keep
 * its session from the store. This and opening it throw as `openStore` and `copyOpenStore` do.
 * @param now ms, from any origin
 */
export async function storeInFolder(
	directory: string,
	now: () => number = () => performance.now(),
): Promise<StoreOrigin> {
	let isLive = await isLocked(directory);
	let seen = now();
	let last = await markNow();
	return {
		isLive: () => isLive,
		mark: async () => {
			const mark = await markNow();
			if (mark !== undefined && mark !== last) {
				[isLive, seen, last] = [true, now(), mark];
			} else if (isLive && now() - seen > QUIET_MS) {
				// asked only of a session that was there: whoever asks has the store open for a moment
				isLive = await isLocked(directory).catch(() => false);
				[seen, last] = [now(), await markNow()];
			}
			return last;
		},
		open: () => openCopyOf(directory),
		write: async (work) => {
			try {
				return await work(directory);
			} finally {
				// what changed by that is no word of a session at work
				last = await markNow();
			}
		},
	};

	function markNow(): Promise<string | undefined> {
		return markOf(directory).catch(() => undefined);
	}
}

/** A store that does not change, open already; with what is to be known of it, in words. */
export function fixedStore(read: ReadStore, notes: readonly string[] = []): StoreOrigin {
	return {
		notes,
		isLive: () => false,
		mark: async () => "",
		open: async () => read,
	};
}

/**
 * The store a session in this process writes to, which is not closed here.
 * @param held the store as the session has it now; `undefined` while it has none
 */
export function storeAtHand(held: () => Store | undefined): StoreOrigin {
	let last: Store | undefined;
	let turns = 0;
	return {
		isLive: () => true,
		mark: async () => {
			const store = held();
			if (!store) return undefined;
			if (store !== last) turns += 1;
			last = store;
			return `${turns} ${store.streams().map((name) => store.head(name).version)}`;
		},
		open: async () => {
			const store = held();
			if (!store) throw new StoreError("STORE_CLOSED", "the session has no store open just now");
			return { store, close: async () => {} };
		},
	};
}

async function isLocked(directory: string): Promise<boolean> {
	try {
		await (await openInPlace(directory)).close();
		return false;
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		if (error.code === "STORE_LOCKED") return true;
		// where nothing may be written nobody else writes either
		if (error.code === "STORE_UNAVAILABLE") return false;
		throw error;
	}
}

/**
 * Opens a copy of a store, whoever has that open. It is verified as it is read. One that a writer got in the way of shows
 * damage the next one does not have.
 */
export async function openCopyOf(directory: string): Promise<ReadStore> {
	for (let attempt = 1; ; attempt++) {
		const read = await openCopy(directory, copyAsItIs);
		if (read.store.damage.length === 0 || attempt === COPIES) return read;
		await read.close();
	}
}

async function copyAsItIs(options: CopyOptions): Promise<void> {
	await copyOpenStore({ ...options, verify: false }).catch(async (error: unknown) => {
		// files of which some are gone make no consistent copy, and hold something all the same
		if (!(error instanceof StoreError) || error.code === "STORE_NOT_FOUND") throw error;
		await copyFiles(options);
	});
}

/** Sizes and times of what changes when something is appended to a store or it is made anew. Throws where there is none. */
export async function markOf(directory: string): Promise<string> {
	const level = levelDirectory(directory);
	const files = (await readdir(level)).filter((name) => /^CURRENT$|\.log$/.test(name)).sort();
	const paths = [...files.map((name) => join(level, name)), witnessPath(directory)];
	const told = await Promise.all(
		paths.map(async (path) => {
			const found = await stat(path).catch(() => undefined);
			return found && `${path} ${found.ino} ${found.size} ${found.mtimeMs}`;
		}),
	);
	return told.join("\n");
}
