import { setTimeout as delay, setImmediate as turnOfOthers } from "node:timers/promises";
import type { Content } from "../../debug/content.ts";
import { History, type StoredStream } from "../../debug/history.ts";
import { StoreError } from "../../store/errors.ts";
import type { Store } from "../../store/store.ts";
import type { ReadStore } from "../sessions/open-for-reading.ts";
import { storedContent } from "../sessions/stored-content.ts";
import { PageError } from "./page-error.ts";
import type { ReadingProgress } from "./page-session.ts";
import { SharedOrAlone } from "./shared-or-alone.ts";
import type { StoreOrigin } from "./store-origin.ts";

/** How often a store is looked at for whoever waits for it to grow, ms. */
const LOOK_MS = 500;

/** How long somebody waits for that, ms. */
const WAIT_MS = 25_000;

/** Events taken in before others have their turn: about a millisecond. */
const SLICE = 250;

/** What questions are asked of: a history, and the store it was read from. */
export interface AtHand {
	readonly history: History;
	readonly store: Store;
	/** what the store holds of the session */
	readonly content: Content;
	/** what was found wrong, in words; the history ends before it */
	readonly damage: readonly string[];
}

interface Opened {
	readonly read: ReadStore;
	readonly history: History;
	readonly mark: string | undefined;
}

/**
 * The history a page shows. It takes in what its store gets while somebody waits for that, and is begun anew where the
 * store has become another.
 */
export class HistorySource {
	readonly #origin: StoreOrigin;
	readonly #gate = new SharedOrAlone();
	#opened: Opened;
	#looking: Promise<void> | undefined;
	#begun = 1;
	readonly #closing = new AbortController();
	/** Resolves once what the store held at first is read, as far as that is whole. Rejects where it cannot be read at all. */
	readonly whenRead: Promise<void>;

	private constructor(origin: StoreOrigin, opened: Opened, onProgress: (progress: ReadingProgress) => void) {
		this.#origin = origin;
		this.#opened = opened;
		this.whenRead = this.#gate.alone(async () => {
			await grown(opened.history, opened.read, this.#closing.signal, () => onProgress(this.progress));
		});
		// whoever asks is told
		this.whenRead.catch(() => {});
	}

	/**
	 * Opens a store and goes on to read it, for which questions wait. Throws what the origin throws.
	 * @param onProgress told now and then how far that has come
	 */
	static async open(
		origin: StoreOrigin,
		onProgress: (progress: ReadingProgress) => void = () => {},
	): Promise<HistorySource> {
		const mark = await origin.mark();
		const read = await origin.open();
		return new HistorySource(
			origin,
			{ read, history: History.empty(streamOf(read.store)), mark },
			onProgress,
		);
	}

	/** How often the store was read from its beginning: once, and again each time it had become another. */
	get begun(): number {
		return this.#begun;
	}

	/** How far reading has come. */
	get progress(): ReadingProgress {
		const { history, read } = this.#opened;
		return { done: history.head.version, total: read.store.head(history.stream).version };
	}

	/** What is to be known of the store, in words. */
	get notes(): readonly string[] {
		return this.#origin.notes ?? [];
	}

	/** Whether a session wrote to the store a moment ago or has it open, as of the last look. */
	get isLive(): boolean {
		return this.#origin.isLive();
	}

	/** Asks something. Neither the history nor the store changes before it is answered. */
	async ask<T>(question: (at: AtHand) => T | Promise<T>): Promise<T> {
		await this.whenRead;
		return this.#gate.shared(() => {
			const { history, read } = this.#opened;
			const { store } = read;
			const damage = store.damage.map(({ what }) => what);
			return question({ history, store, content: storedContent(store), damage });
		});
	}

	/** Waits until the history is at another version, at most 25 s; whether it is. */
	async waitBeyond(version: number, signal: AbortSignal): Promise<boolean> {
		const until = performance.now() + WAIT_MS;
		for (;;) {
			await this.look();
			if (this.#opened.history.head.version !== version) return true;
			if (signal.aborted || this.#closing.signal.aborted || performance.now() > until) return false;
			await delay(LOOK_MS, undefined, { signal }).catch(() => {});
		}
	}

	/** Takes in what the store got since. What cannot be had just now is had the next time. */
	look(): Promise<void> {
		this.#looking ??= this.#look()
			.catch(() => {})
			.finally(() => {
				this.#looking = undefined;
			});
		return this.#looking;
	}

	/** Whether the store can be changed from here. */
	get isChangeable(): boolean {
		return this.#origin.write !== undefined;
	}

	/**
	 * Does something to the store in its own folder, and takes in what that left. Throws `PAGE_READ_ONLY` where it cannot be
	 * written to from here.
	 */
	async write<T>(work: (directory: string) => Promise<T>): Promise<T> {
		if (!this.#origin.write) throw new PageError("PAGE_READ_ONLY", "this store is not changed from a page");
		const done = await this.#origin.write(work);
		await this.look();
		return done;
	}

	/** Lets go of the store once nobody asks it any more. */
	async close(): Promise<void> {
		this.#closing.abort();
		await this.#looking;
		await this.#gate.alone(() => this.#opened.read.close());
	}

	async #look(): Promise<void> {
		await this.whenRead;
		const mark = await this.#origin.mark();
		const { signal } = this.#closing;
		if (signal.aborted || mark === undefined || mark === this.#opened.mark) return;
		const read = await this.#origin.open();
		const before = this.#opened;
		const takeIn = async () => {
			const isAsBefore = before.history.stream === streamOf(read.store);
			const history =
				isAsBefore && (await grown(before.history, read, signal))
					? before.history
					: await historyOf(read, signal);
			if (history !== before.history) this.#begun += 1;
			this.#opened = { read, history, mark };
		};
		const isAnother = before.read !== read;
		try {
			await this.#gate.alone(takeIn);
		} catch (error) {
			if (isAnother) await read.close();
			throw error;
		}
		if (isAnother) await before.read.close();
	}
}

/** The stream of a session's own in a store, or what else it holds; empty where it holds nothing yet. */
function streamOf(store: Store): string {
	return store.streams().find((name) => name.startsWith("session/")) ?? store.streams()[0] ?? "";
}

async function historyOf(read: ReadStore, signal: AbortSignal): Promise<History> {
	const history = History.empty(streamOf(read.store));
	await grown(history, read, signal);
	return history;
}

/** Has a history take in what a store holds, as far as that is whole; `false` where the store has become another. */
async function grown(
	history: History,
	{ store }: ReadStore,
	signal: AbortSignal,
	onProgress?: () => void,
): Promise<boolean> {
	const { version } = store.head(history.stream);
	if (version < history.head.version) return false;
	try {
		await history.grow(inSlices(store, signal), onProgress);
		return true;
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		if (error.code !== "STORE_CHAIN_BROKEN" && error.code !== "STORE_DAMAGED") throw error;
		// where an event read before is another, nothing behind it was looked at
		return error.detail.verified !== undefined;
	}
}

/** A store read in steps between which others have their turn, and which end where nobody wants them any more. */
function inSlices(store: Store, signal: AbortSignal): StoredStream {
	return {
		event: (stream, position) => store.event(stream, position),
		readRuns: async function* (stream, options) {
			for await (const run of store.readRuns(stream, { chunk: SLICE, ...options })) {
				signal.throwIfAborted();
				yield run;
				await turnOfOthers();
			}
		},
	};
}
