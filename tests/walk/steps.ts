import fc from "fast-check";
import type { StopReason } from "../../projections/transcript.ts";

/** What comes of a session. Sizes are characters, waits ms; `which` picks among what is there, modulo. */
export type Growth =
	| { readonly does: "user" | "system" | "note" | "bash" | "hidden" | "summary"; readonly size: number }
	| { readonly does: "label" | "custom" }
	| {
			readonly does: "exchange";
			readonly size: number;
			/** sizes of the results, in the order in which they come; fewer or more than calls leave some out or add orphans */
			readonly results: readonly number[];
			readonly calls: number;
			/** which tool the first call is of: 0, 1, or 2 for reading back for the moment */
			readonly tool: number;
			readonly reversed: boolean;
			readonly thinks: boolean;
			readonly stop: StopReason;
			/** call ids of an earlier message come again */
			readonly again: boolean;
			/** two calls share an id */
			readonly twice: boolean;
	  }
	| { readonly does: "result"; readonly size: number; readonly which: number; readonly of: "waiting" | "any" }
	| {
			readonly does: "edit";
			readonly size: number;
			readonly which: number;
			readonly as: "omitted" | "text" | "calls";
	  }
	| { readonly does: "compaction"; readonly size: number; readonly which: number; readonly keeps: boolean }
	| { readonly does: "goto"; readonly which: number };

/** What may be asked of a window. */
export type Asked =
	| { readonly does: "commit"; readonly through: number | undefined }
	| { readonly does: "due" | "tighter" }
	| { readonly does: "reasoning"; readonly mode: "keep" | "strip" }
	| { readonly does: "expand" | "refold"; readonly which: number }
	| { readonly does: "pin" | "unpin"; readonly which: readonly number[] }
	| { readonly does: "unmark" | "toRaw" | "recut"; readonly which: readonly number[] }
	| { readonly does: "brief"; readonly which: number; readonly text: number }
	| { readonly does: "undo"; readonly count: number; readonly odd: boolean };

/** What happens to the process, the rules and the session as a whole. */
export type Turn =
	| {
			readonly does: "restart";
			readonly from: "log" | "checkpoint" | "nodes";
			readonly driver: "live" | "replay";
	  }
	| { readonly does: "fork"; readonly which: number }
	| { readonly does: "suspend" | "resume" }
	| { readonly does: "rules"; readonly policy: number; readonly sizes: number }
	| {
			readonly does: "cutting";
			readonly minFoldChars: number;
			readonly base: number;
			readonly keepRaw: boolean;
			readonly briefs: "index" | "truncation";
	  };

/** One command of a walk, and how long it comes after the one before, ms. */
export type Step = { readonly wait: number } & (
	| Growth
	/** `late`: entries no model reads that come before the decision's node; `lost`: the node never comes */
	| (Asked & { readonly late: number; readonly lost: boolean; readonly model: number })
	| Turn
);

const which = fc.nat(999);
const some = fc.array(which, { minLength: 0, maxLength: 3 });
const rarely = fc.nat(11).map((n) => n === 11);
const MINUTE = 60_000;

const wait = fc.oneof(
	{ weight: 12, arbitrary: fc.nat(20_000) },
	{ weight: 2, arbitrary: fc.integer({ min: 5 * MINUTE, max: 90 * MINUTE }) },
	{ weight: 1, arbitrary: fc.integer({ min: -60 * MINUTE, max: -1 }) },
);

const size = fc.oneof(
	{ weight: 3, arbitrary: fc.nat(300) },
	{ weight: 4, arbitrary: fc.integer({ min: 300, max: 2_500 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 2_500, max: 9_000 }) },
);

const stop = fc.oneof(
	{ weight: 10, arbitrary: fc.constant("toolUse" as const) },
	{ weight: 2, arbitrary: fc.constantFrom("stop" as const, "length" as const) },
	{ weight: 2, arbitrary: fc.constantFrom("aborted" as const, "error" as const) },
);

const exchange = fc
	.record({
		does: fc.constant("exchange" as const),
		size,
		calls: fc.nat(4),
		tool: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(2) }),
		results: fc.array(size, { minLength: 5, maxLength: 5 }),
		off: fc.oneof(
			{ weight: 8, arbitrary: fc.constant(0) },
			{ weight: 1, arbitrary: fc.constantFrom(-1, -2, 1) },
		),
		reversed: fc.boolean(),
		thinks: fc.boolean(),
		stop,
		again: rarely,
		twice: rarely,
	})
	.map(({ off, ...made }) => ({ ...made, results: made.results.slice(0, Math.max(0, made.calls + off)) }));

