import type { Memory } from "../../../projections/memory/record.ts";
import type { Store } from "../../store/store.ts";
import type { Engine } from "../engine.ts";
import { sessionStream } from "../store-journal.ts";
import { Batch } from "./batch.ts";
import { factOf } from "./facts.ts";
import type { Keys } from "./keys.ts";
import { Known } from "./known.ts";
import {
	type Decide,
	type MemoryDecided,
	type MemoryLog,
	MemoryLogError,
	type WriteOptions,
} from "./memory-log.ts";

/** The log of a running session, as its memory needs it. */
export interface SessionLog {
	readonly engine: Engine;
	readonly store: Store;
	readonly stream: string;
	/** why its store cannot be had, in words: the log is in memory beside it */
	readonly refusal?: string | undefined;
	/** does something that destroys content, given the keys of all rows that may tell of it, while none is written */
	readonly unindexed?: <T>(work: (rows: readonly Uint8Array[]) => Promise<T>) => Promise<T>;
}

/** What the memory of a session goes by. */
export interface SessionMemoryParts {
	readonly session: string;
	readonly keys: Keys;
	/**
	 * Does something with the session's log when its turn comes; `undefined` where there is none, or not in time. What `work`
	 * throws is a trouble of that log, and comes to `undefined` as well.
	 */
	readonly ask: <T>(work: (log: SessionLog) => Promise<T>) => Promise<T | undefined>;
	/** why there is no log, in words */
	readonly silence: () => string;
}

/** How something is written to a session's log. */
export interface SessionWriteOptions extends WriteOptions {
	/** looks into the log in the turn in which it is written to */
	readonly before?: ((log: SessionLog) => Promise<void>) | undefined;
}

type Outcome<T> = { readonly decided: T } | { readonly error: unknown };

/** Memory of one session, in that session's own stream. A fork has another one. */
export class SessionMemory implements MemoryLog {
	readonly stream: string;
	readonly #parts: SessionMemoryParts;
	#known = new Known();
	/** the store that was read, and how many of its events of memory */
	#read: { readonly store: Store; readonly count: number } | undefined;
	/** why its store could not be had when it was last looked for, in words */
	#refusal: string | undefined;
	#isClosed = false;

	constructor(parts: SessionMemoryParts) {
		this.#parts = parts;
		this.stream = sessionStream(parts.session);
	}

	get memory(): Memory {
		return this.#known.memory;
	}

	get trouble(): Error | undefined {
		if (this.#refusal === undefined) return undefined;
		const what = this.isKnown ? "take nothing new" : "cannot be read here";
		return new MemoryLogError("MEMORY_NO_LOG", `this session's own records ${what}: ${this.#refusal}`);
	}

	/** Whether it was read: not where there is no log, or the log is in memory beside a store that cannot be had. */
	get isKnown(): boolean {
		return this.#read !== undefined;
	}

	/** Whether the session is over. */
	get isClosed(): boolean {
		return this.#isClosed;
	}

	text(digest: string): string | undefined {
		return this.#known.text(digest);
	}

	/** Asks something of the log in its own turn; `undefined` where there is none to be had, or memory is closed. */
	async look<T>(work: (log: SessionLog) => Promise<T>): Promise<T | undefined> {
		return this.#isClosed ? undefined : this.#parts.ask(work);
	}

	/** As {@link MemoryLog.write}, but at once: nobody else holds a session's log. */
	async write<T extends MemoryDecided>(decide: Decide<T>, { before }: SessionWriteOptions = {}): Promise<T> {
		if (this.#isClosed) throw new MemoryLogError("MEMORY_NO_LOG", "the session is over");
		let failure: Error = new MemoryLogError("MEMORY_NO_LOG", this.#parts.silence());
		const outcome = await this.#parts.ask(async (log): Promise<Outcome<T>> => {
			await this.#readNew(log);
			await before?.(log);
			const batch = new Batch(
				this.#known,
				{ stream: log.stream, version: log.engine.version },
				this.#parts.keys,
			);
			let decided: T;
			try {
				decided = batch.add(decide);
				if (!batch.isEmpty && log.refusal !== undefined)
					throw new MemoryLogError("MEMORY_NO_LOG", log.refusal);
			} catch (error) {
				return { error };
			}
			if (batch.isEmpty) return { decided };
			const { events, blobs: contents, shred } = batch;
			failure = new MemoryLogError(
				"MEMORY_SILENT",
				"the session's log did not answer in time; it may still be written",
			);
			try {
				const write = (del: readonly Uint8Array[] = []) =>
					log.engine.remember(events, { contents, shred, rows: { del }, sealer: this.#parts.keys });
				await (shred.length > 0 && log.unindexed ? log.unindexed(write) : write());
			} catch (error) {
				failure = error as Error;
				throw error;
			}
			await this.#readNew(log);
			return { decided };
		});
		if (!outcome) throw failure;
		if ("error" in outcome) throw outcome.error;
		return outcome.decided;
	}

	/** Nothing is ever queued here: the session's log does that. */
	async flush(): Promise<void> {}

	async refresh(): Promise<void> {
		if (!this.#isClosed) await this.#parts.ask((log) => this.#readNew(log));
	}

	async close(): Promise<number> {
		this.#isClosed = true;
		return 0;
	}

	/** Takes in the events that stand behind what was read. A log beside the store holds none of them. */
	async #readNew({ engine, store, stream, refusal }: SessionLog): Promise<void> {
		this.#refusal = refusal;
		if (refusal !== undefined) return;
		const { positions } = engine.states.memory;
		const isSame = this.#read?.store === store;
		const from = isSame ? (this.#read?.count ?? 0) : 0;
		if (isSame && from === positions.length) return;
		const known = isSame ? this.#known : new Known();
		const facts = positions.slice(from).flatMap((position) => {
			const event = store.event(stream, position);
			return (event && factOf(event, store.sealed(stream, position), this.#parts.keys)) ?? [];
		});
		await known.take(facts, (digest) => store.blob(digest));
		this.#known = known;
		this.#read = { store, count: positions.length };
	}
}
