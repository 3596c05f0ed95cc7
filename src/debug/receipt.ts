import { type Saving, savedAgainstHost } from "../../projections/host-alone/saving.ts";
import type { Quoted } from "../../projections/ledger.ts";
import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";

/** What a commit was quoted at, and what the session cost until now beside the host's own compaction. */
export interface Receipt extends Quoted {
	/** absent where nothing was measured yet */
	readonly saving?: Saving;
}

/** The receipt of the commit in force at a leaf; `undefined` where none is. */
export function receiptAt(states: SessionStates, leaf: string | null): Receipt | undefined {
	const quoted = states.ledger.quoted.get(planAt(states, leaf)?.commit ?? "");
	const saving = savedAgainstHost(states);
	return quoted && { ...quoted, ...(saving && { saving }) };
}
