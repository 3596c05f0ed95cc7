import { planAt } from "../../../projections/window-plan.ts";
import type { LiveLog } from "./live-log.ts";

/**
 * Records in a log the last request that went out while the session lived beside it, where that showed what this log has
 * at its leaf: what a provider's cache holds is known by it, and its reply may be still to come.
 */
export async function recordBeside({ engine, sent }: LiveLog, beside: LiveLog): Promise<void> {
	const { last } = beside.engine.states.ledger;
	if (!last || last.at <= (engine.states.ledger.last?.at ?? 0)) return;
	const { at, leaf, model } = last;
	if (planAt(engine.states, leaf)?.id !== planAt(beside.engine.states, leaf)?.id) return;
	await sent.prepare({ at, leaf, model });
}
