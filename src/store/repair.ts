import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { StreamPlace } from "./chain.ts";
import { StoreError } from "./errors.ts";
import type { Head } from "./head.ts";
import { EVERYTHING } from "./keys.ts";
import { openLevel } from "./level-key-value.ts";
import { levelDirectory } from "./open-store.ts";
import { rebuildBlobs, rebuildStream, recordLoss } from "./rebuild.ts";
import { renamePatiently } from "./rename-patiently.ts";
import { openDamaged, type SalvagedPlace, salvagePlaces } from "./salvage.ts";
import { inspect } from "./verify-directory.ts";
import { readWitness, Witness, witnessPath } from "./witness.ts";

/** A store to repair. It must not be open. */
export interface RepairOptions {
	readonly directory: string;
	/** the time of the repair, ms since the epoch */
	readonly at: number;
	/** names of streams it may hold, should a name be lost with a stream's head */
	readonly streams?: readonly string[];
}

/** What a repair kept. */
export interface Repair {
	/** path of the folder that holds the damaged database */
	readonly keptAs: string;
	/** the streams as they are now, `store/repaired` included */
	readonly streams: readonly (Head & { readonly stream: string })[];
	readonly blobs: { readonly kept: number; readonly lost: number };
	/** what was wrong, in words */
	readonly reason: string;
}

/**
 * Starts a damaged store anew from what of it is vouched for. The damaged database is kept aside, whole, in
 * `damaged-<n>`. Each stream that lost events keeps those before the loss, unchanged, and says what is missing in a
 * `store/repaired` behind them. Index rows and checkpoints are left behind: both are made again from the events. The
 * new database is complete before it takes the old one's place; a repair cut short is finished by the next. Resolves
 * to `undefined` where nothing needs repair. Throws `STORE_LOCKED`, `STORE_NOT_FOUND`, `STORE_UNAVAILABLE`.
 */
export async function repair({
	directory,
	at,
	streams: suggested = [],
}: RepairOptions): Promise<Repair | undefined> {
	const source = damagedDatabase(directory);
	const rebuilt = join(directory, "level.rebuilt");
	const copy = join(directory, "level.salvage");
	const inPlace = source === levelDirectory(directory);
	const keptAs = inPlace ? join(directory, nextDamaged(directory)) : source;
	const { damage: found } = await inspect(source, directory, { blobs: true });
	// an unsound checkpoint is passed over as it is
	const damage = found.filter(({ part }) => part !== "checkpoint");
	if (inPlace && damage.length === 0) return undefined;
	const reason =
		damage
			.map(({ what }) => what)
			.slice(0, 3)
			.join("; ") || "an earlier repair was cut short";
	const witness = await witnessed(existsSync(witnessPath(directory)) ? directory : keptAs);

	await rm(rebuilt, { recursive: true, force: true });
	const from = await openDamaged(source, copy);
	const to = await openLevel(rebuilt, { create: true });
	const blobs = await rebuildBlobs(from, to);
	const places = await salvagePlaces(from, suggested, witness);
	const heads = new Map<number, Head>();
	const lossOf = ({ number, standing }: SalvagedPlace) => ({
		at,
		reason,
		acknowledged: Math.max(standing, witness.get(number)?.version ?? 0),
		blobsLost: blobs.lost,
		keptAs: basename(keptAs),
	});
	for (const place of places) heads.set(place.number, await rebuildStream(from, to, place));
	const kept = (place: StreamPlace) => heads.get(place.number) as Head;
	const hurt = places.filter(
		(place) =>
			damage.some(({ stream }) => stream === place.name) || kept(place).version < lossOf(place).acknowledged,
	);
	// where no stream is known to have lost an event, what happened must still stand in the log
	for (const place of hurt.length > 0 ? hurt : places.slice(0, 1)) {
		heads.set(place.number, await recordLoss(to, place, kept(place), lossOf(place)));
	}
	// into tables, which LevelDB writes through to the disk
	await to.compact(EVERYTHING);
	await Promise.all([from.close(), to.close()]);
	await publish(directory, { source, keptAs, rebuilt }, heads);
	await rm(copy, { recursive: true, force: true });
	const streams = places.map((place) => ({ stream: place.name, ...kept(place) }));
	return { keptAs, streams, blobs, reason };
}

interface Places {
	readonly source: string;
	readonly keptAs: string;
	readonly rebuilt: string;
}

/** Until the last rename the store does not open, so whatever cuts this short is seen and not taken for a new store. */
async function publish(
	directory: string,
	{ source, keptAs, rebuilt }: Places,
	heads: ReadonlyMap<number, Head>,
): Promise<void> {
	if (source !== keptAs) await renamePatiently(source, keptAs);
	if (existsSync(witnessPath(directory))) await renamePatiently(witnessPath(directory), witnessPath(keptAs));
	await renamePatiently(rebuilt, levelDirectory(directory));
	const witness = await Witness.open(directory);
	await witness.record(heads);
	await witness.close();
}

/** What the witness tells; one that cannot be read is put aside with the rest. */
async function witnessed(directory: string): Promise<ReadonlyMap<number, Head>> {
	try {
		return await readWitness(directory);
	} catch (error) {
		if (error instanceof StoreError && error.code === "STORE_DAMAGED") return new Map();
		throw error;
	}
}

/** The database to repair: the store's own, or the one a repair had already put aside when it was cut short. */
function damagedDatabase(directory: string): string {
	const level = levelDirectory(directory);
	if (existsSync(level)) return level;
	const last = damagedFolders(directory).at(-1);
	if (last) return join(directory, last);
	if (existsSync(witnessPath(directory))) {
		// nothing of it is left but the word that there was something
		mkdirSync(level);
		return level;
	}
	throw new StoreError("STORE_NOT_FOUND", `no store in ${directory}`);
}

function nextDamaged(directory: string): string {
	return `damaged-${damagedFolders(directory).length + 1}`;
}

function damagedFolders(directory: string): string[] {
	if (!existsSync(directory)) return [];
	const number = (name: string) => Number(name.slice("damaged-".length));
	return readdirSync(directory)
		.filter((name) => /^damaged-\d+$/.test(name))
		.sort((a, b) => number(a) - number(b));
}
