import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A cut closed: a stretch of the path became foldable. Nothing in the window moves. */
export const MarkSet = defineEvent(
	"mark/set",
	1,
	Type.Object({
		id: Type.String({ description: "id of the cut, and of the fold it may become" }),
		cut: Type.Number({ description: "number on its path, from 1" }),
		before: Type.Union([Type.String(), Type.Null()], { description: "the cut before it on its path" }),
		from: Type.String({ description: "first entry of the span" }),
		to: Type.String({ description: "last entry of the span" }),
		closedBy: Type.String({ description: "the entry whose arrival closed it" }),
		chars: Type.Number(),
		images: Type.Number(),
	}),
);

export type MarkEvent = EventOf<typeof MarkSet>;
