import { type Static, Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

const kind = Type.Union([
	Type.Literal("fact"),
	Type.Literal("preference"),
	Type.Literal("constraint"),
	Type.Literal("decision"),
	Type.Literal("working"),
	Type.Literal("derived"),
]);

const scope = Type.Union([Type.Literal("workspace"), Type.Literal("session")], {
	description: "workspace: every session in this folder; session: the one that recorded it",
});

const priority = Type.Union([Type.Literal("low"), Type.Literal("normal"), Type.Literal("high")]);

const recordSchema = Type.Object({
	id: Type.String({ description: "the record's own name: mem_ and 16 hexadecimal digits" }),
	kind,
	scope,
	session: Type.Optional(Type.String({ description: "the session it belongs to, of scope session" })),
	priority,
	body: Type.String({ description: "digest of its text in UTF-8" }),
	chars: Type.Number({ description: "UTF-16 code units of the text" }),
	files: Type.Array(Type.String(), { description: "files it is about, as they were named" }),
	sources: Type.Array(Type.String(), { description: "entries of the session it was drawn from" }),
	sourceHash: Type.Optional(
		Type.String({ description: "hex SHA-256 over those entries' digests, where they are known" }),
	),
	provenance: Type.String({ description: "what made it, such as user:/remember or rule:file" }),
	pinned: Type.Optional(Type.Literal(true, { description: "always shown to the model; a user's alone" })),
});

/** What a memory event says of a new record. */
export type NewRecord = Static<typeof recordSchema>;

/** A user has something remembered. */
export const MemoryRecorded = defineEvent("memory/recorded", 1, recordSchema);

/** The model would have something remembered; it stays provisional until a user confirms it. */
export const MemoryProposed = defineEvent("memory/proposed", 1, recordSchema);

/** A rule found something to remember in the session; it stays provisional until a user confirms it. */
export const MemoryDerived = defineEvent("memory/derived", 1, recordSchema);

/** A record's text or place was changed: a new record takes its place. */
export const MemorySuperseded = defineEvent(
	"memory/superseded",
	1,
	Type.Object({ id: Type.String({ description: "the record that is replaced" }), record: recordSchema }),
);

/** A user makes a provisional record his own, as it stands. */
export const MemoryConfirmed = defineEvent(
	"memory/confirmed",
	1,
	Type.Object({
		id: Type.String(),
		body: Type.String({ description: "digest of the text that was confirmed" }),
	}),
);

const named = Type.Object({ id: Type.String() });

/** A user has a record always shown to the model. */
export const MemoryPinned = defineEvent("memory/pinned", 1, named);

/** A user takes a pin back. */
export const MemoryUnpinned = defineEvent("memory/unpinned", 1, named);

/** A record holds no more: it leaves the lists, and stays in the log. */
export const MemoryResolved = defineEvent(
	"memory/resolved",
	1,
	Type.Object({ id: Type.String(), why: Type.String({ description: "such as user:/forget" }) }),
);

/** A user takes a forgetting back: the record is as it was before. */
export const MemoryRestored = defineEvent("memory/restored", 1, named);

/** A user vouches, after a look at them, for events that carry no proof this machine can check. */
export const MemoryTrusted = defineEvent(
	"memory/trusted",
	1,
	Type.Object({
		events: Type.Array(
			Type.Object({ position: Type.Number(), hash: Type.String({ description: "hex SHA-256 as stored" }) }),
			{ description: "the events of this stream that are vouched for" },
		),
	}),
);

/** A user says that the folder this memory belongs to has another name now. */
export const MemoryMoved = defineEvent(
	"memory/moved",
	1,
	Type.Object({ from: Type.String(), to: Type.String({ description: "the folder's absolute path now" }) }),
);

/** A memory event that was brought from another log, with the proof it carried there. */
export const MemoryImported = defineEvent(
	"memory/imported",
	1,
	Type.Object({
		origin: Type.Object({
			log: Type.String({ description: "the stream it stood in, or the file" }),
			position: Type.Number({ description: "its place there" }),
			at: Type.Number({ description: "when it was recorded there, ms since the epoch" }),
			actor: Type.Union([Type.Literal("user"), Type.Literal("model"), Type.Literal("rule")]),
			sealed: Type.Optional(
				Type.Object({
					key: Type.String({ description: "id of the key" }),
					tag: Type.String({ description: "the HMAC, base64" }),
					stored: Type.String({ description: "the event's bytes as they were stored there, base64" }),
				}),
			),
		}),
		type: Type.String({ description: "type of the event" }),
		data: Type.Unknown({ description: "its payload, in today's schema" }),
	}),
);

export type MemoryEvent = EventOf<
	| typeof MemoryRecorded
	| typeof MemoryProposed
	| typeof MemoryDerived
	| typeof MemorySuperseded
	| typeof MemoryConfirmed
	| typeof MemoryPinned
	| typeof MemoryUnpinned
	| typeof MemoryResolved
	| typeof MemoryRestored
	| typeof MemoryTrusted
	| typeof MemoryMoved
	| typeof MemoryImported
>;

/** What a record may be. */
export type MemoryKind = Static<typeof kind>;
/** Where a record holds. */
export type MemoryScope = Static<typeof scope>;
/** How much a record matters. */
export type MemoryPriority = Static<typeof priority>;
