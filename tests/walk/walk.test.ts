import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMIT_MS, runs } from "./runs.ts";
import { walks } from "./steps.ts";
import type { Tally } from "./walk-state.ts";
import { walkThrough } from "./walker.ts";

test(
	"whatever is asked of a live session, in whatever order, its log means what its entries and decisions say",
	async () => {
		const tally: Tally = {};
		const property = fc.asyncProperty(walks(50, { heedsCompactions: true }), async (walk) => {
			await walkThrough(walk, tally);
		});
		await fc.assert(property, runs(205));
		for (const what of EACH) expect([what, (tally[what] ?? 0) > 4]).toEqual([what, true]);
	},
	LIMIT_MS,
);

/** What a few hundred walks come by again and again, or they would say little. */
const EACH = [
	...["commit: made", "due: made", "tighter: made", "reasoning: made", "expand: made", "refold: made"],
	...["pin: made", "unpin: made", "unmark: made", "toRaw: made", "recut: made", "brief: made", "undo: made"],
	...["expand: FOLD_PENDING", "expand: FOLD_NESTED", "expand: FOLD_UNKNOWN", "refold: FOLD_NOT_OPEN"],
	...[
		"pin: ENTRY_UNKNOWN",
		"pin: PIN_OVER_SHARE",
		"unmark: FOLD_STANDING",
		"toRaw: RAW_OVER_SHARE",
		"brief: BRIEF_INVALID",
	],
	...["recut: SPAN_INVALID", "undo: DECISION_UNKNOWN", "undo: UNDO_HAS_DEPENDENTS", "met: rebuilt"],
];
