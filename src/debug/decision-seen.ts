import type { Quote, Trigger } from "../../events/commit.ts";
import type { Actor } from "../../events/envelope.ts";
import type { DecisionEvent } from "../../projections/plans.ts";
import { commitWords, decisionWords } from "./decision-words.ts";
import type { History, PastStep } from "./history.ts";
import { logLine } from "./log-lines.ts";

/** A decision as the log tells of it: all of this was written down when it was made. */
export interface DecisionSeen {
	readonly id: string;
	/** the type of its event */
	readonly made: DecisionEvent["type"];
	/** place of its event in the stream */
	readonly position: number;
	/** ms since the epoch */
	readonly time: number;
	readonly actor: Actor;
	/** the tool call or command behind it */
	readonly cause?: string;
	/** the first request that shows it: the next one */
	readonly request: number;
	/** leaf at which it was decided */
	readonly leaf: string | null;
	/** commit: why it was made, by which policy, and how many raw tokens it meant to leave */
	readonly trigger?: Trigger;
	readonly policy?: string;
	readonly floor?: number;
	/** absent where the window did not change */
	readonly quote?: Quote;
	/** commit: entries inside what it folded that stay raw, and why */
	readonly held: readonly { readonly entry: string; readonly why: string }[];
	/** commit: cuts it might have folded and did not, and why */
	readonly refused: readonly { readonly cut: string; readonly why: string }[];
	/** its event in one line */
	readonly line: string;
}

/** A decision of a history; `undefined` where none is called so. */
export function decisionSeen({ decisions }: History, id: string): DecisionSeen | undefined {
	const step = decisions.find(({ event }) => event.data.id === id);
	return step && decisionOf(step);
}

/** A decision as the log tells of it. */
export function decisionOf({
	event,
	position,
	at,
	actor,
	cause,
	after,
}: PastStep<DecisionEvent>): DecisionSeen {
	const { id, parent } = event.data;
	const common = { id, made: event.type, position, time: at, actor, request: after + 1 };
	const told = { ...common, leaf: parent, line: logLine(event), ...(cause !== undefined && { cause }) };
	if (event.type !== "commit/applied")
		return { ...told, held: [], refused: [], ...("quote" in event.data && { quote: event.data.quote }) };
	const { trigger, policy, floor, quote, held, refused } = event.data;
	return { ...told, trigger, policy, floor, quote, held, refused };
}

/** What a decision did and why, in a sentence. `what` stands behind a commit's name, such as ` folded it`. */
export function deedSentence({ id, made, actor, trigger, quote }: DecisionSeen, what = ""): string {
	if (trigger && quote) return commitWords({ id, trigger, quote }, what);
	const by = actor === "user" || actor === "model" ? `, by the ${actor}` : "";
	return `${id}: ${decisionWords(made)}${by}.`;
}
