import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "../../events/registry.ts";
import { nextSequence } from "./blobs.ts";
import { hashBefore, type StreamPlace } from "./chain.ts";
import { type CheckpointKey, parseCheckpointKey } from "./checkpoint.ts";
import { StoreError } from "./errors.ts";
import { type Sha256, sha256Noble, sha256Node } from "./hash.ts";
import type { KeyValue } from "./key-value.ts";
import { allOf, eventKey, eventRange, FORMAT, FORMAT_KEY } from "./keys.ts";
import { openLevel, smallTables } from "./level-key-value.ts";
import { Log } from "./log.ts";
import { makeDirectory, PRIVATE } from "./make-directory.ts";
import { memoryKeyValue } from "./memory-key-value.ts";
import { readPlaces } from "./places.ts";
import type { Damage, Store } from "./store.ts";
import { metOnTheWay } from "./system-refusal.ts";
import { againstWitness, verifyStream } from "./verify.ts";
import { Witness } from "./witness.ts";

/** Small table files a store may gather before closing merges them: every opening leaves one. */
const CROWDED = 32;

/** What a store is opened with. */
export interface OpenOptions {
	/** where the store lies; made if need be, unless `readOnly` */
	readonly directory: string;
	/** the event types of this release */
	readonly registry: Registry;
	/** what hashes appended events; noble's by default, `sha256Node` for imports */
	readonly hash?: Sha256;
	/** take no events and change no file but LevelDB's own log */
	readonly readOnly?: boolean;
}

/**
 * Opens a session's or workspace's store. The database lies in `level/`, the witness beside it. Checked on opening are
 * the heads, the last event of each stream and the witness; the rest of the chain as it is read. A store that fails
 * is opened read-only up to its damage, which `damage` names. Throws `STORE_LOCKED` where it is open elsewhere,
 * `STORE_DAMAGED` where LevelDB cannot open it at all, `STORE_UNAVAILABLE` where the system refuses, `STORE_NOT_FOUND`, `STORE_NEWER`.
 */
export async function openStore({
	directory,
	registry,
	hash = sha256Noble,
	readOnly = false,
}: OpenOptions): Promise<Store> {
	const kv = await openDatabase(directory, !readOnly);
	try {
		const sound = await readSound(kv, directory);
		const writable = !readOnly && sound.damage.length === 0;
		return new Log({
			...sound,
			kv,
			registry,
			hash,
			directory,
			readOnly,
			...(writable && {
				witness: await Witness.open(directory),
				crowded: () => smallTables(levelDirectory(directory)) > CROWDED,
			}),
		});
	} catch (error) {
		await kv.close();
		throw metOnTheWay(directory, error);
	}
}

/** A store in memory, for sessions without a file. It does all the other one does but outlive the process. */
export function openMemoryStore({
	registry,
	hash = sha256Noble,
}: Omit<OpenOptions, "directory" | "readOnly">): Store {
	const kv = memoryKeyValue();
	return new Log({
		kv,
		registry,
		hash,
		readOnly: false,
		places: [],
		checkpoints: [],
		damage: [],
		nextBlob: 0,
	});
}

/** Where a store keeps its LevelDB files. */
export function levelDirectory(directory: string): string {
	return join(directory, "level");
}

/** Opens a store's database and sees to its format. Throws as {@link openStore} does. */
export async function openDatabase(directory: string, create: boolean): Promise<KeyValue> {
	const kv = await openFiles(directory, create).catch((error) => {
		throw metOnTheWay(directory, error);
	});
	try {
		const format = kv.get(FORMAT_KEY)?.[0];
		if (format !== undefined && format > FORMAT) {
			throw new StoreError(
				"STORE_NEWER",
				`${directory} is in format ${format}; this release reads ${FORMAT}`,
			);
		}
		if (format === undefined && create) {
			const batch = kv.batch();
			batch.put(FORMAT_KEY, Buffer.from([FORMAT]));
			await batch.write(true);
		}
		return kv;
	} catch (error) {
		await kv.close();
		throw error;
	}
}

async function openFiles(directory: string, create: boolean): Promise<KeyValue> {
	if (create) makeDirectory(directory, PRIVATE);
	assertNotLost(directory);
	return openLevel(levelDirectory(directory), { create });
}

/** Throws `STORE_DAMAGED` where a database was lost, or being repaired when the process ended: no place to begin anew. */
export function assertNotLost(directory: string): void {
	const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
	if (filesIn(levelDirectory(directory)).length > 0) return;
	if (!filesIn(directory).some((file) => /^(witness$|damaged-)/.test(file))) return;
	throw new StoreError("STORE_DAMAGED", `${directory} has a witness or a damaged database, but no database`);
}

interface Sound {
	readonly places: readonly StreamPlace[];
	readonly checkpoints: readonly CheckpointKey[];
	readonly nextBlob: number;
	readonly damage: readonly Damage[];
}

/** What of a database can be used: everything, or each stream as far as it is vouched for. */
async function readSound(kv: KeyValue, directory: string): Promise<Sound> {
	const checkpoints: CheckpointKey[] = [];
	for await (const chunk of kv.keys(allOf("c"))) {
		for (const key of chunk) checkpoints.push(parseCheckpointKey(key));
	}
	const nextBlob = await nextSequence(kv);
	const { places, damage } = await readPlaces(kv);
	damage.push(...(await againstWitness(directory, kv, places)));
	for (const place of places)
		if (!(await tailHolds(kv, place))) damage.push(...(await verifyStream(kv, place)).damage);
	if (damage.length === 0) return { places, checkpoints, nextBlob, damage };
	const upToDamage = places.map(async (place) => ({ ...place, ...(await verifyStream(kv, place)).head }));
	return { places: await Promise.all(upToDamage), checkpoints, nextBlob, damage };
}

async function tailHolds(kv: KeyValue, place: StreamPlace): Promise<boolean> {
	const { number, version } = place;
	for await (const _ of kv.values(eventRange(number, version, Number.MAX_SAFE_INTEGER), { limit: 1 }))
		return false;
	if (version === 0) return true;
	const last = kv.get(eventKey(number, version - 1));
	return last !== undefined && sha256Node(last) === hashBefore(kv, place, version);
}
