import { Type } from "@sinclair/typebox";
import { decisionFields, fixedField, quoteField } from "./decision.ts";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A cut left the window for the first time; its text stands there instead. */
export const FoldMade = defineEvent(
	"fold/made",
	1,
	Type.Object({
		fold: Type.String(),
		commit: Type.String(),
		text: Type.String({ description: "digest of the text that stands for it" }),
	}),
);

/** A group took the place of the folds it covers, for the first time. */
export const FoldGrouped = defineEvent(
	"fold/grouped",
	1,
	Type.Object({
		fold: Type.String(),
		commit: Type.String(),
		level: Type.Number(),
		text: Type.String(),
	}),
);

const inView = {
	entry: Type.String(),
	commit: Type.String(),
	text: Type.String({ description: "digest of what is left in view" }),
	chars: Type.Number({ description: "characters left in view" }),
};

/** A large tool result is shown by its head alone. */
export const FoldClipped = defineEvent("fold/clipped", 1, Type.Object(inView));

/** What was read back for the moment left the window again. */
export const FoldReleased = defineEvent("fold/released", 1, Type.Object(inView));

/** A fold was opened in place: its parts stand in the window, raw where it is a cut. */
export const FoldExpanded = defineEvent(
	"fold/expanded",
	1,
	Type.Object({
		...decisionFields,
		fold: Type.String(),
		request: Type.Number({ description: "requests sent before it" }),
		fixed: fixedField,
		quote: quoteField,
	}),
);

/** An opened fold was closed again, with everything opened inside it. */
export const FoldRefolded = defineEvent(
	"fold/refolded",
	1,
	Type.Object({
		...decisionFields,
		fold: Type.String(),
		folds: Type.Array(Type.String(), { description: "what is closed: the fold, and those inside it" }),
		fixed: fixedField,
		quote: quoteField,
	}),
);

/** Originals were read back by the model. */
export const FoldPeeked = defineEvent(
	"fold/peeked",
	1,
	Type.Object({
		id: Type.String({ description: "fold, entry or call that was asked for" }),
		call: Type.String({ description: "the tool call that asked" }),
		offset: Type.Number({ description: "bytes" }),
		bytes: Type.Number({ description: "bytes that were given" }),
		ephemeral: Type.Boolean({ description: "whether the next commit releases it" }),
	}),
);

export type FoldEvent = EventOf<
	typeof FoldMade | typeof FoldGrouped | typeof FoldClipped | typeof FoldReleased
>;

export type FoldDecision = EventOf<typeof FoldExpanded | typeof FoldRefolded>;
