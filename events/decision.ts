import { Type } from "@sinclair/typebox";

/** What every decision about the window says: its name, where it was taken and what it builds on. */
export const decisionFields = {
	id: Type.String(),
	parent: Type.Union([Type.String(), Type.Null()], { description: "leaf at which it was decided" }),
	on: Type.Union([Type.Number(), Type.Null()], {
		description: "position of the decision in force before it; null for none",
	}),
	window: Type.String({ description: "digest of the window it makes" }),
};

/** What a decision puts before and instead of the raw tail. */
export const fixedField = Type.Object(
	{ chars: Type.Number(), images: Type.Number() },
	{
		description:
			"size of what stands before and instead of the raw tail, less what was clipped or stripped from it",
	},
);

/** What a change of the window costs and saves, in the valuation's unit. */
export const quoteField = Type.Object({
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
