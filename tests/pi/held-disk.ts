import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { Clock } from "../../src/adapters/pi/patience.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import type * as Level from "../../src/store/level-key-value.ts";

/** `decision` is a write that is waited for until the disk has it, `node` the one behind it. */
type Asked = "open" | "write" | "decision" | "node" | "read";

/** A disk that answers nothing from some moment on until it is released, and a clock on which only that takes time. */
class HeldDisk implements Clock {
	#held: { from: Asked; left: number } | undefined;
	#release = Promise.withResolvers<void>();
	/** resolves once something is held */
	#stuck = Promise.withResolvers<void>();
	#now = 0;
	#wasDecision = false;
	readonly #waiting: Promise<unknown>[] = [];
	readonly #closed = new Set<Promise<void>>();

	/** From now on nothing is answered, beginning with what is asked behind the first few of one kind. */
	hold(from: Asked, behind = 0): void {
		this.#held = { from, left: behind };
	}

	/** Whether somebody waits for the disk. */
	get isStuck(): boolean {
		return this.#held !== undefined && this.#held.left < 0;
	}

	/** Has all answered, and what is asked later too. Resolves when what was held is done. */
	async release(): Promise<void> {
		this.#held = undefined;
		this.#release.resolve();
		this.#release = Promise.withResolvers();
		this.#stuck = Promise.withResolvers();
		await Promise.allSettled(this.#waiting.splice(0));
		await turnOfOthers();
	}

	/** Resolves when every database that was opened is closed. */
	async closed(): Promise<void> {
		await Promise.all(this.#closed);
	}

	now = () => this.#now;

	pause = async (ms: number, signal: AbortSignal) => {
		await this.#stuck.promise;
		if (!signal.aborted) this.#now += ms;
	};

	/** LevelDB on this disk. */
	around(level: typeof Level): typeof Level {
		const openLevel: typeof Level.openLevel = async (...where) => {
			const kv = await this.#answer(() => level.openLevel(...where), "open");
			const closed = Promise.withResolvers<void>();
			this.#closed.add(closed.promise);
			return { ...this.#around(kv), close: () => kv.close().finally(closed.resolve) };
		};
		return { ...level, openLevel };
	}

	#around(kv: KeyValue): KeyValue {
		const answer = () => this.#answer(async () => {}, "read");
		async function* read<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
			await answer();
			yield* chunks;
		}
		return {
			...kv,
			batch: () => {
				const batch = kv.batch();
				const write = (sync: boolean) => {
					const which = sync ? "decision" : this.#wasDecision ? "node" : "write";
					this.#wasDecision = sync;
					return this.#answer(() => batch.write(sync), "write", which);
				};
				return { ...batch, write };
			},
			entries: (...range) => read(kv.entries(...range)),
			keys: (...range) => read(kv.keys(...range)),
			values: (...range) => read(kv.values(...range)),
		};
	}

	async #answer<T>(work: () => Promise<T>, ...asked: Asked[]): Promise<T> {
		const held = this.#held;
		if (held && held.left >= 0 && asked.includes(held.from)) held.left--;
		if (!held || held.left >= 0) return work();
		this.#stuck.resolve();
		const done = this.#release.promise.then(work);
		this.#waiting.push(done);
		return done;
	}
}

/** The disk of the tests in a file; to be put under it by mocking `level-key-value.ts`. */
export const disk = new HeldDisk();
