import type { Content } from "./content.ts";
import { type DecisionInput, decisionInputs } from "./decision-inputs.ts";
import { type DecisionSeen, decisionSeen } from "./decision-seen.ts";
import type { History } from "./history.ts";
import { namedIn } from "./named.ts";
import { marksBetween, type TimelineMark } from "./timeline-marks.ts";
import { type TextOptions, type VisibilitySpan, visibilityOf, whenText } from "./visibility.ts";

/** A request at which something was shown less than at the one before, and what lies between the two. */
export interface Loss {
	/** the last request before it */
	readonly last: number;
	/** the first one at which less was shown */
	readonly request: number;
	readonly before: VisibilitySpan;
	readonly after: VisibilitySpan;
	/** the decision behind it; absent where a compaction, an edit or another branch is */
	readonly decision?: DecisionSeen;
	/** what that was made from, as it was written down then */
	readonly inputs: readonly DecisionInput[];
	/** everything that was decided, or befell the window, between the two */
	readonly between: readonly TimelineMark[];
}

/** Which decision hid something. */
export interface Bisection {
	readonly of: string;
	readonly about: "entry" | "fold" | "text";
	readonly spans: readonly VisibilitySpan[];
	/** the last request that was sent all of it; absent where none was */
	readonly whole?: number;
	/** what took it away, from the last request that had it whole on (of what none had, from the first) */
	readonly losses: readonly Loss[];
	/** whether the last request of all is still sent all of it */
	readonly isWhole: boolean;
}

/**
 * The decision that hid an entry, a call's result, what a fold stands for, or, where nothing is called so, a text.
 * `undefined` where nothing is called so and no window held it as a text. An id of a decision is looked for as a text.
 */
export async function bisect(
	history: History,
	content: Content,
	id: string,
	options: TextOptions = {},
): Promise<Bisection | undefined> {
	const named = namedIn(history, id);
	const isThing = named !== undefined && named.kind !== "decision";
	const seen = isThing ? visibilityOf(history, named.id) : await whenText(history, content, id, options);
	if (!seen || (seen.spans.length === 0 && !isThing)) return undefined;
	const { spans } = seen;
	const last = spans.findLastIndex(({ as }) => as === "whole");
	const losses = spans.slice(Math.max(0, last)).flatMap((before, index, all) => {
		const after = all[index + 1];
		return after ? [lossOf(history, before, after)] : [];
	});
	const whole = spans[last]?.to;
	return {
		of: isThing ? named.id : id,
		about: isThing ? named.kind : "text",
		spans,
		...(whole !== undefined && { whole }),
		losses: losses.filter(({ before, after }) => rank(after) < rank(before)),
		isWhole: last !== -1 && last === spans.length - 1,
	};
}

function lossOf(history: History, before: VisibilitySpan, after: VisibilitySpan): Loss {
	const decision = after.because === undefined ? undefined : decisionSeen(history, after.because);
	return {
		last: before.to,
		request: after.from,
		before,
		after,
		...(decision && { decision }),
		inputs: decision ? decisionInputs(history, decision) : [],
		between: marksBetween(history, before.to, after.from),
	};
}

/** How much something shows: nothing 0, all 3. */
function rank({ as }: VisibilitySpan): number {
	return { hidden: 0, brief: 1, clip: 2, whole: 3 }[as];
}
