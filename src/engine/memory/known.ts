import { setImmediate as turnOfOthers } from "node:timers/promises";
import { copyOf, GrowingMemory, memoryOf } from "../../../projections/memory/memory.ts";
import type { Memory, MemoryFact } from "../../../projections/memory/record.ts";
import { StoreError } from "../../store/errors.ts";

/** Texts read before others have their turn: one takes some microseconds. */
const SLICE = 250;

/** What is known of a stream's memory, with its texts, so that it can be asked without the disk. */
export class Known {
	readonly #folder: string | undefined;
	readonly #texts = new Map<string, string>();
	#facts: readonly MemoryFact[] = [];
	/** what the facts come to, by their seals alone */
	readonly #proved = new GrowingMemory([]);
	/** what is shown of it */
	#memory = memoryOf([]);

	/**
	 * `folder` is given where the stream is another folder's: then nothing of a user's counts unless the last that a user is
	 * proved to have said of its place names this one.
	 */
	constructor(folder?: string) {
		this.#folder = folder;
	}

	get memory(): Memory {
		return this.#memory;
	}

	/** All that was taken in, in order. */
	get facts(): readonly MemoryFact[] {
		return this.#facts;
	}

	/** Whether the stream is another folder's, and no user said that it is this one's now. */
	get isElsewhere(): boolean {
		return this.#folder !== undefined && this.#proved.memory.moves.at(-1) !== this.#folder;
	}

	text(digest: string): string | undefined {
		return this.#texts.get(digest);
	}

	/** Takes in facts behind those there are, and the texts of what they made or would make, read by `content`. */
	async take(
		facts: readonly MemoryFact[],
		content: (digest: string) => Uint8Array | undefined,
	): Promise<void> {
		if (facts.length === 0) return;
		this.#facts = [...this.#facts, ...facts];
		this.#proved.take(facts);
		const proved = copyOf(this.#proved.memory);
		const { records, suspects } = proved;
		let read = 0;
		for (const body of [...newBodies(this.#memory, records), ...suspects.map(({ body }) => body)]) {
			if (body === undefined || this.#texts.has(body)) continue;
			const bytes = readable(content, body);
			if (bytes) this.#texts.set(body, new TextDecoder().decode(bytes));
			if (++read % SLICE === 0) await turnOfOthers();
		}
		for (const digest of proved.shredded) this.#texts.delete(digest);
		this.#memory = this.isElsewhere ? memoryOf(this.#facts.map(unproved)) : proved;
	}
}

function newBodies(before: Memory, records: Memory["records"]): string[] {
	return [...records.values()].filter(({ id }) => !before.records.has(id)).map(({ body }) => body);
}

/** A text that is not what was stored is not there. */
function readable(
	content: (digest: string) => Uint8Array | undefined,
	digest: string,
): Uint8Array | undefined {
	try {
		return content(digest);
	} catch (error) {
		if (error instanceof StoreError && error.code === "STORE_BLOB_DAMAGED") return undefined;
		throw error;
	}
}

function unproved(fact: MemoryFact): MemoryFact {
	return fact.proof === "verified" ? { ...fact, proof: "unverified" } : fact;
}
