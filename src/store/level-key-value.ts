import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { StoreError } from "./errors.ts";
import type { KeyValue, ScanOptions } from "./key-value.ts";
import type { KeyRange } from "./keys.ts";
import { makeDirectory, PRIVATE } from "./make-directory.ts";
import { isOfLevel, unusable } from "./system-refusal.ts";

const BYTES = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;

/** A scan hands over this many bytes at once: twice the throughput of the default, 16 KB. */
const HIGH_WATER_MARK = 1 << 20;

/** Blocks are compressed one by one: at 16 KB transcripts take a sixth less disk than at LevelDB's 4 KB. */
const BLOCK_BYTES = 16 << 10;

/**
 * Bytes of a value from which on its batch is given as a list. A chained batch keeps its native copy until it is
 * collected, and the collector is not told how large that is: 480 MB in pieces grew the process by 367 MB, as lists by 5.
 */
const LARGE_VALUE = 64 << 10;

/** How a LevelDB directory is opened. */
export interface LevelOptions {
	/** whether a directory without a database gets one */
	readonly create: boolean;
}

/**
 * LevelDB in a directory. The write buffer stays at 4 MB: a larger one buys a third more speed on append and costs up
 * to twenty times as much on open. Throws `STORE_LOCKED` where it is open already, `STORE_DAMAGED` where its files do
 * not make a database, `STORE_UNAVAILABLE` where the system keeps them from it, `STORE_NOT_FOUND` where there are none
 * and none may be made. What it gives throws the middle two as well.
 */
export async function openLevel(directory: string, { create }: LevelOptions): Promise<KeyValue> {
	const missing = missingFiles(directory);
	if (missing === undefined && !create) throw new StoreError("STORE_NOT_FOUND", `no store in ${directory}`);
	// LevelDB would take a directory that lost its CURRENT for a new one and begin again over the tables
	if (missing) throw new StoreError("STORE_DAMAGED", `${directory} holds tables but no ${missing}`);
	makeDirectory(directory, PRIVATE);
	const db = new ClassicLevel<Buffer, Buffer>(directory, {
		...BYTES,
		blockSize: BLOCK_BYTES,
		createIfMissing: create,
	});
	try {
		await db.open();
	} catch (error) {
		throw openFailure(directory, error);
	}
	return keyValue(db, directory);
}

/** What a directory with LevelDB files lacks: `""` nothing, `undefined` when it holds no such files at all. */
function missingFiles(directory: string): string | undefined {
	const files = existsSync(directory) ? readdirSync(directory) : [];
	if (files.includes("CURRENT")) return files.some((file) => file.startsWith("MANIFEST-")) ? "" : "MANIFEST";
	return files.some((file) => /^MANIFEST-|\.(ldb|sst)$/.test(file)) ? "CURRENT" : undefined;
}

function openFailure(directory: string, error: unknown): StoreError {
	const origin = (error as { cause?: { code?: string } }).cause;
	if (origin?.code === "LEVEL_LOCKED") {
		return new StoreError("STORE_LOCKED", `${directory} is open elsewhere`, { cause: error });
	}
	return unusable(`${directory} does not open`, error);
}

function keyValue(db: ClassicLevel<Buffer, Buffer>, directory: string): KeyValue {
	const scan = ({ gte, lt }: KeyRange, { limit = -1, reverse = false }: ScanOptions) => ({
		gte: Buffer.from(gte),
		lt: Buffer.from(lt),
		limit,
		reverse,
		fillCache: false,
		highWaterMarkBytes: HIGH_WATER_MARK,
	});
	const refused = (what: string) => (error: unknown) => {
		throw isOfLevel(error) ? unusable(`${directory} cannot be ${what}`, error) : error;
	};
	return {
		get: (key) => readable(directory, () => db.getSync(key as Buffer)),
		batch: () => {
			const steps: Step[] = [];
			let isLarge = false;
			return {
				put: (key, value) => {
					isLarge ||= value.length >= LARGE_VALUE;
					steps.push({ type: "put", key: key as Buffer, value: value as Buffer });
				},
				del: (key) => void steps.push({ type: "del", key: key as Buffer }),
				write: (sync) =>
					(isLarge ? db.batch(steps, { sync }) : chained(db, steps, sync)).catch(refused("written")),
			};
		},
		entries: (range, options = {}) => chunks(directory, db.iterator(scan(range, options)), options),
		keys: (range, options = {}) => chunks(directory, db.keys(scan(range, options)), options),
		values: (range, options = {}) => chunks(directory, db.values(scan(range, options)), options),
		compact: ({ gte, lt }) => db.compactRange(Buffer.from(gte), Buffer.from(lt)).catch(refused("compacted")),
		close: () => db.close(),
	};
}

/** Writes small steps in one batch, a fourth faster than as a list. */
function chained(db: ClassicLevel<Buffer, Buffer>, steps: readonly Step[], sync: boolean): Promise<void> {
	const batch = db.batch();
	for (const step of steps) {
		if (step.type === "put") batch.put(step.key, step.value);
		else batch.del(step.key);
	}
	return batch.write({ sync });
}

type Step =
	| { readonly type: "put"; readonly key: Buffer; readonly value: Buffer }
	| { readonly type: "del"; readonly key: Buffer };

interface Chunked<T> {
	nextv(size: number): Promise<T[]>;
	close(): Promise<void>;
}

async function* chunks<T>(
	directory: string,
	iterator: Chunked<T>,
	{ chunk = 1000 }: ScanOptions,
): AsyncGenerator<T[]> {
	try {
		for (;;) {
			const found = await iterator.nextv(chunk).catch((error) => {
				throw unreadable(directory, error);
			});
			if (found.length === 0) return;
			yield found;
		}
	} finally {
		await iterator.close();
	}
}

function readable<T>(directory: string, read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw unreadable(directory, error);
	}
}

function unreadable(directory: string, cause: unknown): unknown {
	return isOfLevel(cause) ? unusable(`${directory} cannot be read`, cause) : cause;
}

/** Bytes under which a table is one that a merge makes fewer of: LevelDB fills those it merges up to 2 MB. */
const SMALL_TABLE = 1 << 20;

/** Number of small table files in a LevelDB directory: every opening leaves one until they are compacted. */
export function smallTables(directory: string): number {
	const tables = readdirSync(directory).filter((file) => file.endsWith(".ldb"));
	// LevelDB may be merging some away meanwhile
	const sizes = tables.map((file) => statSync(join(directory, file), { throwIfNoEntry: false })?.size);
	return sizes.filter((size) => size !== undefined && size < SMALL_TABLE).length;
}
