import type { StreamPlace } from "./chain.ts";
import { genesis, type Head } from "./head.ts";

/** A stream of an open store. */
export interface StreamState {
	/** its number in the keys */
	readonly number: number;
	readonly name: string;
	/** what is written */
	written: Head;
	/** what will be, once the queue is */
	queued: Head;
}

/** The streams of an open store, by name. */
export class Streams {
	readonly #byName = new Map<string, StreamState>();
	/** the number the next stream takes: not how many there are, for a repair may have given one up */
	#next = 0;

	/** Begins with those that are there. */
	constructor(places: readonly StreamPlace[]) {
		for (const { name, number, version, hash } of places) {
			const head = { version, hash };
			this.#byName.set(name, { number, name, written: head, queued: head });
			this.#next = Math.max(this.#next, number + 1);
		}
	}

	/** A stream to append to, begun if need be. Throws a `TypeError` for a name that would not come back as it is. */
	begun(name: string): StreamState {
		const known = this.#byName.get(name);
		if (known) return known;
		if (!name.isWellFormed()) throw new TypeError("a stream's name holds a lone surrogate");
		const empty = { version: 0, hash: genesis(name) };
		const state = { number: this.#next++, name, written: empty, queued: empty };
		this.#byName.set(name, state);
		return state;
	}

	/** Where a stream stands as far as it is written; one nobody wrote to is at version 0. */
	head(name: string): Head {
		return this.#byName.get(name)?.written ?? { version: 0, hash: genesis(name) };
	}

	/** A stream to read from, as far as it is written. */
	place(name: string): StreamPlace | undefined {
		const state = this.#byName.get(name);
		return state && { number: state.number, name, ...state.written };
	}

	/** Names of those that hold events, in the order they were begun. */
	get names(): readonly string[] {
		return [...this.#byName.values()].filter(({ written }) => written.version > 0).map(({ name }) => name);
	}
}
