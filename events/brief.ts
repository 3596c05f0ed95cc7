import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** What will stand in the window for a fold was written down, once. */
export const BriefWritten = defineEvent(
	"brief/written",
	1,
	Type.Object({
		fold: Type.String(),
		level: Type.Number({ description: "0 a cut, 1 a group of cuts, 2 a group of groups, …" }),
		cut: Type.String({ description: "the last cut it covers" }),
		brief: Type.String({ description: "digest of the brief as structured data" }),
		text: Type.String({ description: "digest of the placeholder's text" }),
		chars: Type.Number({ description: "characters of the placeholder" }),
		provenance: Type.Union([Type.Literal("deterministic"), Type.Literal("supplied")]),
		renderer: Type.String({ description: "name and version of what wrote it" }),
	}),
);

export type BriefEvent = EventOf<typeof BriefWritten>;
