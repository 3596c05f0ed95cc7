import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Memory } from "../../../projections/memory/record.ts";
import { StoreError } from "../../store/errors.ts";
import { workspaceDirectory } from "../../store/identity.ts";
import { levelDirectory } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { metOnTheWay } from "../../store/system-refusal.ts";
import { witnessPath } from "../../store/witness.ts";
import { Batch } from "./batch.ts";
import type { Keys } from "./keys.ts";
import { withLease } from "./leases.ts";
import {
	type Decide,
	type MemoryDecided,
	type MemoryLog,
	MemoryLogError,
	type WriteOptions,
} from "./memory-log.ts";
import { WorkspaceReader } from "./workspace-reader.ts";

/** How long writes gather that nobody waits for, and how often it is looked for what others wrote, ms. */
const GATHER_MS = 200;
const LOOK_MS = 500;

/**
 * How long the store is left to others after a lease, ms: as long as they made us wait for it, for who lets go of it would else be
 * the first to have it again.
 */
const REST_MS = 10;
const LONGEST_REST_MS = 400;

/** How long it is tried to get hold of the store while others hold it, and how much longer its disk may take, ms. */
const HELD_MS = 10_000;
const DISK_MS = 2_000;

/** What the memory of a folder goes by. */
export interface WorkspaceMemoryParts {
	/** where all stores lie */
	readonly home: string;
	/** the folder's absolute path */
	readonly cwd: string;
	readonly keys: Keys;
	/** whether something is done within so many ms; throws what it throws, and what it throws later is nobody's */
	readonly isDoneWithin: (ms: number, work: Promise<unknown>) => Promise<boolean>;
	/** told when what is known has changed; must not throw */
	readonly changed?: () => void;
}

/** A write on its way. */
interface Asked {
	readonly decide: Decide;
	readonly promise: Promise<MemoryDecided>;
	readonly resolve: (decided: MemoryDecided) => void;
	readonly reject: (error: unknown) => void;
	/** by the process's own clock, ms: when it is no longer tried */
	readonly due: number;
}

/**
 * Memory of a folder, shared by every process that works in it. None keeps its store open: a lease reads what is new,
 * decides all that is queued on that, appends it at once and lets go.
 */
export class WorkspaceMemory implements MemoryLog {
	/** the store's folder */
	readonly directory: string;
	readonly #parts: WorkspaceMemoryParts;
	readonly #reader: WorkspaceReader;
	readonly #timer: NodeJS.Timeout;
	#gathering: NodeJS.Timeout | undefined;
	#queue: Asked[] = [];
	/** what was asked for and is not over */
	readonly #open = new Set<Asked>();
	#running: Promise<void> | undefined;
	/** by the process's own clock, ms: when the store may be had again */
	#rested = 0;
	#looking: Promise<void> | undefined;
	/** what the witness said when the store was last held */
	#seen: string | undefined;
	#trouble: Error | undefined;
	#closed: Promise<number> | undefined;

	private constructor(parts: WorkspaceMemoryParts) {
		this.#parts = parts;
		this.directory = workspaceDirectory(parts.home, parts.cwd);
		this.#reader = new WorkspaceReader(parts.cwd, this.directory, parts.keys);
		this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
	}

	/** Opens the memory of a folder: nothing waits, and what it holds is known once {@link refresh} resolves. */
	static open(parts: WorkspaceMemoryParts): WorkspaceMemory {
		const memory = new WorkspaceMemory(parts);
		void memory.#look();
		return memory;
	}

	get stream(): string {
		return this.#reader.stream;
	}

	get memory(): Memory {
		return this.#reader.known.memory;
	}

	get trouble(): Error | undefined {
		return this.#trouble ?? this.#reader.refusal ?? this.#parts.keys.trouble;
	}

	text(digest: string): string | undefined {
		return this.#reader.known.text(digest);
	}

