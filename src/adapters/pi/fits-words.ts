import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { sayOnceRedrawn } from "./say.ts";

/** What the user is told where the host need not compact. */
const FITS = "Pi asked to compact; the window fits as folded, so nothing is compacted";

/**
 * Tells the user of a session that a compaction was not needed: once. In a terminal that is twice, for the host puts its line
 * on the next one, which comes before anything else is shown, in the place of ours.
 */
export function fitsTeller(): (ctx: ExtensionContext) => void {
	const told = { session: "", times: 0 };
	return (ctx) => {
		const session = ctx.sessionManager.getSessionId();
		if (told.session !== session) Object.assign(told, { session, times: 0 });
		if (told.times++ < (ctx.mode === "tui" ? 2 : 1)) sayOnceRedrawn(ctx, FITS, "info");
	};
}
