import { Type } from "@sinclair/typebox";
import { decisionFields } from "./decision.ts";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A text that was written for a fold, as events tell of it. */
export const writtenFields = {
	fold: Type.String(),
	level: Type.Number({ description: "0 a cut, 1 a group of cuts, 2 a group of groups, …" }),
	cut: Type.String({ description: "the last cut it covers" }),
	brief: Type.String({ description: "digest of the brief as structured data" }),
	text: Type.String({ description: "digest of the placeholder's text" }),
	chars: Type.Number({ description: "characters of the placeholder" }),
	gone: Type.Optional(
		Type.Boolean({ description: "edits left nothing of what it stands for, so it is not shown" }),
	),
};

/** What will stand in the window for a fold was written down, once. */
export const BriefWritten = defineEvent(
	"brief/written",
	1,
	Type.Object({
		...writtenFields,
		renderer: Type.String({ description: "name and version of what wrote it" }),
	}),
);

/** Someone said in their own words what a fold is to tell; it stands in its text word for word. */
export const BriefSupplied = defineEvent(
	"brief/supplied",
	1,
	Type.Object({
		...decisionFields,
		fold: Type.String(),
		supplied: Type.String({ description: "digest of what was said" }),
		texts: Type.Array(Type.Object(writtenFields), {
			description: "the fold's text, and those of groups that were not folded yet and cover it",
		}),
		renderer: Type.String(),
	}),
);

/**
 * An edit changed what folds stand for: below it, other texts take the place of theirs. What was edited away is in none
 * of them.
 */
export const BriefRewritten = defineEvent(
	"brief/rewritten",
	1,
	Type.Object({
		edit: Type.String({ description: "the entry that edits" }),
		texts: Type.Array(
			Type.Object({
				...writtenFields,
				instead: Type.String({ description: "digest of the text whose place it takes" }),
			}),
			{ description: "of cuts first, then of the groups that cover them; one may be worded as before" },
		),
		renderer: Type.String(),
	}),
);

export type BriefEvent = EventOf<typeof BriefWritten | typeof BriefRewritten>;

export type BriefDecision = EventOf<typeof BriefSupplied>;

/** A text that was written for a fold. */
export type WrittenText = EventOf<typeof BriefSupplied>["data"]["texts"][number];

/** A text that takes the place of another. */
export type RewrittenText = EventOf<typeof BriefRewritten>["data"]["texts"][number];
