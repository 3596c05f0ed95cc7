import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A text of ours entered the window that stands for no fold. */
export const ShownAppended = defineEvent(
	"shown/appended",
	2,
	Type.Object({
		what: Type.Union([Type.Literal("receipt"), Type.Literal("memory")], {
			description:
				"receipt: what a commit did, for the model; memory: what is remembered, and the work so far",
		}),
		text: Type.String({ description: "digest of its bytes" }),
		chars: Type.Number(),
		decision: Type.Optional(Type.String({ description: "receipt: the decision it came with" })),
		memory: Type.Optional(
			Type.Object({
				records: Type.Array(Type.String(), { description: "what it tells of, by id" }),
				head: Type.String({
					description: "the streams it was made from, each with the number of its events then: stream@events",
				}),
			}),
		),
		plain: Type.Optional(
			Type.Object(
				{ text: Type.String(), chars: Type.Number() },
				{ description: "what is told instead where an edit changes what it quotes" },
			),
		),
	}),
	{ 1: (data) => data },
);

export type ShownEvent = EventOf<typeof ShownAppended>;
