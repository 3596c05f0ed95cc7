import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { StoreError } from "./errors.ts";
import type { Head } from "./head.ts";
import { EVERYTHING } from "./keys.ts";
import { openLevel } from "./level-key-value.ts";
import { levelDirectory } from "./open-store.ts";
import { type Kept, rebuildBlobs, rebuildStream, recordLoss } from "./rebuild.ts";
import { renamePatiently } from "./rename-patiently.ts";
import { openDamaged, type SalvagedPlace, salvagePlaces } from "./salvage.ts";
import type { Damage, References } from "./store.ts";
import { inspect } from "./verify-directory.ts";
import { readWitness, Witness, witnessPath } from "./witness.ts";

/** A store to repair. It must not be open. */
export interface RepairOptions {
	readonly directory: string;
	/** the time of the repair, ms since the epoch */
	readonly at: number;
	/** names of streams it may hold, should a name be lost with a stream's head */
	readonly streams?: readonly string[];
	/** tells which content is missing; without it only content that is altered is found */
	readonly references?: References;
}

/** Events that are gone for good. */
interface LostEvents {
	/** unknown where its name was lost with all of it */
	readonly stream?: string;
	/** the stream's number in the database */
	readonly number: number;
	readonly from: number;
	readonly to: number;
}

/** What a repair kept. */
export interface Repair {
	/** path of the folder that holds the damaged database */
	readonly keptAs: string;
	/** the streams as they are now, `store/repaired` included; `kept` counts what was there before */
	readonly streams: readonly (Head & { readonly stream: string; readonly kept: number })[];
	/** events that were known to be there and are not kept */
	readonly lost: readonly LostEvents[];
	readonly blobs: { readonly kept: number; readonly lost: number };
	/** digests of content that kept events refer to and that is lost, as far as no earlier repair told of it */
	readonly contentsLost: readonly string[];
	/** what was wrong, in words */
	readonly reason: string;
}

/**
 * Starts a damaged store anew from what of it is vouched for. The damaged database is kept aside, whole, in
 * `damaged-<n>`. Each stream that lost events keeps those before the loss, unchanged, and says what is missing in a
 * `store/repaired` behind them, as does one that lost content it refers to. Index rows and checkpoints are left behind:
 * both are made again from the events. The new database is complete before it takes the old one's place; a repair cut
 * short is finished by the next. Resolves to `undefined` where nothing needs repair. Throws `STORE_LOCKED`,
 * `STORE_NOT_FOUND`, `STORE_UNAVAILABLE`.
 */
export async function repair(options: RepairOptions): Promise<Repair | undefined> {
	const { directory, at, streams: suggested = [], references } = options;
	const damage = await faultsOf(options);
	if (damage.length === 0) return undefined;
	const source = damagedDatabase(directory);
	const rebuilt = join(directory, "level.rebuilt");
	const copy = join(directory, "level.salvage");
	const inPlace = source === levelDirectory(directory);
	const keptAs = inPlace ? join(directory, nextDamaged(directory)) : source;
	const witness = await witnessed(existsSync(witnessPath(directory)) ? directory : keptAs);

	await rm(rebuilt, { recursive: true, force: true });
	const from = await openDamaged(source, copy);
	const to = await openLevel(rebuilt, { create: true });
	const blobs = await rebuildBlobs(from, to);
	const places = await salvagePlaces(from, suggested, witness);
	const outcomes: Outcome[] = [];
	for (const place of places) {
		const acknowledged = Math.max(place.standing, witness.get(place.number)?.version ?? 0);
		outcomes.push({ place, acknowledged, ...(await rebuildStream(from, to, place, references)) });
	}
	const lost = lostEvents(outcomes, witness);
	const unnamed = lost
		.filter(({ stream }) => stream === undefined)
		.map(({ number, to: last }) => `nothing is left of stream ${number}, which held events 0 to ${last}`);
	const reason = [...damage.map(({ what }) => what).slice(0, 3), ...unnamed].join("; ");
	const hurt = outcomes.filter(
		({ place, head, acknowledged, missing }) =>
			damage.some(({ stream }) => stream === place.name) || head.version < acknowledged || missing.length > 0,
	);
	const heads = new Map(outcomes.map(({ place, head }) => [place.number, head]));
	// where no stream is known to have lost an event, what happened must still stand in the log
	for (const { place, head, acknowledged, missing } of hurt.length > 0 ? hurt : outcomes.slice(0, 1)) {
		const loss = {
			at,
			reason,
			acknowledged,
			blobsLost: blobs.lost,
			contents: missing,
			keptAs: basename(keptAs),
		};
		heads.set(place.number, await recordLoss(to, place, head, loss));
	}
	// into tables, which LevelDB writes through to the disk
	await to.compact(EVERYTHING);
	await Promise.all([from.close(), to.close()]);
	await publish(directory, { source, keptAs, rebuilt }, heads);
	await rm(copy, { recursive: true, force: true });
	const streams = outcomes.map(({ place, head }) => {
		return { stream: place.name, ...(heads.get(place.number) as Head), kept: head.version };
	});
	const contentsLost = [...new Set(outcomes.flatMap(({ missing }) => missing))];
	return { keptAs, streams, lost, blobs, contentsLost, reason };
}

/**
 * What a repair of this store would be about; empty where nothing needs one. Throws as {@link repair} does.
 */
export async function faultsOf({
	directory,
	references,
}: Pick<RepairOptions, "directory" | "references">): Promise<readonly Damage[]> {
	const source = damagedDatabase(directory);
	const { damage } = await inspect(source, directory, { blobs: true, ...(references && { references }) });
	// an unsound checkpoint is passed over as it is
	const faults = damage.filter(({ part }) => part !== "checkpoint");
	if (faults.length > 0 || source === levelDirectory(directory)) return faults;
	return [{ part: "files", what: "an earlier repair was cut short" }];
}

interface Outcome extends Kept {
	readonly place: SalvagedPlace;
	/** how many events were known to be there */
	readonly acknowledged: number;
}

function lostEvents(outcomes: readonly Outcome[], witness: ReadonlyMap<number, Head>): LostEvents[] {
	const known = new Set(outcomes.map(({ place }) => place.number));
	const ends = outcomes.filter(({ head, acknowledged }) => head.version < acknowledged);
	const gone = [...witness].filter(([number, { version }]) => version > 0 && !known.has(number));
	return [
		...ends.map(({ place, head, acknowledged }) => {
			return { stream: place.name, number: place.number, from: head.version, to: acknowledged - 1 };
		}),
		...gone.map(([number, { version }]) => ({ number, from: 0, to: version - 1 })),
	];
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
