import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

const ids = Type.Array(Type.String());

/** An entry of the host's session tree was seen for the first time. Its exact bytes are the blob `digest` names. */
export const EntryRecorded = defineEvent(
	"entry/recorded",
	1,
	Type.Object({
		id: Type.String(),
		parent: Type.Union([Type.String(), Type.Null()]),
		kind: Type.String({
			description: "message, note, compaction, branchSummary, contextEdit, custom, label, …",
		}),
		role: Type.Optional(Type.String({ description: "who speaks; absent where no model sees the entry" })),
		at: Type.Number({ description: "the entry's own time, ms since the epoch" }),
		digest: Type.String({ description: "hex SHA-256 of the entry's bytes" }),
		bytes: Type.Number(),
		chars: Type.Number({ description: "characters the model is sent: text, thinking, calls" }),
		thinking: Type.Number({ description: "how many of these are thinking" }),
		images: Type.Number(),
		opens: Type.Optional(Type.Array(Type.String(), { description: "calls it makes, by call id" })),
		answers: Type.Optional(Type.String({ description: "the call it answers" })),
		stop: Type.Optional(Type.String({ description: "how a reply ended" })),
		hidden: Type.Optional(Type.Boolean({ description: "a run the user kept from the model" })),
		target: Type.Optional(Type.String({ description: "contextEdit: the entry it changes" })),
		omits: Type.Optional(Type.Boolean({ description: "contextEdit: the target leaves the window" })),
		firstKept: Type.Optional(
			Type.Union([Type.String(), Type.Null()], {
				description:
					"compaction: the first entry the host goes on showing, null for none; absent where windows are made as if there were no compaction",
			}),
		),
		keptRaw: Type.Optional(
			Type.Boolean({ description: "of a tool whose exchanges the settings never fold nor clip" }),
		),
		peeks: Type.Optional(
			Type.Array(Type.String(), { description: "calls it makes to read back for the moment, by call id" }),
		),
		memory: Type.Optional(
			Type.Object(
				{
					block: Type.Optional(ids),
					told: Type.Optional(ids),
					gone: Type.Optional(ids),
					lines: Type.Optional(ids),
				},
				{ description: "a message of ours: the records it tells of" },
			),
		),
		decision: Type.Optional(
			Type.Number({ description: "position of the decision this entry is the node of" }),
		),
	}),
);

export type EntryEvent = EventOf<typeof EntryRecorded>;
