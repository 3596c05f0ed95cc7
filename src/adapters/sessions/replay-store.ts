import { existsSync, readdirSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { REGISTRY, sessionStream } from "../../engine/store-journal.ts";
import { StoreError } from "../../store/errors.ts";
import { sha256Node } from "../../store/hash.ts";
import { homeDirectory } from "../../store/identity.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { ReplayError } from "./replay-error.ts";
import { liveDirectories } from "./replay-places.ts";

const REPLACED = "~replaced";

/** Whether a folder is named as a store that made way is. */
export function isReplaced(name: string): boolean {
	return /~replaced(-\d+)?$/.test(name);
}

/** Where a replay's store lies and whose it is. */
export interface ReplayPlace {
	readonly directory: string;
	readonly session: string;
	/** told, in words, when an older store had to make way */
	readonly notice: (text: string) => void;
}

/**
 * Opens the store a replay writes to, made if need be. One that is damaged makes way, for everything in it comes from
 * the session file. Throws `REPLAY_STORE_TAKEN` where the folder holds anything but a replay of this session, and
 * what `openStore` throws.
 */
export async function openReplayStore(place: ReplayPlace): Promise<Store> {
	assertFree(place.directory);
	const store = await openStored(place).catch((error: unknown) => {
		if (error instanceof StoreError && error.code === "STORE_DAMAGED") return undefined;
		throw error;
	});
	if (store && store.damage.length === 0) return store;
	const why = store?.damage[0]?.what ?? "its files are damaged";
	await store?.close();
	await replaceStore(place, why);
	return openStored(place);
}

/** Moves a store aside, to a name beside its own, so that a new one can begin. None moved there before is touched. */
export async function replaceStore({ directory, notice }: ReplayPlace, why: string): Promise<void> {
	let aside = `${directory}${REPLACED}`;
	for (let n = 2; existsSync(aside); n++) aside = `${directory}${REPLACED}-${n}`;
	await rename(directory, aside);
	notice(`the store of an earlier replay was moved to ${aside}: ${why}`);
}

async function openStored({ directory, session }: ReplayPlace): Promise<Store> {
	const store = await openStore({ directory, registry: REGISTRY, hash: sha256Node });
	try {
		const stream = sessionStream(session);
		const other = store.streams().find((name) => name !== stream);
		if (other !== undefined) throw taken(directory, `holds ${other}, not ${stream}`);
		if (store.damage.length > 0 || store.head(stream).version === 0) return store;
		const first = store.event(stream, 0)?.data as { readonly format?: string } | undefined;
		if (first?.format === "live") throw taken(directory, "is the store of a live session");
		return store;
	} catch (error) {
		await store.close();
		throw error;
	}
}

function assertFree(directory: string): void {
	for (const live of liveDirectories(homeDirectory())) {
		if (`${resolve(directory)}${sep}`.startsWith(live + sep)) {
			throw taken(directory, "is where the stores of live sessions lie");
		}
	}
	if (!existsSync(directory)) return;
	if (!statSync(directory).isDirectory()) throw taken(directory, "is no folder");
	const names = readdirSync(directory);
	if (names.length > 0 && !names.includes("level") && !names.includes("witness")) {
		throw taken(directory, "holds other things than a store");
	}
}

function taken(directory: string, what: string): ReplayError {
	return new ReplayError("REPLAY_STORE_TAKEN", `${directory} ${what}`);
}
