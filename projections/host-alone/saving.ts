import type { Valuation } from "../../events/valuation.ts";
import type { HostAlone } from "./host-alone.ts";

/** What a session's measured requests cost, and what they would have cost with the host's own compaction alone. */
export interface Saving {
	/** dollars, or input-token equivalents where no request had a price */
	readonly unit: Valuation["unit"];
	readonly ours: number;
	readonly host: number;
}

/** The running sum against the host's own compaction; `undefined` before anything was measured. */
export function savedAgainstHost(states: { readonly hostAlone: HostAlone }): Saving | undefined {
	const { ours, host } = states.hostAlone;
	for (const unit of ["usd", "token"] as const) {
		if (host[unit] > 0) return { unit, ours: ours[unit], host: host[unit] };
	}
	return undefined;
}
