import type { HostSession } from "./live-entry.ts";

/** Something that is asked of a session's log, in its turn. */
export interface Turn {
	readonly session: HostSession;
	/** the leaf it is asked at: the session's, or what that was when the disk was given up */
	readonly leaf: string | null;
	/** whether nobody waits for it any more, since the disk did not answer */
	readonly isLate: boolean;
}

/** Does what it is asked in the order it was asked, one thing at a time. */
export class Turns {
	#queue: Promise<unknown> = Promise.resolve();
	/** asked for and not over */
	#open = 0;
	#rest: (() => Promise<void>) | undefined;

	/** Whether nothing is asked for or under way. */
	get areOver(): boolean {
		return this.#open === 0;
	}

	/** Does something when its turn comes. What it throws is the caller's, and holds nobody up. */
	take<T>(work: () => Promise<T>): Promise<T> {
		this.#open++;
		const done = this.#queue.then(work);
		const rest = async () => {
			const left = this.#rest;
			this.#rest = undefined;
			await left?.();
		};
		const over = () => void this.#open--;
		this.#queue = done.then(rest, rest).then(over, over);
		return done;
	}

	/** Has something done behind the turn under way and before the next, which nobody waits for. */
	afterwards(work: () => Promise<void>): void {
		this.#rest = work;
	}
}
