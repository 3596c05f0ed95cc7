import type { HostSession } from "./live-entry.ts";

/** Something that is asked of a session's log, in its turn. */
export interface Turn {
	readonly session: HostSession;
	/** the leaf it is asked at: the session's, or what that was when the disk was given up */
	readonly leaf: string | null;
	/** how many entries the session had then; without end where it is not late */
	readonly entries: number;
	/** whether nobody waits for it any more, since the disk did not answer */
	readonly isLate: boolean;
}

/** Does what it is asked in the order it was asked, one thing at a time. */
export class Turns {
	#queue: Promise<void> = Promise.resolve();
	/** asked for and not over */
	#open = 0;
	#rest: (() => Promise<void>) | undefined;

	/** Whether nothing is asked for or under way. */
	get areOver(): boolean {
		return this.#open === 0 && !this.#rest;
	}

	/** Does something when its turn comes. What it throws is the caller's, and holds nobody up. */
	take<T>(work: () => Promise<T>): Promise<T> {
		this.#open++;
		const done = this.#queue.then(this.#endRest).then(work);
		const end = () => this.#endRest().finally(() => this.#open--);
		this.#queue = done.then(end, end);
		return done;
	}

	/**
	 * Has something done behind the turn under way, if there is one, and before the next. Nobody waits for it, nor for it
	 * to be queued: what is done right now goes on first.
	 */
	afterwards(work: () => Promise<void>): void {
		this.#rest = work;
		if (this.#open === 0) setImmediate(this.#takeRest);
	}

	readonly #takeRest = () => void this.take(async () => {});

	readonly #endRest = async () => {
		const rest = this.#rest;
		this.#rest = undefined;
		await rest?.().catch(() => {});
	};
}
