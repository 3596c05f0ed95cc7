import type { MemoryEvent } from "../../../events/memory.ts";
import type { PayloadEvent } from "../../../events/payload.ts";
import type { Memory } from "../../../projections/memory/record.ts";

/** A memory as a decider sees it: the one that is written to, and its texts. */
export interface MemoryView {
	readonly memory: Memory;
	/** the other memories the session sees; nothing is written to them, but what they hold is compared with */
	readonly beside?: readonly Memory[];
	/** a text of any of them by its digest; `undefined` where it is gone */
	text(digest: string): string | undefined;
}

/** What a command about memory comes to. */
export interface MemoryDecision {
	/** in their order; none where nothing is to be done */
	readonly events: readonly (MemoryEvent | PayloadEvent)[];
	/** texts the events name, to be stored with them */
	readonly bodies: readonly { readonly digest: string; readonly text: string }[];
	/** the record it comes to, an existing one where nothing is to be done */
	readonly id?: string;
	/** what should be said of it: what says nearly the same or the opposite, what was left out */
	readonly notes: readonly string[];
	/** constraints and values that the new text would lose; whoever asks for it is asked again first */
	readonly losses: readonly string[];
}

/** Who looks, and how a text's digest is made: SHA-256 over its UTF-8, in hexadecimal digits. */
export interface Deciding {
	/** the session that asks; records of other sessions are not there for it */
	readonly session: string | undefined;
	readonly hashText: (text: string) => string;
	/** ms since the epoch */
	readonly now: number;
}

/** A decision that some events are all there is to it. */
export function decided(
	id: string | undefined,
	events: MemoryDecision["events"],
	notes: readonly string[] = [],
): MemoryDecision {
	return { events, bodies: [], ...(id !== undefined && { id }), notes, losses: [] };
}
