import { Type } from "@sinclair/typebox";
import { writtenFields } from "./brief.ts";
import { decisionFields } from "./decision.ts";
import { defineEvent, type EventOf } from "./envelope.ts";

const span = {
	id: Type.String({ description: "id of the cut, and of the fold it may become" }),
	cut: Type.Number({ description: "number on its path, from 1" }),
	before: Type.Union([Type.String(), Type.Null()], { description: "the cut before it on its path" }),
	from: Type.String({ description: "first entry of the span" }),
	to: Type.String({ description: "last entry of the span" }),
	chars: Type.Number(),
	images: Type.Number(),
};

/** A cut closed: a stretch of the path became foldable. Nothing in the window moves. */
export const MarkSet = defineEvent(
	"mark/set",
	1,
	Type.Object({
		...span,
		closedBy: Type.String({ description: "the entry whose arrival closed it" }),
	}),
);

/** Cuts are to be raw after the next commit; later ones fold them again, as they do what was opened at that one. */
export const MarkWithdrawn = defineEvent(
	"mark/withdrawn",
	1,
	Type.Object({ ...decisionFields, cuts: Type.Array(Type.String()) }),
);

/**
 * Cuts that were not folded yet were drawn anew; those behind them were counted anew. What was withdrawn, and what was
 * supplied for a cut, follows a stretch that stays the same.
 */
export const MarkRecut = defineEvent(
	"mark/recut",
	1,
	Type.Object({
		...decisionFields,
		mark: Type.String({ description: "what keeps the new names apart from those of cuts drawn before" }),
		replaces: Type.Array(Type.String(), { description: "in path order" }),
		cuts: Type.Array(Type.Object(span), { description: "in path order" }),
		withdrawn: Type.Optional(
			Type.Array(Type.String(), { description: "of `cuts`, those that were withdrawn under another name" }),
		),
		texts: Type.Optional(
			Type.Array(Type.Object(writtenFields), {
				description:
					"of `cuts` for which something was supplied under another name, and of groups that cover them",
			}),
		),
	}),
);

export type MarkEvent = EventOf<typeof MarkSet>;

export type MarkDecision = EventOf<typeof MarkWithdrawn | typeof MarkRecut>;

/** A stretch of a path that is to be folded as one. */
export type Span = EventOf<typeof MarkRecut>["data"]["cuts"][number];
