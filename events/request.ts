import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A window went out to the model. */
export const RequestPrepared = defineEvent(
	"request/prepared",
	1,
	Type.Object({
		request: Type.Number({ description: "ordinal in this stream, from 1" }),
		at: Type.Number({ description: "start of the request, ms since the epoch" }),
		leaf: Type.Union([Type.String(), Type.Null()]),
		commit: Type.Optional(Type.String({ description: "the commit in force" })),
		model: Type.String({ description: "provider/model" }),
		window: Type.String({ description: "hex digest chaining the window's items" }),
		items: Type.Number({ description: "items in the window" }),
		tokens: Type.Number({ description: "estimate of the whole prompt" }),
		foldable: Type.Number({ description: "tokens a commit would free now" }),
		holding: Type.Number({
			description: "what not having committed costs at this request, in the valuation's unit",
		}),
		cold: Type.Boolean({ description: "no live cache shares a prefix with this window" }),
		change: Type.Optional(
			Type.Object({
				item: Type.Number({ description: "index of the first item that differs from the window before" }),
				cause: Type.String({
					description:
						"commit, expand, refold, pin, undo, leaf, compaction, contextEdit, answer (a late one came), unknown",
				}),
			}),
		),
	}),
);

/** The provider said what the last request took. */
export const RequestMeasured = defineEvent(
	"request/measured",
	1,
	Type.Object({
		request: Type.Number(),
		reply: Type.String({ description: "entry id of the reply" }),
		model: Type.String(),
		input: Type.Number(),
		output: Type.Number(),
		cacheRead: Type.Number(),
		cacheWrite: Type.Number(),
		usd: Type.Optional(Type.Number({ description: "as the host computed it" })),
		chars: Type.Number({ description: "characters of the messages that were measured" }),
		images: Type.Number(),
		appended: Type.Boolean({ description: "the measured window only extends the one measured before" }),
	}),
);

export type RequestEvent = EventOf<typeof RequestPrepared | typeof RequestMeasured>;