	async write<T extends MemoryDecided>(decide: Decide<T>, { when = "now" }: WriteOptions = {}): Promise<T> {
		if (this.#closed !== undefined) throw new StoreError("STORE_CLOSED", "this memory was closed");
		const { promise, resolve, reject } = Promise.withResolvers<MemoryDecided>();
		const asked = { decide, promise, resolve, reject, due: performance.now() + HELD_MS };
		this.#queue.push(asked);
		this.#open.add(asked);
		if (when === "now") void this.#start();
		else this.#gathering ??= setTimeout(() => void this.#start(), GATHER_MS).unref();
		try {
			if (await this.#parts.isDoneWithin(HELD_MS + DISK_MS, promise)) return (await promise) as T;
		} finally {
			this.#open.delete(asked);
			this.#queue = this.#queue.filter((one) => one !== asked);
		}
		const silent = this.#silent("in time");
		reject(silent);
		throw silent;
	}

	async flush(): Promise<void> {
		const serve = async () => {
			while (this.#queue.length > 0 || this.#running !== undefined) await this.#start();
		};
		await this.#parts.isDoneWithin(HELD_MS + DISK_MS, serve());
	}

	async refresh(): Promise<void> {
		const looked = this.#running ?? this.#look();
		await this.#parts.isDoneWithin(HELD_MS + DISK_MS, looked);
	}

	close(): Promise<number> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	async #close(): Promise<number> {
		clearInterval(this.#timer);
		const asked = [...this.#open];
		let failed = 0;
		for (const { promise } of asked) promise.catch(() => failed++);
		await this.flush();
		this.#queue = [];
		for (const { reject } of this.#open) reject(this.#silent("before it was closed"));
		await Promise.allSettled(asked.map(({ promise }) => promise));
		return failed;
	}

	/** Holds the store where something stands in it that was not read yet. Throws nothing. */
	#look(): Promise<void> {
		const look = async () => {
			try {
				const witness = await this.#witness();
				const isThere = witness !== "" || existsSync(levelDirectory(this.directory));
				if (isThere && witness !== this.#seen) await this.#start(true);
			} catch (error) {
				this.#met(error);
			}
		};
		this.#looking ??= look().finally(() => {
			this.#looking = undefined;
		});
		return this.#looking;
	}

	/** Serves the queue, and reads where that is asked for; one lease at a time. Throws nothing. */
	#start(reads = false): Promise<void> {
		clearTimeout(this.#gathering);
		this.#gathering = undefined;
		this.#running ??= this.#run(reads).finally(() => {
			this.#running = undefined;
			if (this.#queue.length > 0) void this.#start();
		});
		return this.#running;
	}

	async #run(reads: boolean): Promise<void> {
		if (this.#rested > performance.now()) await pause(this.#rested - performance.now());
		const begun = performance.now();
		let waited = 0;
		const isWanted = (locked: StoreError) => {
			const now = performance.now();
			waited = now - begun;
			for (const { due, reject } of this.#queue) if (due <= now) reject(locked);
			this.#queue = this.#queue.filter(({ due }) => due > now);
			return this.#queue.length > 0 || (reads && this.#closed === undefined && now < begun + HELD_MS);
		};
		try {
			await withLease(this.directory, (store) => this.#serve(store), isWanted, this.#met);
		} catch (error) {
			this.#met(error);
			for (const { reject } of this.#queue.splice(0)) reject(error);
		}
		this.#rested = performance.now() + Math.min(Math.max(waited, REST_MS), LONGEST_REST_MS);
	}

	async #serve(store: Store): Promise<void> {
		this.#trouble = undefined;
		await this.#readNew(store);
		const asked = this.#queue.splice(0);
		try {
			await this.#decide(store, asked);
		} catch (error) {
			this.#met(error);
			for (const { reject } of asked) reject(error);
		}
		this.#seen = await this.#witness();
	}

	/** Decides what was asked, each on what those before it left, and appends it as one. */
	async #decide(store: Store, asked: readonly Asked[]): Promise<void> {
		const { known, stream } = this.#reader;
		const { version } = store.head(stream);
		const batch = new Batch(known, { stream, version }, this.#parts.keys);
		const toTell: (() => void)[] = [];
		for (const { decide, resolve, reject } of asked) {
			try {
				const { refusal } = this.#reader;
				const decided = batch.add((...state) => {
					const came = decide(...state);
					if (came.write && refusal) throw refusal;
					return came;
				});
				if (decided.write) toTell.push(() => resolve(decided));
				else resolve(decided);
			} catch (error) {
				reject(error);
			}
		}
		if (batch.isEmpty) return toTell.forEach((tell) => void tell());
		const { events, blobs, shred } = batch;
		await store.append(stream, events, version, { sync: true, blobs, shred, sealer: this.#parts.keys });
		await this.#readNew(store).catch(this.#met);
		for (const tell of toTell) tell();
	}

	async #readNew(store: Store): Promise<void> {
		if (await this.#reader.readNew(store)) this.#parts.changed?.();
	}

	/** What the witness beside the store says: it names the last event that was written. */
	async #witness(): Promise<string> {
		const bytes = await readFile(witnessPath(this.directory)).catch((error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") return Buffer.alloc(0);
			throw error;
		});
		return bytes.toString("base64");
	}

	readonly #met = (error: unknown): void => {
		this.#trouble = metOnTheWay(this.directory, error) as Error;
	};

	#silent(when: string): MemoryLogError {
		const what = `${this.directory} did not answer ${when}`;
		return new MemoryLogError("MEMORY_SILENT", `${what}; it may still be written once the disk does`);
	}
}
