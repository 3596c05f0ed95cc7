import type { DomainEvent } from "../../events/catalogue.ts";
import type { Recorded } from "../../events/envelope.ts";
import { isShredded } from "../../projections/memory/positions.ts";
import type { Placed } from "../../projections/projection.ts";
import {
	checkpointsOf,
	evolveStates,
	initialStates,
	replayStates,
	type SessionStates,
} from "../../projections/states.ts";
import type { Contents } from "./contents.ts";
import type { By } from "./decision.ts";
import type { Journal } from "./journal.ts";
import type { Observer } from "./observer.ts";

/** What a stream is kept with. */
export interface StreamParts {
	readonly journal: Journal;
	/** `live` keeps every earlier state intact; `replay` changes one state in place, for long histories */
	readonly driver: "live" | "replay";
	/** told of everything from the start, to check it */
	readonly observer?: Observer;
	/** events between two checkpoints of the states at least; 10,000 by default */
	readonly checkpointEvery?: number;
}

/**
 * Events between two checkpoints at least; and at least two for each entry, or checkpoints would outweigh the events.
 */
const CHECKPOINT_EVERY = 10_000;

/** One session's events on their way to the journal, and what they mean so far. */
export class Stream {
	readonly #parts: StreamParts;
	readonly #contents: Contents;
	#states: SessionStates = initialStates();
	#version = 0;
	#checkpointed = 0;

	constructor(parts: StreamParts, contents: Contents) {
		this.#parts = parts;
		this.#contents = contents;
	}

	/** What the stream means so far. */
	get states(): SessionStates {
		return this.#states;
	}

	/** Number of events taken in. */
	get version(): number {
		return this.#version;
	}

	/** Begins with states that were kept, and the number of events they cover. */
	restore(states: SessionStates, covers: number): void {
		this.#states = states;
		this.#version = covers;
		this.#checkpointed = covers;
	}

	/** Takes in events that are in the journal already. */
	load(batch: readonly Placed<DomainEvent>[]): void {
		this.#version += batch.length;
		if (this.#parts.driver === "live") this.#states = evolveStates(this.#states, batch);
		else replayStates(this.#states, batch);
	}

	/** Takes in bookkeeping that is still to be kept. */
	absorb(events: readonly DomainEvent[], at: number): void {
		const start = this.#version;
		for (const [index, event] of events.entries()) this.#parts.observer?.event(event, start + index);
		this.load(events.map((event, index) => ({ event, at, position: start + index })));
	}

	/** Hands the events taken in last to the journal, with all staged content. */
	async keep(events: readonly DomainEvent[], at: number, by: By): Promise<void> {
		await this.#append(events, this.#version - events.length, at, by, false);
	}

	/** Takes in a decision and what comes with it, once the journal has them durably. Gives the decision's position. */
	async decide(events: readonly DomainEvent[], at: number, by: By): Promise<number> {
		const position = this.#version;
		await this.#append(events, position, at, by, true);
		this.absorb(events, at);
		return position;
	}

	/** Takes in events with times and authors of their own, once the journal has them durably with what comes with them. */
	async write(
		recorded: readonly Recorded<DomainEvent>[],
		options: Pick<Parameters<Journal["append"]>[2], "contents" | "shred" | "rows" | "sealer">,
	): Promise<void> {
		const position = this.#version;
		await this.#parts.journal.append(recorded, position, { sync: true, ...options });
		for (const { event, at } of recorded) this.absorb([event], at);
		if (options.shred) this.#contents.forget(options.shred);
	}

	async #append(
		events: readonly DomainEvent[],
		start: number,
		at: number,
		{ actor, cause }: By,
		sync: boolean,
	): Promise<void> {
		const recorded: Recorded<DomainEvent>[] = events.map((event) => ({
			event,
			at,
			actor,
			...(cause !== undefined && { cause }),
		}));
		// what was destroyed does not come back, also where an entry of these bytes is recorded again
		const contents = this.#contents.unstage().filter(({ digest }) => !isShredded(this.#states, digest));
		const isCovered = start + events.length === this.#version && this.#isCheckpointDue();
		if (isCovered) this.#checkpointed = this.#version;
		const checkpoints = isCovered ? checkpointsOf(this.#states) : [];
		await this.#parts.journal.append(recorded, start, { sync, contents, checkpoints });
	}

	#isCheckpointDue(): boolean {
		const least = Math.max(this.#parts.checkpointEvery ?? CHECKPOINT_EVERY, 2 * this.#states.tree.count);
		return this.#version - this.#checkpointed >= least;
	}
}