const growth: fc.Arbitrary<Growth> = fc.oneof(
	{ weight: 14, arbitrary: exchange },
	{
		weight: 5,
		arbitrary: fc.record({
			does: fc.constantFrom("user", "user", "user", "system", "note", "bash", "hidden", "summary"),
			size,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ does: fc.constantFrom("label", "custom") }) },
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant("result" as const),
			size,
			which,
			of: fc.constantFrom("waiting" as const, "any" as const),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant("edit" as const),
			size: fc.nat(300),
			which,
			as: fc.constantFrom("omitted" as const, "text" as const, "calls" as const),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant("compaction" as const),
			size: fc.nat(500),
			which,
			keeps: fc.nat(4).map((n) => n > 0),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ does: fc.constant("goto" as const), which }) },
);

const asked: fc.Arbitrary<Asked> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			does: fc.constant("commit" as const),
			through: fc.option(which, { nil: undefined, freq: 3 }),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ does: fc.constantFrom("due" as const, "tighter" as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant("reasoning" as const),
			mode: fc.constantFrom("keep" as const, "strip" as const),
		}),
	},
	{ weight: 5, arbitrary: fc.record({ does: fc.constant("expand" as const), which }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant("refold" as const), which }) },
	{ weight: 3, arbitrary: fc.record({ does: fc.constant("pin" as const), which: some }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant("unpin" as const), which: some }) },
	{
		weight: 3,
		arbitrary: fc.record({
			does: fc.constantFrom("unmark" as const, "toRaw" as const, "recut" as const, "recut" as const),
			which: some,
		}),
	},
	{ weight: 2, arbitrary: fc.record({ does: fc.constant("brief" as const), which, text: fc.nat(5) }) },
	{
		weight: 3,
		arbitrary: fc.record({ does: fc.constant("undo" as const), count: fc.nat(4), odd: rarely }),
	},
);

const turn: fc.Arbitrary<Turn> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			does: fc.constant("restart" as const),
			from: fc.constantFrom("log" as const, "checkpoint" as const, "nodes" as const),
			driver: fc.constantFrom("live" as const, "replay" as const),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ does: fc.constant("fork" as const), which }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constantFrom("suspend" as const, "resume" as const) }) },
	{
		weight: 2,
		arbitrary: fc.record({ does: fc.constant("rules" as const), policy: fc.nat(7), sizes: fc.nat(26) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant("cutting" as const),
			minFoldChars: fc.integer({ min: 200, max: 3_000 }),
			base: fc.integer({ min: 2, max: 4 }),
			keepRaw: fc.boolean(),
			briefs: fc.constantFrom("index" as const, "truncation" as const),
		}),
	},
);

const manner = fc.record({
	late: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
	lost: rarely,
	model: fc.nat(8),
});

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 12, arbitrary: fc.tuple(wait, growth).map(([ms, made]) => ({ wait: ms, ...made })) },
	{
		weight: 12,
		arbitrary: fc.tuple(wait, asked, manner).map(([ms, made, how]) => ({ wait: ms, ...made, ...how })),
	},
	{ weight: 2, arbitrary: fc.tuple(wait, turn).map(([ms, made]) => ({ wait: ms, ...made })) },
);

/** Where a walk begins, and what happens on it. */
export interface Walk {
	readonly heedsCompactions: boolean;
	readonly driver: "live" | "replay";
	/** whether the settings by which cuts are made may change on the way */
	readonly changesCutting: boolean;
	/** whether the host edits messages: much cannot be worked out behind that */
	readonly edits: boolean;
	readonly briefs: "index" | "truncation";
	readonly minFoldChars: number;
	readonly base: number;
	readonly steps: readonly Step[];
}

/** Walks of so many commands, the first of which give them something to fold. */
export function walks(
	commands: number,
	{ heedsCompactions }: { readonly heedsCompactions?: boolean } = {},
): fc.Arbitrary<Walk> {
	return fc.record({
		heedsCompactions: heedsCompactions === undefined ? fc.boolean() : fc.constant(heedsCompactions),
		driver: fc.constantFrom("live", "replay"),
		edits: fc.nat(2).map((n) => n === 0),
		changesCutting: fc.nat(3).map((n) => n === 0),
		briefs: fc.constantFrom("index", "truncation"),
		minFoldChars: fc.integer({ min: 200, max: 2_500 }),
		base: fc.integer({ min: 2, max: 4 }),
		steps: fc
			.tuple(
				fc.array(
					fc.tuple(wait, growth).map(([ms, made]): Step => ({ wait: ms, ...made })),
					{ minLength: 12, maxLength: 12, size: "max" },
				),
				fc.array(step, { minLength: commands - 12, maxLength: commands - 12, size: "max" }),
			)
			.map(([begin, rest]) => [...begin, ...rest]),
	});
}
