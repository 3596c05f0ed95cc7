import type { Recorded } from "../../../events/envelope.ts";
import type { MemoryEvent } from "../../../events/memory.ts";
import type { PayloadEvent } from "../../../events/payload.ts";
import { GrowingMemory } from "../../../projections/memory/memory.ts";
import type { MemoryFact } from "../../../projections/memory/record.ts";
import { MemoryError } from "../../commands/memory/memory-error.ts";
import { encodeEvent } from "../../store/event-codec.ts";
import { sha256Node } from "../../store/hash.ts";
import type { Sealer } from "../../store/seal.ts";
import type { Content } from "../journal.ts";
import { REGISTRY } from "../store-journal.ts";
import type { Known } from "./known.ts";
import type { Decide, MemoryDecided, MemoryWrite } from "./memory-log.ts";

const NO_HASH = "0".repeat(64);

/** Where a batch will stand. */
export interface BatchPlace {
	readonly stream: string;
	/** position of its first event */
	readonly version: number;
}

/**
 * What several deciders came to, one on the state the others left, to be written as one. What one of them may not write
 * is its own matter and keeps none of the others.
 */
export class Batch {
	readonly events: Recorded<MemoryEvent | PayloadEvent>[] = [];
	readonly blobs: Content[] = [];
	readonly shred: string[] = [];
	readonly #place: BatchPlace;
	readonly #sealer: Sealer;
	readonly #state: GrowingMemory;
	readonly #known: Known;
	readonly #texts = new Map<string, string>();

	constructor(known: Known, place: BatchPlace, sealer: Sealer) {
		this.#place = place;
		this.#sealer = sealer;
		this.#known = known;
		this.#state = new GrowingMemory(known.facts, known.memory);
	}

	/** Whether there is anything to write. */
	get isEmpty(): boolean {
		return this.events.length === 0;
	}

	/** Decides, and takes in what is to be written. Throws what `decide` throws, and where that may not be written. */
	add<T extends MemoryDecided>(decide: Decide<T>): T {
		const decided = decide(
			this.#state.memory,
			(digest) => this.#texts.get(digest) ?? this.#known.text(digest),
		);
		const { write } = decided;
		if (!write || write.events.length === 0) return decided;
		this.#assertWritable(write);
		const first = this.#place.version + this.events.length;
		const facts = write.events.map(
			({ event, at, actor }, index): MemoryFact => ({
				event,
				position: first + index,
				hash: "",
				at,
				actor,
				proof: "verified",
			}),
		);
		this.#state.take(facts);
		this.events.push(...write.events);
		this.blobs.push(...write.bodies);
		for (const { digest, bytes } of write.bodies) this.#texts.set(digest, new TextDecoder().decode(bytes));
		this.shred.push(...(write.shred ?? []));
		return decided;
	}

	/** Throws now what the append would throw for all that are in it. */
	#assertWritable({ events, bodies }: MemoryWrite): void {
		for (const event of events) {
			const bytes = encodeEvent(REGISTRY, event, NO_HASH);
			if (event.actor === "user") this.#sealer.seal(this.#place.stream, bytes);
		}
		for (const { digest, bytes } of bodies) {
			if (sha256Node(bytes) !== digest)
				throw new TypeError(`the text given as ${digest} has another SHA-256`);
			if (this.#state.memory.shredded.has(digest))
				throw new MemoryError("MEMORY_SHREDDED", `the text ${digest} was destroyed and may not come back`);
		}
	}
}
