import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A provider refused a request over thinking in it; commits treat that model's thinking another way from here on. */
export const ReasoningChanged = defineEvent(
	"reasoning/changed",
	1,
	Type.Object({
		model: Type.String({ description: "provider/model" }),
		mode: Type.Union([Type.Literal("keep"), Type.Literal("strip")]),
		why: Type.String({ description: "what the provider said, its first 500 characters" }),
	}),
);

export type ReasoningEvent = EventOf<typeof ReasoningChanged>;
