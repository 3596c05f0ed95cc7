import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

const quote = Type.Object({
	unit: Type.Union([Type.Literal("usd"), Type.Literal("token")]),
	before: Type.Number({ description: "tokens of the window as it stood" }),
	after: Type.Number({
		description: "tokens of the window as it will stand, thinking it strips still counted",
	}),
	freed: Type.Number({ description: "`before` less `after`, tokens" }),
	rewritten: Type.Number({ description: "tokens the provider must take in again" }),
	cost: Type.Number({ description: "price of taking them in again" }),
	saves: Type.Number({ description: "price saved at every later request" }),
	held: Type.Number({ description: "what waiting has cost since the last commit, this request included" }),
	waited: Type.Number({ description: "requests since the last commit, this one included" }),
	factor: Type.Number({ description: "how much dearer than `cost` the commit is taken to be" }),
});

/** The window's earlier bytes changed: everything up to one cut is folded from here on. */
export const CommitApplied = defineEvent(
	"commit/applied",
	1,
	Type.Object({
		id: Type.String(),
		parent: Type.Union([Type.String(), Type.Null()], { description: "leaf at which it was decided" }),
		trigger: Type.Union(
			[
				Type.Literal("economic"),
				Type.Literal("cold"),
				Type.Literal("budget"),
				Type.Literal("user"),
				Type.Literal("node"),
			],
			{ description: "why it was made; node: it was decided elsewhere, and made again from its node" },
		),
		policy: Type.String(),
		through: Type.String({ description: "the last cut folded" }),
		cut: Type.Number({ description: "its number" }),
		before: Type.Union([Type.String(), Type.Null()], { description: "the commit it builds on" }),
		fixed: Type.Object(
			{ chars: Type.Number(), images: Type.Number() },
			{
				description:
					"size of what stands before and instead of the raw tail, less what was clipped or stripped from it",
			},
		),
		floor: Type.Number({ description: "raw tokens it meant to leave" }),
		quote,
		held: Type.Array(Type.Object({ entry: Type.String(), why: Type.String() }), {
			description: "entries inside the folded span that stay raw",
		}),
		refused: Type.Array(Type.Object({ cut: Type.String(), why: Type.String() }), {
			description: "closed cuts that were not folded, nearest first, at most 16",
		}),
		candidates: Type.Number({ description: "closed cuts that could have been folded" }),
		reasoning: Type.Union([Type.Literal("keep"), Type.Literal("strip")], {
			description: "what became of thinking behind the first changed byte",
		}),
		window: Type.String({ description: "digest of the window it makes" }),
	}),
);

/** A commit was taken back; the commit before it is in force again. */
export const CommitUndone = defineEvent(
	"commit/undone",
	1,
	Type.Object({
		commit: Type.String(),
		parent: Type.Union([Type.String(), Type.Null()], { description: "leaf at which it was decided" }),
	}),
);

export type CommitEvent = EventOf<typeof CommitApplied | typeof CommitUndone>;

/** What a commit was quoted to cost and to save, in the valuation's unit. */
export type Quote = EventOf<typeof CommitApplied>["data"]["quote"];
