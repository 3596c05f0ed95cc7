import type { Recorded } from "../../events/envelope.ts";
import type { Registry } from "../../events/registry.ts";
import { assertContent, Blobs, putContent } from "./blobs.ts";
import { type BundleOptions, bundlePieces } from "./bundle/write-bundle.ts";
import type { StreamPlace } from "./chain.ts";
import type { Checkpoint, CheckpointKey } from "./checkpoint.ts";
import { CheckpointIndex } from "./checkpoint-index.ts";
import { StoreError } from "./errors.ts";
import { encodeEvent } from "./event-codec.ts";
import type { Sha256 } from "./hash.ts";
import { encodeHead, type Head } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import { EVERYTHING, eventKey, FORMAT, FORMAT_KEY, headKey, type KeyRange, rowKey, sealKey } from "./keys.ts";
import { Reader } from "./reader.ts";
import { purgeRows, putRows, readRows } from "./rows.ts";
import { schemaCheck } from "./schema-check.ts";
import { decodeSeal, encodeSeal, type SealedEvent, sealsOf } from "./seal.ts";
import type {
	AppendOptions,
	Damage,
	ReadOptions,
	Store,
	StoredContent,
	StoredEvent,
	Verification,
	VerifyOptions,
} from "./store.ts";
import { type StreamState, Streams } from "./streams.ts";
import { verifyKeyValue } from "./verify.ts";
import { WriteQueue } from "./write-queue.ts";

/** What a log is made of. */
export interface LogParts {
	readonly kv: KeyValue;
	readonly registry: Registry;
	readonly hash: Sha256;
	readonly directory?: string;
	readonly readOnly: boolean;
	/** the streams that are there */
	readonly places: readonly StreamPlace[];
	readonly checkpoints: readonly CheckpointKey[];
	/** the sequence number the next blob takes */
	readonly nextBlob: number;
	readonly damage: readonly Damage[];
	/** keeps heads where the database cannot lose them; waits until the disk has them */
	readonly witness?: {
		record(heads: Iterable<readonly [stream: number, head: Head]>): Promise<void>;
		close(): Promise<void>;
	};
	/** whether so many table files have gathered that closing should merge them */
	readonly crowded?: () => boolean;
}

/** The store over any ordered map: LevelDB's, or the one in memory. Use `openStore` or `openMemoryStore`. */
export class Log implements Store {
	readonly directory: string | undefined;
	readonly #parts: LogParts;
	readonly #kv: KeyValue;
	readonly #queue: WriteQueue;
	readonly #reader: Reader;
	readonly #checkpoints: CheckpointIndex;
	readonly #streams: Streams;
	readonly #blobs: Blobs;
	/** streams with events the disk was not waited for */
	readonly #unwitnessed = new Set<StreamState>();
	#closing: Promise<void> | undefined;

	constructor(parts: LogParts) {
		// a schema that cannot be checked is a mistake in the catalogue, to be seen now and not at some append
		for (const { schema } of parts.registry.definitions) schemaCheck(schema);
		this.directory = parts.directory;
		this.#parts = parts;
		this.#kv = parts.kv;
		this.#queue = new WriteQueue(parts.kv);
		this.#reader = new Reader(parts.kv, parts.registry, parts.damage);
		this.#blobs = new Blobs(parts.kv, parts.nextBlob);
		this.#checkpoints = new CheckpointIndex(parts.kv, parts.checkpoints);
		this.#streams = new Streams(parts.places);
	}

	get damage(): readonly Damage[] {
		return this.#reader.damage;
	}

	get readOnly(): boolean {
		return this.#parts.readOnly || this.damage.length > 0;
	}

