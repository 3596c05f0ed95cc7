import { existsSync } from "node:fs";
import { StoreError } from "./errors.ts";
import type { KeyValue } from "./key-value.ts";
import { openLevel } from "./level-key-value.ts";
import { assertNotLost, levelDirectory } from "./open-store.ts";
import type { Verification, VerifyOptions } from "./store.ts";
import { verifyKeyValue } from "./verify.ts";

/**
 * Checks a store that is not open: chains, heads, witness, checkpoints and, if asked, blobs. Files LevelDB cannot make
 * sense of are among the damage. Throws `STORE_LOCKED`, and `STORE_NOT_FOUND` where there is no store.
 */
export async function verifyDirectory(directory: string, options: VerifyOptions = {}): Promise<Verification> {
	if (!existsSync(directory)) throw new StoreError("STORE_NOT_FOUND", `no store in ${directory}`);
	return inspect(levelDirectory(directory), directory, options);
}

/** Checks a LevelDB directory against the witness in `directory`. */
export async function inspect(
	level: string,
	directory: string,
	options: VerifyOptions,
): Promise<Verification> {
	let kv: KeyValue | undefined;
	try {
		if (level === levelDirectory(directory)) assertNotLost(directory);
		kv = await openLevel(level, { create: false });
		return await verifyKeyValue(kv, directory, options);
	} catch (error) {
		if (!(error instanceof StoreError) || error.code !== "STORE_DAMAGED") throw error;
		const checked = { events: 0, blobs: 0, checkpoints: 0 };
		const damage = [{ part: "files" as const, what: error.message }];
		return { streams: [], damage, lost: [], shredded: [], unproved: [], notes: [], checked };
	} finally {
		await kv?.close();
	}
}
