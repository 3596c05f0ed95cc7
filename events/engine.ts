import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** Nothing is folded by itself from here on. */
export const EngineSuspended = defineEvent(
	"engine/suspended",
	1,
	Type.Object({
		mode: Type.Union([Type.Literal("pause"), Type.Literal("off")], {
			description: "pause: commits on demand alone; off: the session is the host's to compact",
		}),
		why: Type.String(),
	}),
);

/** Folding goes on by the policy in force. */
export const EngineResumed = defineEvent("engine/resumed", 1, Type.Object({}));

export type EngineEvent = EventOf<typeof EngineSuspended | typeof EngineResumed>;
