import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** Content was destroyed on purpose: its bytes are in no file of the store any more, and may not come back. */
export const PayloadShredded = defineEvent(
	"payload/shredded",
	1,
	Type.Object({
		contents: Type.Array(Type.String(), { description: "digests of what was destroyed" }),
		records: Type.Array(Type.String(), { description: "the memory records whose text it was" }),
	}),
);

export type PayloadEvent = EventOf<typeof PayloadShredded>;
