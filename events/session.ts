import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

/** A session came under our care: which one, and where its history begins. */
export const SessionOpened = defineEvent(
	"session/opened",
	1,
	Type.Object({
		session: Type.String({ description: "the host's session id" }),
		root: Type.Union([Type.String(), Type.Null()], {
			description: "id of the root entry, if there is one yet",
		}),
		format: Type.String({ description: "where the entries come from: pi-v1, pi-v2, pi-v3 or live" }),
		cwd: Type.Optional(Type.String()),
	}),
);

/** This session was made from another by the host; decisions whose nodes came along stay in force. */
export const SessionForked = defineEvent(
	"session/forked",
	1,
	Type.Object({
		from: Type.String({ description: "session id of the parent" }),
		decisions: Type.Number({ description: "decision nodes found on the path" }),
	}),
);

/** The user went to another place in the session tree. */
export const SessionLeafMoved = defineEvent(
	"session/leafMoved",
	1,
	Type.Object({ leaf: Type.Union([Type.String(), Type.Null()]) }),
);

/** The rules by which this session is folded, from here on. Cuts that closed before keep the rules of their day. */
export const SessionSettingsChanged = defineEvent(
	"session/settingsChanged",
	1,
	Type.Object({
		policy: Type.Union([
			Type.Literal("economic"),
			Type.Literal("calm"),
			Type.Literal("band"),
			Type.Literal("off"),
		]),
		minFoldChars: Type.Number({ description: "characters at which a cut closes" }),
		consolidateAfter: Type.Number({ description: "cuts in a group, groups in a group of groups" }),
		toolFoldThreshold: Type.Number({
			description: "share of the raw window in which large results are clipped",
		}),
		maxTarget: Type.Number({ description: "share of the budget at which a commit is forced" }),
		minTarget: Type.Number({ description: "share of the budget kept raw" }),
		floorTokens: Type.Optional(Type.Number({ description: "raw tokens kept, instead of a share" })),
		floorFactor: Type.Optional(
			Type.Number({ description: "how many times the tokens of that share are kept raw; 1 unless given" }),
		),
		inputBudget: Type.Optional(
			Type.Number({ description: "tokens a request may hold, instead of the model's" }),
		),
		keepRaw: Type.Optional(
			Type.Array(Type.String(), { description: "tools whose exchanges are never folded nor clipped" }),
		),
		postFoldNotice: Type.Optional(
			Type.Boolean({ description: "whether a receipt asks the model for briefs" }),
		),
		workSummary: Type.Optional(
			Type.Object(
				{
					maxChars: Type.Number({ description: "characters of it" }),
					maxEvidence: Type.Number({ description: "pieces of evidence in it" }),
				},
				{ description: "the work summary that a receipt carries; none where absent" },
			),
		),
		observe: Type.Optional(Type.Boolean({ description: "whether commits are quoted and not made" })),
		briefs: Type.Union([Type.Literal("index"), Type.Literal("truncation")]),
	}),
);

export type SessionEvent = EventOf<
	typeof SessionOpened | typeof SessionForked | typeof SessionLeafMoved | typeof SessionSettingsChanged
>;
