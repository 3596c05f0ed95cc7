import { StoreError } from "./errors.ts";
import type { KeyValue, WriteBatch } from "./key-value.ts";

/** Appends that will be written together. */
export interface WriteGroup {
	readonly batch: WriteBatch;
	/** whether one of them waits for the disk */
	sync: boolean;
	/** run in order once the batch is written, before anyone is told */
	readonly afterWrite: (() => void | Promise<void>)[];
	/** settles when all of that is done */
	readonly done: Promise<void>;
}

interface OpenGroup extends WriteGroup {
	readonly settle: (error?: StoreError) => void;
}

/**
 * One batch at a time goes to the database; what arrives meanwhile gathers in the next. So packing and hashing overlap
 * the writing, and a burst of small appends costs a few writes. A failed write fails everything queued behind it, whose
 * hashes build on it, and every append after: LevelDB may leave half a record in its log, and what is written behind
 * one may not be read again until the log is replayed on the next opening.
 */
export class WriteQueue {
	readonly #kv: KeyValue;
	#open: OpenGroup | undefined;
	#running: Promise<void> | undefined;
	#failure: StoreError | undefined;

	constructor(kv: KeyValue) {
		this.#kv = kv;
	}

	/** Why nothing can be written any more, if so. */
	get failure(): StoreError | undefined {
		return this.#failure;
	}

	/** The group that is written next. It is written soon after whoever calls this has returned. */
	join(): WriteGroup {
		this.#open ??= openGroup(this.#kv);
		this.#running ??= this.#run();
		return this.#open;
	}

	/** Waits until nothing is queued. */
	async drain(): Promise<void> {
		while (this.#running !== undefined) await this.#running;
	}

	/** Does something while nothing is written: what arrives meanwhile gathers, and is written behind it. */
	async alone<T>(work: () => Promise<T>): Promise<T> {
		// looked at once more after each wait: two may have waited for the same
		while (this.#running !== undefined) await this.#running;
		const done = work();
		this.#running = done
			.catch(() => {})
			.then(() => {
				this.#running = this.#open && this.#run();
			});
		return done;
	}

	async #run(): Promise<void> {
		// appends made in the same turn meet in one batch
		await Promise.resolve();
		for (let group = this.#take(); group; group = this.#take()) {
			try {
				await group.batch.write(group.sync);
				for (const step of group.afterWrite) await step();
				group.settle();
			} catch (cause) {
				this.#failure = new StoreError(
					"STORE_WRITE_FAILED",
					`a batch was not written: ${(cause as Error).message}`,
					{
						cause,
					},
				);
				group.settle(this.#failure);
				this.#take()?.settle(this.#failure);
			}
		}
		this.#running = undefined;
	}

	#take(): OpenGroup | undefined {
		const group = this.#open;
		this.#open = undefined;
		return group;
	}
}

function openGroup(kv: KeyValue): OpenGroup {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	return {
		batch: kv.batch(),
		sync: false,
		afterWrite: [],
		done: promise,
		settle: (error) => (error ? reject(error) : resolve()),
	};
}
