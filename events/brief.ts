import { Type } from "@sinclair/typebox";
import { decisionFields } from "./decision.ts";
import { defineEvent, type EventOf } from "./envelope.ts";

const written = {
	fold: Type.String(),
	level: Type.Number({ description: "0 a cut, 1 a group of cuts, 2 a group of groups, …" }),
	cut: Type.String({ description: "the last cut it covers" }),
	brief: Type.String({ description: "digest of the brief as structured data" }),
	text: Type.String({ description: "digest of the placeholder's text" }),
	chars: Type.Number({ description: "characters of the placeholder" }),
};

/** What will stand in the window for a fold was written down, once. */
export const BriefWritten = defineEvent(
	"brief/written",
	1,
	Type.Object({
		...written,
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
		texts: Type.Array(Type.Object(written), {
			description: "the fold's text, and those of groups that were not folded yet and cover it",
		}),
		renderer: Type.String(),
	}),
);

export type BriefEvent = EventOf<typeof BriefWritten>;

export type BriefDecision = EventOf<typeof BriefSupplied>;

/** A text that was written for a fold. */
export type WrittenText = EventOf<typeof BriefSupplied>["data"]["texts"][number];
