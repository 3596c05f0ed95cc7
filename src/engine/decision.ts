import type { Quote, Trigger } from "../../events/commit.ts";
import type { Actor } from "../../events/envelope.ts";
import type { DecisionEvent } from "../../projections/plans.ts";

/** A request about to be sent. */
export interface NextRequest {
	/** start of the request, ms since the epoch */
	readonly at: number;
	readonly leaf: string | null;
	/** provider/model */
	readonly model: string;
	readonly warmedAt?: number | undefined;
	/** why a commit was decided at the request before that came too late for it, and is to come now instead */
	readonly owed?: Trigger | undefined;
}

/** Who decides, and the tool call or command behind it. */
export interface By {
	readonly actor: Actor;
	readonly cause?: string | undefined;
}

/** Who decides, where nothing else is behind it. */
export const RULE: By = { actor: "rule" };
export const USER: By = { actor: "user" };
export const RUNTIME: By = { actor: "runtime" };

/** A decision on its way: the events it consists of are written, and it takes effect once its node is recorded. */
export interface Decision {
	readonly id: string;
	/** position of the deciding event, for its node */
	readonly position: number;
	readonly event: DecisionEvent;
}

/** What a decision was quoted; `undefined` where it moves nothing. */
export function quoteOf({ event }: Decision): Quote | undefined {
	return "quote" in event.data ? event.data.quote : undefined;
}

/**
 * What became of a decision whose node was met: its event was there, was made again from the path, or cannot be had.
 */
export type Met = "known" | "rebuilt" | "refused";
