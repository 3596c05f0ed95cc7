import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

const source = Type.String({ description: "the tool that made it; `!` for a command of the user's own" });

/** The whole output behind a result that the host cut short was kept, in pieces, each stored under its digest. */
export const OutputKept = defineEvent(
	"output/kept",
	1,
	Type.Object({
		entry: Type.String({ description: "the result that shows a part of it" }),
		source,
		bytes: Type.Number({ description: "of the whole" }),
		piece: Type.Number({ description: "bytes of every piece but the last" }),
		pieces: Type.Array(Type.String(), { description: "digests of the pieces, in order" }),
	}),
);

/** The whole output behind a result was not kept: the session holds only the part that the result shows. */
export const OutputRefused = defineEvent(
	"output/refused",
	1,
	Type.Object({
		entry: Type.String({ description: "the result that shows a part of it" }),
		source,
		bytes: Type.Optional(Type.Number({ description: "of the whole, where it could be told" })),
		why: Type.Union([Type.Literal("cap"), Type.Literal("disk"), Type.Literal("unreadable")], {
			description:
				"cap: with it the kept outputs of the session would pass their cap; disk: it would have filled the disk; unreadable: the host's file of it could not be read",
		}),
		cap: Type.Optional(
			Type.Number({ description: "bytes a session may keep of outputs, where that was why" }),
		),
	}),
);

export type OutputEvent = EventOf<typeof OutputKept | typeof OutputRefused>;
