import { rm } from "node:fs/promises";
import { join } from "node:path";
import { count } from "../../debug/numbers.ts";
import { REGISTRY } from "../../engine/store-journal.ts";
import { isBundle } from "../../store/bundle/bundle-source.ts";
import { unpackWhole } from "../../store/bundle/unpack-bundle.ts";
import { type CopyOptions, copyFiles, copyOpenStore } from "../../store/copy-store.ts";
import { StoreError } from "../../store/errors.ts";
import { goesAtExit } from "../../store/leftovers.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { newCopyFolder } from "./copy-folders.ts";

/** A store opened for reading, and how to let go of it. */
export interface ReadStore {
	readonly store: Store;
	readonly close: () => Promise<void>;
}

/**
 * Opens a store for reading. One that is open elsewhere, or lies where nothing may be written, is read from a copy,
 * which goes when it is closed, and so is a bundle. Throws as `openStore`, `copyOpenStore` and `unpackWhole` do.
 * @param directory the store's folder, or a bundle's file
 * @param tell told in words where a copy is read, and what a bundle leaves out
 */
export async function openForReading(
	directory: string,
	tell: (what: string) => void = () => {},
): Promise<ReadStore> {
	if (await isBundle(directory)) return openBundle(directory, tell);
	try {
		return await openInPlace(directory);
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		const copy = async (why: string, by: (options: CopyOptions) => Promise<void>) => {
			const read = await openCopy(directory, by);
			tell(`${directory} ${why}: read from a copy`);
			return read;
		};
		if (error.code === "STORE_LOCKED") return copy("is open elsewhere", copyOpenStore);
		if (error.code !== "STORE_UNAVAILABLE") throw error;
		return copy("cannot be written to", copyFiles).catch((second: unknown) => {
			// what kept the copy from being made kept the store from being opened
			throw second instanceof StoreError && second.code !== "STORE_UNAVAILABLE" ? second : error;
		});
	}
}

/** Opens a copy of a store, made in a temporary folder that goes when it is closed. Throws as `copy` and `openStore` do. */
export async function openCopy(
	directory: string,
	copy: (options: CopyOptions) => Promise<void>,
): Promise<ReadStore> {
	const parent = await newCopyFolder();
	const gone = goesAtExit(parent);
	const remove = () => rm(parent, { recursive: true, force: true }).then(gone);
	try {
		const to = join(parent, "store");
		await copy({ directory, to });
		const { store, close } = await openInPlace(to);
		return { store, close: () => close().finally(remove) };
	} catch (error) {
		await remove();
		throw error;
	}
}

async function openBundle(file: string, tell: (what: string) => void): Promise<ReadStore> {
	return openCopy(file, async ({ to }) => {
		const { header, counts } = await unpackWhole({ file, to });
		if (header.redacted) tell(`${file} is redacted: ${count(counts.leftOut, "content")} left out`);
		if (header.partial) tell(`${file} was made of what still verified of a damaged store`);
	});
}

/** Opens a store for reading where it lies, which keeps it from everybody else. Throws as `openStore` does. */
export async function openInPlace(directory: string): Promise<ReadStore> {
	const store = await openStore({ directory, registry: REGISTRY, readOnly: true });
	return { store, close: () => store.close() };
}
