import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A text of ours entered the window that stands for no fold. */
export const ShownAppended = defineEvent(
	"shown/appended",
	1,
	Type.Object({
		what: Type.Literal("receipt", { description: "receipt: what a commit did, for the model" }),
		text: Type.String({ description: "digest of its bytes" }),
		chars: Type.Number(),
		decision: Type.String({ description: "the decision it came with" }),
		plain: Type.Optional(
			Type.Object(
				{ text: Type.String(), chars: Type.Number() },
				{ description: "what is told instead where an edit changes what it quotes" },
			),
		),
	}),
);

export type ShownEvent = EventOf<typeof ShownAppended>;
