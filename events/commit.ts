import { Type } from "@sinclair/typebox";
import { writtenFields } from "./brief.ts";
import { decisionFields, fixedField, quoteField } from "./decision.ts";
import { defineEvent, type EventOf } from "./envelope.ts";

const trigger = Type.Union(
	[
		Type.Literal("economic"),
		Type.Literal("cold"),
		Type.Literal("budget"),
		Type.Literal("user"),
		Type.Literal("overflow"),
		Type.Literal("reasoning"),
		Type.Literal("node"),
	],
	{
		description:
			"why it was made; budget: the window was full, or its images too many bytes; overflow, reasoning: the provider refused the request; node: it was decided elsewhere, and made again from its node",
	},
);

/** The window's earlier bytes changed: everything up to one cut is folded from here on. */
export const CommitApplied = defineEvent(
	"commit/applied",
	1,
	Type.Object({
		...decisionFields,
		trigger,
		policy: Type.String(),
		through: Type.Union([Type.String(), Type.Null()], {
			description: "the last cut folded; null where results were clipped and nothing is folded yet",
		}),
		cut: Type.Number({ description: "its number; 0 for none" }),
		before: Type.Union([Type.String(), Type.Null()], { description: "the commit it builds on" }),
		fixed: fixedField,
		floor: Type.Number({ description: "raw tokens it meant to leave" }),
		quote: quoteField,
		held: Type.Array(Type.Object({ entry: Type.String(), why: Type.String() }), {
			description: "entries inside the folded span that stay raw",
		}),
		expanded: Type.Array(Type.Object({ fold: Type.String(), request: Type.Number() }), {
			description: "folds inside the folded span that stay open, and the request since which they are",
		}),
		dropped: Type.Optional(
			Type.Array(Type.String(), {
				description: "withdrawn cuts it folds all the same: the window had no room for them",
			}),
		),
		refused: Type.Array(Type.Object({ cut: Type.String(), why: Type.String() }), {
			description: "closed cuts that were not folded, nearest first, at most 16",
		}),
		emergency: Type.Optional(
			Type.Boolean({
				description: "results and images were clipped that the settings leave whole, the newest too",
			}),
		),
		reasoning: Type.Union([Type.Literal("keep"), Type.Literal("strip")], {
			description: "what became of thinking behind the first changed byte",
		}),
	}),
);

/** A commit would have been made now, but for the user's wish to watch only. */
export const CommitObserved = defineEvent(
	"commit/observed",
	1,
	Type.Object({
		parent: Type.Union([Type.String(), Type.Null()]),
		before: Type.Union([Type.String(), Type.Null()], { description: "the commit in force" }),
		trigger,
		policy: Type.String(),
		through: Type.Union([Type.String(), Type.Null()]),
		cut: Type.Number(),
		quote: quoteField,
	}),
);

/** Decisions were taken back; what was in force before the earliest of them is in force again. */
export const CommitUndone = defineEvent(
	"commit/undone",
	1,
	Type.Object({
		...decisionFields,
		decisions: Type.Array(Type.String(), { description: "what is taken back, newest first" }),
		to: Type.Union([Type.Number(), Type.Null()], {
			description: "position of the decision that is in force again; null for none",
		}),
		cut: Type.Union([Type.String(), Type.Null()], {
			description: "the last cut there is from here on; another than before where a recut is taken back",
		}),
		request: Type.Number({ description: "requests sent before it" }),
		quote: quoteField,
		texts: Type.Optional(
			Type.Array(Type.Object(writtenFields), {
				description:
					"of groups that are not folded, where other briefs are supplied now than when they closed",
			}),
		),
	}),
);

export type CommitEvent = EventOf<typeof CommitApplied | typeof CommitUndone>;

/** A commit that was not made. */
export type CommitObservedEvent = EventOf<typeof CommitObserved>;

/** What a change of the window was quoted to cost and to save, in the valuation's unit. */
export type Quote = EventOf<typeof CommitApplied>["data"]["quote"];

/** Why a commit is made, or would have been. */
export type Trigger = EventOf<typeof CommitApplied>["data"]["trigger"];
