import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/**
 * The store was found damaged and started anew from the part of this stream that still verified. Everything before
 * this event stands as it was first written, bytes and hashes; what came after is kept aside, unread.
 */
export const StoreRepaired = defineEvent(
	"store/repaired",
	1,
	Type.Object({
		lostFrom: Type.Integer({
			minimum: 0,
			description: "position of the first event lost, if any is known to be; this event stands there",
		}),
		lostTo: Type.Optional(
			Type.Integer({
				minimum: 0,
				description: "position of the last event known to be lost; absent where none is",
			}),
		),
		reason: Type.String({ description: "what was found, in words" }),
		blobsLost: Type.Integer({
			minimum: 0,
			description: "blobs of the whole store that no longer matched their digest",
		}),
		contents: Type.Optional(
			Type.Array(Type.String(), {
				description: "digests of content that events before this one refer to and that is lost",
			}),
		),
		keptAs: Type.String({ description: "name of the folder beside the store that holds the damaged one" }),
	}),
);

/** Something that happened to a store itself. */
export type StoreEvent = EventOf<typeof StoreRepaired>;
