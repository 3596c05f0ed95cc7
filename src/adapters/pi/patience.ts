import { performance } from "node:perf_hooks";
import { setTimeout as pause, setImmediate as turnOfOthers } from "node:timers/promises";

/** How long the disk may take, in ms, before whoever waits for it goes on: to take one write, to open a log, to close it. */
export const WRITE_MS = 1_000;
export const OPEN_MS = 5_000;
export const CLOSE_MS = 10_000;

/** How long it may take to drive what was destroyed out of its files, in ms: they are written anew. */
export const SHRED_MS = 20_000;

/** How long a disk that answers slowly is waited for at a stretch, in ms. */
const SLOW_MS = 30_000;

/** What is said while the disk does not answer: to the user once, and to whoever asks for something. */
export const DISK_SILENT =
	"DISK_SILENT: the disk does not answer; folds stand as they are, newer messages go out raw, and nothing new is recorded or folded until it does";

/** A clock, and waiting by it; in ms. */
export interface Clock {
	readonly now: () => number;
	readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The time of the process. */
export const PROCESS_CLOCK: Clock = {
	now: () => performance.now(),
	pause: (ms, signal) => pause(ms, undefined, { signal, ref: false }),
};

/** Whether something is done in time. Throws what it throws; what it throws later is nobody's. */
export async function isDoneWithin(ms: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
	const timer = new AbortController();
	const waited = clock.pause(ms, timer.signal).then(
		() => false,
		() => false,
	);
	const isDone = await Promise.race([work.then(() => true), waited]);
	timer.abort();
	return isDone;
}

/**
 * How far the disk is waited for. What is given up goes on, and is done once the disk answers. A single value is read at
 * once, which holds up the whole process and cannot be given up: whoever goes on without the disk must read none.
 */
export class Patience {
	readonly #clock: Clock;
	/** what the disk was asked and has not answered */
	readonly #open = new Set<{ due: number }>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Whether the disk owes an answer for longer than it may. */
	get isOut(): boolean {
		return this.#due <= this.#clock.now();
	}

	/** Asks the disk something that it may take so many ms for. */
	async of<T>(ms: number, asked: () => Promise<T>): Promise<T> {
		const answer = { due: this.#clock.now() + ms };
		this.#open.add(answer);
		try {
			return await asked();
		} finally {
			this.#open.delete(answer);
		}
	}

	/**
	 * Whether something is done before the disk, of which any of its steps may ask, takes longer than it may. Throws what it
	 * throws; what it throws later is nobody's.
	 */
	async lasts(work: Promise<unknown>): Promise<boolean> {
		const end = this.#clock.now() + SLOW_MS;
		for (;;) {
			// a timer that is due may have waited for us and not for the disk, which is heard first
			if (await isDoneWithin(0, work, NEXT_TURN)) return true;
			const now = this.#clock.now();
			if (now >= end) for (const answer of this.#open) answer.due = Math.min(answer.due, now);
			if (this.isOut) return false;
			if (await isDoneWithin(Math.min(this.#due - now, WRITE_MS), work, this.#clock)) return true;
		}
	}

	get #due(): number {
		return Math.min(...[...this.#open].map(({ due }) => due));
	}
}

const NEXT_TURN: Clock = { now: () => 0, pause: () => turnOfOthers() };
