import { Type } from "@sinclair/typebox";
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

/** A large tool result is shown by its head alone. */
export const FoldClipped = defineEvent(
	"fold/clipped",
	1,
	Type.Object({
		entry: Type.String(),
		commit: Type.String(),
		text: Type.String({ description: "digest of what is left in view" }),
		chars: Type.Number({ description: "characters left in view" }),
	}),
);

export type FoldEvent = EventOf<typeof FoldMade | typeof FoldGrouped | typeof FoldClipped>;
