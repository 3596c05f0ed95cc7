import { isDeepStrictEqual } from "node:util";
import type { DomainEvent } from "../../../events/catalogue.ts";
import type { Recorded } from "../../../events/envelope.ts";
import { EventError } from "../../../events/registry.ts";
import type { Journal } from "../../engine/journal.ts";
import { StoreError } from "../../store/errors.ts";
import type { Store, StoredEvent } from "../../store/store.ts";

/** Appends under way at most: the store puts those that meet in its queue into one batch. */
const MOST_APPENDS = 64;

/** Bytes of content on their way to the disk at most. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A stored event is not the one this replay makes at its place. */
export class StoreDiffers extends Error {
	override readonly name = "StoreDiffers";
	/** place of the first that differs */
	readonly position: number;

	constructor(position: number, what: string, options?: ErrorOptions) {
		super(what, options);
		this.position = position;
	}
}

/**
 * A stream of a store that may hold the beginning of the same replay already. What stands there is compared with what
 * is handed in and left as it is; what comes behind it is appended. So a replay that was killed goes on where it
 * stopped and ends at the head it would have had, and one that was finished writes nothing. Throws `StoreDiffers` at
 * the first event that is not the same.
 */
export class ResumingJournal implements Journal {
	private readonly store: Store;
	private readonly stream: string;
	/** events that stood there when it was opened */
	private readonly stored: number;
	private readonly there: AsyncIterator<StoredEvent>;
	private compared = 0;
	private written: Promise<void> = Promise.resolve();
	private failure: unknown;
	private appends = 0;
	private bytes = 0;

	constructor(store: Store, stream: string) {
		this.store = store;
		this.stream = stream;
		this.stored = store.head(stream).version;
		this.there = store.read(stream)[Symbol.asyncIterator]();
	}

	async append(
		events: readonly Recorded<DomainEvent>[],
		expectedVersion: number,
		options: Parameters<Journal["append"]>[2],
	): Promise<void> {
		let known = 0;
		for (; known < events.length && this.compared < this.stored; known++) {
			await this.compare(events[known] as Recorded<DomainEvent>, expectedVersion + known);
		}
		const fresh = events.slice(known);
		if (fresh.length === 0) return;
		this.write(fresh, expectedVersion + known, options);
		if (options.sync || this.appends >= MOST_APPENDS || this.bytes >= MOST_BYTES) await this.drain();
	}

	content(digest: string): Uint8Array | undefined {
		return this.store.blob(digest);
	}

	/** Waits for what is under way. Throws `StoreDiffers` where the store holds more than this replay made. */
	async finish(): Promise<void> {
		await this.drain();
		if (this.compared < this.stored) {
			throw new StoreDiffers(this.compared, this.why("the session goes on in the store"));
		}
	}

	/** Lets go of the reading, also where the replay stopped early. */
	async close(): Promise<void> {
		await this.there.return?.();
	}

	private async compare(recorded: Recorded<DomainEvent>, position: number): Promise<void> {
		const { event, at, actor, cause, node } = recorded;
		const there = await this.next(position);
		const same =
			there !== undefined &&
			there.type === event.type &&
			there.at === at &&
			there.actor === actor &&
			there.cause === cause &&
			there.node === node &&
			isDeepStrictEqual(there.data, event.data);
		if (!same)
			throw new StoreDiffers(
				position,
				this.why(`${event.type} is not what stands there: other rules, file or release`),
			);
		this.compared += 1;
	}

	/** Behind a repair everything may differ, for it leaves out what it cannot vouch for. */
	private why(otherwise: string): string {
		const last = this.store.event(this.stream, this.stored - 1);
		return last?.type === "store/repaired" ? "a repair of the store left out what was damaged" : otherwise;
	}

	private async next(position: number): Promise<StoredEvent | undefined> {
		try {
			const { value, done } = await this.there.next();
			return done ? undefined : value;
		} catch (cause) {
			const isOfContent = cause instanceof StoreError && cause.code !== "STORE_UNAVAILABLE";
			if (!(isOfContent || cause instanceof EventError)) throw cause;
			throw new StoreDiffers(position, cause.message, { cause });
		}
	}

	private write(
		events: readonly Recorded<DomainEvent>[],
		expectedVersion: number,
		{ sync, contents: blobs, checkpoints = [] }: Parameters<Journal["append"]>[2],
	): void {
		this.appends += 1;
		for (const { bytes } of blobs) this.bytes += bytes.length;
		const options = { sync, blobs, checkpoints };
		// appends settle in the order of the calls, so the last one speaks for all
		this.written = this.store.append(this.stream, events, expectedVersion, options).then(
			() => undefined,
			(error: unknown) => {
				this.failure ??= error;
			},
		);
	}

	private async drain(): Promise<void> {
		await this.written;
		if (this.failure !== undefined) throw this.failure;
		this.appends = 0;
		this.bytes = 0;
	}
}
