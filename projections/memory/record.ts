import type { Actor } from "../../events/envelope.ts";
import type { MemoryEvent, MemoryKind, MemoryPriority, MemoryScope } from "../../events/memory.ts";
import type { PayloadEvent } from "../../events/payload.ts";

/**
 * What this machine can say of an event a user is said to have made. `verified`: made here, by this user's host, and it
 * stands where it was written; `unverified`: there is nothing to check it by; `forged`: it is not what was written.
 */
export type Proof = "verified" | "unverified" | "forged";

/** How a record stands. The last two are for good, but for a user's restoring what was resolved. */
export type MemoryStatus = "provisional" | "active" | "pinned" | "superseded" | "resolved";

/** Whose word a record is. */
export type MemoryAuthor = "user" | "model" | "rule";

/** An event of memory at its place, with what can be said of it. */
export interface MemoryFact {
	readonly event: MemoryEvent | PayloadEvent;
	/** place in the stream, from 0 */
	readonly position: number;
	/** hex SHA-256 as stored */
	readonly hash: string;
	/** ms since the epoch */
	readonly at: number;
	readonly actor: Actor;
	/** of events by a user; of others it says nothing */
	readonly proof: Proof;
}

/** One thing remembered. Its text is content by its digest. */
export interface MemoryRecord {
	readonly id: string;
	readonly kind: MemoryKind;
	readonly scope: MemoryScope;
	readonly session?: string;
	readonly priority: MemoryPriority;
	readonly status: MemoryStatus;
	readonly author: MemoryAuthor;
	/** of a user's record: whether it was proved to be one */
	readonly proof: Proof;
	readonly body: string;
	/** UTF-16 code units of the text */
	readonly chars: number;
	readonly files: readonly string[];
	/** entries of the session it was drawn from */
	readonly sources: readonly string[];
	readonly sourceHash?: string;
	readonly provenance: string;
	/** ms since the epoch */
	readonly createdAt: number;
	readonly updatedAt: number;
	/** counts from 1 along what it supersedes */
	readonly version: number;
	readonly supersedes?: string;
	readonly supersededBy?: string;
	/** what it was before it was resolved */
	readonly was?: MemoryStatus;
	/** why it was resolved */
	readonly why?: string;
	/** its text was destroyed */
	readonly isShredded?: true;
	/** position of the event that made it */
	readonly position: number;
}

/**
 * An event that is said to be a user's, cannot be proved to be, and has no effect; but for the making of a record that
 * the user has confirmed, replaced or forgotten since.
 */
export interface Suspect {
	readonly position: number;
	readonly hash: string;
	readonly at: number;
	readonly type: MemoryEvent["type"];
	/** the record it is about */
	readonly id: string;
	/** digest of the text it would have stand, where it is about one */
	readonly body?: string;
	readonly proof: "unverified" | "forged";
}

/** What a stream's memory comes to. */
export interface Memory {
	/** by id, in the order they were made */
	readonly records: ReadonlyMap<string, MemoryRecord>;
	readonly suspects: readonly Suspect[];
	/** digests of texts that were destroyed and may not come back */
	readonly shredded: ReadonlySet<string>;
	/** folders a user said this memory belongs to now, the last one last */
	readonly moves: readonly string[];
	/** number of events of the stream taken in */
	readonly version: number;
}

/** Whether a text is a record's id. Whatever is shown or told of a record begins with it, so it may hold nothing else. */
export function isRecordId(text: string): boolean {
	return /^mem_\w{1,100}$/.test(text);
}

/** Whether nothing can be done to a record any more, but restore it. */
export function isTerminal({ status }: MemoryRecord): boolean {
	return status === "superseded" || status === "resolved";
}

/** Whether a record has a user's authority: he made it or confirmed it, and that is proved. */
export function hasAuthority({ author, proof, status, isShredded }: MemoryRecord): boolean {
	const holds = status === "active" || status === "pinned";
	return author === "user" && proof === "verified" && holds && !isShredded;
}