	async append(
		stream: string,
		events: readonly Recorded[],
		expectedVersion: number,
		options: AppendOptions = {},
	): Promise<Head> {
		// Up to the first await this runs within the call, so appends are ordered as they were called. Whatever may be
		// refused is refused before the group is touched.
		this.#assertWritable();
		const state = this.#streams.begun(stream);
		const { version, hash: before } = state.queued;
		if (version !== expectedVersion) {
			throw new StoreError(
				"STORE_VERSION_CONFLICT",
				`${stream} is at version ${version}, not ${expectedVersion}`,
				{ stream, expected: expectedVersion, actual: version },
			);
		}
		assertContent(options);
		let hash = before;
		const values = events.map((event) => {
			const value = encodeEvent(this.#parts.registry, event, hash);
			hash = this.#parts.hash(value);
			return value;
		});
		const seals = sealsOf(stream, events, values, options.sealer);
		const head: Head = { version: version + values.length, hash };
		const checkpoints = (options.checkpoints ?? []).map((checkpoint) =>
			this.#checkpoints.add(state.number, { ...checkpoint, covers: head.version, hash }),
		);

		const content = this.#blobs.stage(options);
		const group = this.#queue.join();
		const { batch } = group;
		values.forEach((value, index) => {
			batch.put(eventKey(state.number, version + index), value);
		});
		for (const [index, seal] of seals) batch.put(sealKey(state.number, version + index), encodeSeal(seal));
		batch.put(headKey(state.number), encodeHead({ ...head, name: stream }));
		for (const { key, value, dropped } of checkpoints) {
			batch.put(key, value);
			for (const old of dropped) batch.del(old);
		}
		putRows(batch, options.rows);
		putContent(batch, content);
		state.queued = head;
		group.sync ||= options.sync ?? false;
		group.afterWrite.push(async () => {
			if (options.sync) await this.#parts.witness?.record([[state.number, head]]);
			state.written = head;
			if (options.sync) this.#unwitnessed.delete(state);
			else this.#unwitnessed.add(state);
			// within the queue, so that closing waits for it
			await this.#blobs.purge(content.shredded);
			if (options.shred) await purgeRows(this.#kv, options.rows?.del ?? []);
		});
		await group.done.finally(content.settle);
		return head;
	}

	keep(blobs: readonly StoredContent[]): Promise<void> {
		return this.#write({ blobs });
	}
	index(rows: NonNullable<AppendOptions["rows"]>): Promise<void> {
		return this.#write({ rows });
	}

	async #write(options: AppendOptions): Promise<void> {
		this.#assertWritable();
		assertContent(options);
		const content = this.#blobs.stage(options);
		const { batch, done } = this.#queue.join();
		putContent(batch, content);
		putRows(batch, options.rows);
		await done.finally(content.settle);
	}

	head(stream: string): Head {
		return this.#streams.head(stream);
	}

	streams(): readonly string[] {
		return this.#streams.names;
	}

	async *read(stream: string, options: ReadOptions = {}): AsyncGenerator<StoredEvent> {
		for await (const run of this.readRuns(stream, options)) yield* run;
	}

	async *readRuns(stream: string, options: ReadOptions = {}): AsyncGenerator<readonly StoredEvent[]> {
		const { from = 0, to = Number.POSITIVE_INFINITY } = options;
		if (!(from >= 0 && to >= from)) throw new RangeError(`no events from ${from} to ${to}`);
		const place = this.#place(stream);
		if (place) yield* this.#reader.runs(place, options);
	}

	event(stream: string, position: number): StoredEvent | undefined {
		const place = this.#place(stream);
		if (!place || !(position >= 0 && position < place.version)) return undefined;
		return this.#reader.event(place, position);
	}

	sealed(stream: string, position: number): SealedEvent | undefined {
		const place = this.#place(stream);
		const stored = place && this.#kv.get(eventKey(place.number, position));
		if (!stored || position >= place.version) return undefined;
		const seal = this.#kv.get(sealKey(place.number, position));
		return { stored, seal: seal && decodeSeal(seal) };
	}

	blob(digest: string): Uint8Array | undefined {
		this.#assertOpen();
		return this.#blobs.get(digest);
	}

	hasBlob(digest: string): boolean {
		this.#assertOpen();
		return this.#blobs.has(digest);
	}

	checkpoint(
		stream: string,
		name: string,
		version: number,
		upTo = Number.POSITIVE_INFINITY,
	): Checkpoint | undefined {
		const place = this.#place(stream);
		return place && this.#checkpoints.find(place, name, version, upTo);
	}

	row(key: Uint8Array): Uint8Array | undefined {
		this.#assertOpen();
		return this.#kv.get(rowKey(key));
	}

	async *rows(range: KeyRange): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
		for await (const run of this.rowRuns(range)) yield* run;
	}
	rowRuns(range: KeyRange, limit?: number): ReturnType<typeof readRows> {
		this.#assertOpen();
		return readRows(this.#kv, range, limit);
	}

	async verify(options: VerifyOptions = {}): Promise<Verification> {
		return this.#queue.alone(async () => {
			this.#assertOpen();
			return verifyKeyValue(this.#kv, this.directory, options);
		});
	}

	bundle(options: BundleOptions): AsyncIterable<Uint8Array> {
		const places = this.streams().flatMap((name) => this.#place(name) ?? []);
		return bundlePieces(this.#kv, places, options);
	}

	close(): Promise<void> {
		this.#closing ??= this.#shutDown();
		return this.#closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	#assertOpen(): void {
		if (this.#closing !== undefined)
			throw new StoreError("STORE_CLOSED", `the store ${this.directory ?? "in memory"} was closed`);
	}

	#assertWritable(): void {
		this.#assertOpen();
		if (this.#queue.failure) throw this.#queue.failure;
		const [first] = this.damage;
		if (first) throw new StoreError("STORE_DAMAGED", `a damaged store takes no events: ${first.what}`);
		if (this.readOnly) throw new StoreError("STORE_READ_ONLY", "the store was opened for reading");
	}

	/** A stream to read from, as far as it is written. */
	#place(name: string): StreamPlace | undefined {
		this.#assertOpen();
		return this.#streams.place(name);
	}

	async #shutDown(): Promise<void> {
		await this.#queue.drain();
		try {
			if (this.#unwitnessed.size > 0 && !this.#queue.failure && this.#parts.witness) {
				// the witness must not run ahead of the disk, so what was not waited for is waited for now
				const last = this.#kv.batch();
				last.put(FORMAT_KEY, Buffer.from([FORMAT]));
				await last.write(true);
				await this.#parts.witness.record(
					[...this.#unwitnessed].map(({ number, written }) => [number, written] as const),
				);
			}
			if (this.#parts.crowded?.()) await this.#kv.compact(EVERYTHING);
		} finally {
			await this.#parts.witness?.close();
			await this.#kv.close();
		}
	}
}
