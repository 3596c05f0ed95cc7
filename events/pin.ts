import { Type } from "@sinclair/typebox";
import { decisionFields, fixedField, quoteField } from "./decision.ts";
import { defineEvent, type EventOf } from "./envelope.ts";

const entries = Type.Array(Type.String(), {
	description: "in path order; a call and its results always go together",
});

/** Someone asked that entries stay in the window as they are. */
export const PinPlaced = defineEvent(
	"pin/placed",
	1,
	Type.Object({
		...decisionFields,
		entries,
		held: Type.Array(Type.String(), { description: "every entry that stays raw inside the folded span" }),
		fixed: fixedField,
		quote: quoteField,
	}),
);

/** Entries may be folded again, from the next commit on. */
export const PinLifted = defineEvent("pin/lifted", 1, Type.Object({ ...decisionFields, entries }));

export type PinEvent = EventOf<typeof PinPlaced | typeof PinLifted>;
