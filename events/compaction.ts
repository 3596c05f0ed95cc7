import { type Static, Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

const reason = Type.Union([Type.Literal("manual"), Type.Literal("threshold"), Type.Literal("overflow")], {
	description: "why the host compacts: it was asked to, the window is nearly full, or a request was refused",
});

/** What a checkpoint made of a window: which entries left it, which stay, and the checkpoint before. */
const manifestSchema = Type.Object({
	id: Type.String({ description: "the window's own name, in the checkpoint's text too" }),
	parent: Type.Union([Type.String(), Type.Null()], {
		description: "the checkpoint on the path before it; null for none",
	}),
	previous: Type.Union([Type.String(), Type.Null()], {
		description: "digest of that checkpoint's manifest; null where none is known",
	}),
	boundary: Type.String({ description: "the first entry that stays" }),
	entries: Type.Number({ description: "entries that left the window" }),
	first: Type.Union([Type.String(), Type.Null()], { description: "the first of them" }),
	last: Type.Union([Type.String(), Type.Null()], { description: "the last of them" }),
	sources: Type.String({ description: "hex SHA-256 over their ids and digests" }),
	kept: Type.Number({ description: "entries that stay" }),
	folds: Type.Number({ description: "folds the checkpoint could list" }),
	digest: Type.String({ description: "hex SHA-256 over all of these" }),
});

/** A window's manifest. */
export type WindowManifest = Static<typeof manifestSchema>;

/** The host was about to compact, and was handed a checkpoint instead of asking a model; it has not taken it yet. */
export const CompactionIntercepted = defineEvent(
	"compaction/intercepted",
	1,
	Type.Object({
		reason,
		parent: Type.Union([Type.String(), Type.Null()], { description: "leaf at which it happened" }),
		manifest: manifestSchema,
		proposed: Type.Optional(
			Type.String({ description: "the entry the host would have kept first, where that was not safe" }),
		),
	}),
);

/** A checkpoint of ours stands in the session: the host said so, or its entry was found. */
export const CompactionCheckpointed = defineEvent(
	"compaction/checkpointed",
	1,
	Type.Object({
		entry: Type.String({ description: "the host's compaction entry" }),
		reason,
		manifest: manifestSchema,
		intercepted: Type.Optional(
			Type.Number({
				description: "position of the interception it came from; absent where another log has that",
			}),
		),
		text: Type.String({ description: "hex SHA-256 of the checkpoint's text" }),
		chars: Type.Number({ description: "characters of the text" }),
	}),
);

/** The host compacted with a summary that is not ours. */
export const CompactionSummarised = defineEvent(
	"compaction/summarised",
	1,
	Type.Object({
		entry: Type.String({ description: "the host's compaction entry" }),
		by: Type.Union([Type.Literal("host"), Type.Literal("extension")], {
			description: "whose summary it is: the host's own summariser's, or another extension's",
		}),
		boundary: Type.Union([Type.String(), Type.Null()], {
			description: "the first entry that stays; null for none",
		}),
		chars: Type.Number({ description: "characters of the summary" }),
	}),
);

/** The host did not compact after all. */
export const CompactionFailed = defineEvent(
	"compaction/failed",
	1,
	Type.Object({
		reason: Type.Optional(reason),
		aborted: Type.Boolean({ description: "someone stopped it" }),
		why: Type.Optional(Type.String({ description: "what went wrong, its first 500 characters" })),
		intercepted: Type.Optional(
			Type.Number({ description: "position of the interception that came to nothing" }),
		),
	}),
);

export type CompactionEvent = EventOf<
	| typeof CompactionIntercepted
	| typeof CompactionCheckpointed
	| typeof CompactionSummarised
	| typeof CompactionFailed
>;

/** Why the host compacts. */
export type CompactionReason = Static<typeof reason>;
