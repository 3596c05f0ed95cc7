import type { Envelope, Recorded } from "../../events/envelope.ts";
import type { BundleOptions } from "./bundle/write-bundle.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { RawEvent } from "./event-codec.ts";
import type { Head } from "./head.ts";
import type { KnownLoss, KnownShredding } from "./losses.ts";
import type { SealedEvent, Sealer } from "./seal.ts";

/** An event as a reader gets it: in its place, in today's schema, with the hash the next one repeats. */
export interface StoredEvent extends Envelope {
	/** hex SHA-256 of the stored value */
	readonly hash: string;
}

/** Content stored once, under its digest. Its bytes must not change until the append resolves. */
export interface StoredContent {
	/** hex SHA-256 of the bytes */
	readonly digest: string;
	readonly bytes: Uint8Array;
}

/** Index rows written and removed with the events they derive from. Keys are the caller's own. */
export interface RowChanges {
	readonly put?: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
	readonly del?: readonly Uint8Array[];
}

/** What goes into the same batch as the events, and how it is written. */
export interface AppendOptions {
	/** wait until the disk has it, so that it survives a power cut and not just a killed process; for decisions */
	readonly sync?: boolean;
	readonly blobs?: readonly StoredContent[];
	/**
	 * digests of blobs to destroy: when the append resolves, their bytes are gone from the store's files, and so are those
	 * of the rows that it removes
	 */
	readonly shred?: readonly string[];
	/** states of projections as they are with these events applied */
	readonly checkpoints?: readonly Pick<Checkpoint, "name" | "version" | "state">[];
	readonly rows?: RowChanges;
	/** seals the events of this append whose actor is a user */
	readonly sealer?: Sealer;
}

/** Which events to read, and what to do with those this release cannot understand. */
export interface ReadOptions {
	/** first position; 0 by default */
	readonly from?: number;
	/** position to stop before; the head by default */
	readonly to?: number;
	/** events decoded at a time: 1000 by default, 250 keeps each slice near a millisecond for a live process */
	readonly chunk?: number;
	/**
	 * Called with every event of an unknown type, a newer version or a payload that breaks its schema, which is then
	 * skipped. Without it such an event stops the reading with its `EventError`, as it must stop a writer.
	 */
	readonly onUnreadable?: (raw: RawEvent, error: Error) => void;
}

/** Something found wrong in a store. */
export interface Damage {
	/** what part of the store it is in */
	readonly part: "event" | "head" | "blob" | "checkpoint" | "row" | "files";
	readonly stream?: string;
	/** place in the stream of the event at fault, or of the first that is missing */
	readonly position?: number;
	/** `blob`: its digest */
	readonly digest?: string;
	/** what was found, in words */
	readonly what: string;
}

/** What to look at beyond the chains. */
export interface VerifyOptions {
	/** check every blob against its digest too */
	readonly blobs?: boolean;
	/** with `blobs`, content referred to that is not stored is damage, unless a repair told that it is lost */
	readonly references?: References;
	/** tells what is wrong with the proof an event carries; of one that needs none, or has a good one, nothing */
	readonly proof?: (raw: RawEvent, sealed: SealedEvent) => Unproved["proof"] | undefined;
}

/** An event that is said to be a user's and that nothing proves to be. */
export interface Unproved {
	readonly stream: string;
	readonly position: number;
	readonly type: string;
	/** `unverified`: there is nothing to check it by; `forged`: it is not what was written */
	readonly proof: "unverified" | "forged";
}

/** Tells the digests of the content an event refers to. A shredded blob is not referred to. */
export type References = (raw: RawEvent) => Iterable<string>;

/** What a verification found. */
export interface Verification {
	/** each stream up to where it is vouched for */
	readonly streams: readonly (Head & { readonly stream: string })[];
	/** empty where everything holds; the first fault of each stream, and every fault elsewhere */
	readonly damage: readonly Damage[];
	/** what repairs told to be gone for good; known where `references` were given */
	readonly lost: readonly KnownLoss[];
	/** what was destroyed on purpose; known where `references` were given */
	readonly shredded: readonly KnownShredding[];
	/** events a user is said to have made and that nothing proves; known where `proof` was given */
	readonly unproved: readonly Unproved[];
	/** what is no damage and yet worth knowing, in words */
	readonly notes: readonly string[];
	/** how many events and blobs were checked */
	readonly checked: { readonly events: number; readonly blobs: number; readonly checkpoints: number };
}

