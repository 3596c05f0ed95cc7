import type { EventOf } from "../../events/envelope.ts";
import { PayloadShredded } from "../../events/payload.ts";
import { StoreRepaired } from "../../events/store.ts";
import type { RawEvent } from "./event-codec.ts";

/** What a repair found to be gone for good, as its `store/repaired` tells it. */
export interface KnownLoss {
	readonly stream: string;
	/** where the `store/repaired` stands */
	readonly position: number;
	/** ms since the epoch */
	readonly at: number;
	/** position of the last event known to be lost, from `position` on; absent where none is */
	readonly lostTo?: number;
	/** digests of the content that was lost */
	readonly contents: readonly string[];
	/** name of the folder beside the database that holds the damaged one */
	readonly keptAs: string;
}

/** The loss an event tells of, if it is one that does. */
export function knownLoss({ stream, position, at, type, data }: RawEvent): KnownLoss | undefined {
	if (type !== StoreRepaired.type) return undefined;
	const { lostTo, contents = [], keptAs } = data as EventOf<typeof StoreRepaired>["data"];
	return { stream, position, at, contents, keptAs, ...(lostTo !== undefined && { lostTo }) };
}

/** What was destroyed on purpose, as its `payload/shredded` tells it: it is gone, and no damage. */
export interface KnownShredding {
	readonly stream: string;
	readonly position: number;
	/** ms since the epoch */
	readonly at: number;
	/** digests of the content */
	readonly contents: readonly string[];
}

/** The content an event tells to be destroyed, if it is one that does. */
export function knownShredding({ stream, position, at, type, data }: RawEvent): KnownShredding | undefined {
	if (type !== PayloadShredded.type) return undefined;
	const { contents } = data as EventOf<typeof PayloadShredded>["data"];
	return { stream, position, at, contents };
}
