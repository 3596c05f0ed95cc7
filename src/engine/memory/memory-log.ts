import type { Recorded } from "../../../events/envelope.ts";
import type { MemoryEvent } from "../../../events/memory.ts";
import type { PayloadEvent } from "../../../events/payload.ts";
import type { Memory } from "../../../projections/memory/record.ts";
import type { Content } from "../journal.ts";

/** What a decider came to: the events, the texts they refer to, and the texts to destroy. */
export interface MemoryWrite {
	readonly events: readonly Recorded<MemoryEvent | PayloadEvent>[];
	readonly bodies: readonly Content[];
	/** digests of texts whose bytes are to leave the store's files */
	readonly shred?: readonly string[];
}

/** What is decided on a memory: an answer to the caller, and what is to be written for it, if anything. */
export interface MemoryDecided {
	readonly write?: MemoryWrite | undefined;
}

/**
 * Decides on a memory and its texts by their digests, both as they are with all that is decided before it; keeps neither,
 * for the memory goes on changing in place.
 */
export type Decide<T extends MemoryDecided = MemoryDecided> = (
	memory: Memory,
	text: (digest: string) => string | undefined,
) => T;

/** How something is written. */
export interface WriteOptions {
	/** `soon`: nobody waits for it, so that it may gather with others; `now` unless given */
	readonly when?: "now" | "soon" | undefined;
}

/** Memory of one scope: what it comes to, and the only way to change that. Nothing here waits without end. */
export interface MemoryLog {
	/** name of the stream it stands in */
	readonly stream: string;
	/** as far as it is known here; at once, and without the disk */
	readonly memory: Memory;
	/** why it is not known whole or takes nothing new, as far as that was met; `undefined` where all is well */
	readonly trouble: Error | undefined;
	/** a text by its digest, at once and without the disk; `undefined` where it is gone */
	text(digest: string): string | undefined;
	/**
	 * Decides on the newest state and writes what comes of it; resolves to what `decide` gave once the disk has it. `decide`
	 * may run again, on a newer state. What it throws is thrown. `soon` lets it gather with others for 200 ms or until the
	 * next {@link flush}. Throws `StoreError`, `KeyringError`, {@link MemoryLogError}, `MEMORY_SHREDDED` where a text comes
	 * again that was destroyed. By `STORE_WRITE_FAILED` and `MEMORY_SILENT` it is not known to be written, by all others it
	 * is not.
	 */
	write<T extends MemoryDecided>(decide: Decide<T>, options?: WriteOptions): Promise<T>;
	/** Writes what is queued; whether it was written is told to whoever asked for it. Throws nothing. */
	flush(): Promise<void>;
	/** Looks for what others wrote since; cheap where nothing was. Throws nothing: {@link trouble} says what went wrong. */
	refresh(): Promise<void>;
	/** Writes what is queued, or fails it, and lets go; resolves to how many writes were failed. Twice does no harm. */
	close(): Promise<number>;
}

/** What can keep memory from being written, beside its store and its keyring. */
export type MemoryLogErrorCode = "MEMORY_SILENT" | "MEMORY_ELSEWHERE" | "MEMORY_NO_LOG";

/** Each code of a {@link MemoryLogError} and what it means, in one line. */
export const MEMORY_LOG_ERROR_CODES: { readonly [code in MemoryLogErrorCode]: string } = {
	MEMORY_SILENT: "the disk did not answer in time; what was to be remembered may or may not be written yet",
	MEMORY_ELSEWHERE:
		"the memory found for this folder was made for another one, and no user said that it moved; it is shown, and takes nothing new",
	MEMORY_NO_LOG: "the session has no log to remember in: nobody spoke yet, or its store cannot be had",
};

/** Memory that could not be written. */
export class MemoryLogError extends Error {
	override readonly name = "MemoryLogError";
	readonly code: MemoryLogErrorCode;

	constructor(code: MemoryLogErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
