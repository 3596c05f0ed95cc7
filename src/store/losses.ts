import type { EventOf } from "../../events/envelope.ts";
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
