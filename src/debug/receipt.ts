import { type Saving, savedAgainstHost } from "../../projections/host-alone/saving.ts";
import type { Quoted } from "../../projections/ledger.ts";
import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";

/** What the session cost until now, beside what it would have cost with the host's own compaction. */
export interface RunningSum extends Saving {
	/** whether it leaves requests out: those to models without prices, where others had some */
	readonly isPartial?: true;
}

/** What a commit was quoted at, and what the session cost until now beside the host's own compaction. */
export interface Receipt extends Quoted {
	/** absent where nothing was measured yet */
	readonly saving?: RunningSum;
}

/** The receipt of the commit in force at a leaf; `undefined` where none is. */
export function receiptAt(states: SessionStates, leaf: string | null): Receipt | undefined {
	const quoted = states.ledger.quoted.get(planAt(states, leaf)?.commit ?? "");
	const saving = runningSum(states);
	return quoted && { ...quoted, ...(saving && { saving }) };
}

/** The running sum; `undefined` before anything was measured. */
export function runningSum(states: SessionStates): RunningSum | undefined {
	const saving = savedAgainstHost(states);
	if (!saving) return undefined;
	const isPartial = saving.unit === "usd" && states.hostAlone.host.token > 0;
	return isPartial ? { ...saving, isPartial } : saving;
}