/** An event store. One process holds a store at a time. */
export interface Store extends AsyncDisposable {
	/** where it lies; `undefined` in memory */
	readonly directory: string | undefined;
	/** whether it takes no events, because it was opened so or because it is damaged */
	readonly readOnly: boolean;
	/** what was found wrong so far, on opening or while reading; each stream ends before its damage */
	readonly damage: readonly Damage[];

	/**
	 * The only way in. Writes the events behind `expectedVersion` in one batch with the new head and whatever `options`
	 * bring, and resolves to the new head once that is written. Appends may be made without waiting for the ones
	 * before: they take their place in the order of the calls, the version is checked against that order, and those
	 * that meet in the queue share a batch. `head`, `read`, `row` and `checkpoint` see an append when it resolved, `blob`
	 * sees its content at once.
	 *
	 * Throws `STORE_VERSION_CONFLICT`, `STORE_WRITE_FAILED`, `STORE_READ_ONLY`, `STORE_DAMAGED`, `STORE_CLOSED`;
	 * `EVENT_INVALID` and `EVENT_UNKNOWN` before anything is written; a `TypeError` for content that is not its digest's.
	 */
	append(
		stream: string,
		events: readonly Recorded[],
		expectedVersion: number,
		options?: AppendOptions,
	): Promise<Head>;

	/**
	 * Stores content no event refers to yet, without a place in any stream: for what is too large to be handed over in
	 * one append. Whoever keeps it appends the event that refers to it afterwards. Throws as `append` does, but for
	 * `STORE_VERSION_CONFLICT`.
	 */
	keep(blobs: readonly StoredContent[]): Promise<void>;

	/**
	 * Changes index rows that derive from events already there, in one batch: for an index that is made behind the events,
	 * a slice at a time. Throws as `keep` does.
	 */
	index(rows: RowChanges): Promise<void>;

	/** where a stream stands, queued appends not counted; a stream nobody wrote to is at version 0 */
	head(stream: string): Head;

	/** names of the streams that hold events, in the order they were begun */
	streams(): readonly string[];

	/**
	 * Events of a stream in order, verified as they come: one is given once the event behind it, or the head, has
	 * vouched for it. Throws `STORE_CHAIN_BROKEN` at the first that is not, after which the store takes no more events.
	 */
	read(stream: string, options?: ReadOptions): AsyncIterable<StoredEvent>;

	/** the same in runs of up to `chunk` events, for readers of very many */
	readRuns(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]>;

	/** one event, at once; `undefined` beyond the head. Throws as `read` does. */
	event(stream: string, position: number): StoredEvent | undefined;

	/** the bytes of an event, with its seal, at once; `undefined` beyond the head. Nothing vouches for them here */
	sealed(stream: string, position: number): SealedEvent | undefined;

	/** content by its digest, at once, checked against it; throws `STORE_BLOB_DAMAGED` */
	blob(digest: string): Uint8Array | undefined;

	/** whether content with this digest is stored */
	hasBlob(digest: string): boolean;

	/**
	 * The newest sound checkpoint of a projection that covers at most `upTo` events, at once. One that is damaged, of
	 * another version, or does not fit the chain is passed over for the one before it.
	 */
	checkpoint(stream: string, name: string, version: number, upTo?: number): Checkpoint | undefined;

	/** an index row, at once */
	row(key: Uint8Array): Uint8Array | undefined;

	/** index rows from `gte` up to, not including, `lt`, in order of their bytes */
	rows(range: {
		readonly gte: Uint8Array;
		readonly lt: Uint8Array;
	}): AsyncIterable<readonly [Uint8Array, Uint8Array]>;

	/** the same in runs, at most `limit` rows in all */
	rowRuns(
		range: { readonly gte: Uint8Array; readonly lt: Uint8Array },
		limit?: number,
	): AsyncIterable<readonly (readonly [Uint8Array, Uint8Array])[]>;

	/**
	 * Checks every chain from its start, every checkpoint and, if asked, every blob. Appends made meanwhile wait, and so
	 * does closing.
	 */
	verify(options?: VerifyOptions): Promise<Verification>;

	/**
	 * The store as a bundle, in pieces: a file that holds all of it but the index rows. Throws `STORE_CHAIN_BROKEN` and
	 * `STORE_BLOB_DAMAGED` at what is not what was written.
	 */
	bundle(options: BundleOptions): AsyncIterable<Uint8Array>;

	/** Waits for queued appends, then lets go of the files. Twice does no harm. */
	close(): Promise<void>;
}
