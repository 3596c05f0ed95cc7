import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { LiveSession } from "./live-session.ts";

/**
 * Has decisions that were taken while the session did not run take effect with the first thing that is said in it: their
 * nodes come before that, for nothing the model reads may come between. A session that nobody spoke in is not opened.
 */
export function registerWaitingDecisions(
	pi: ExtensionAPI,
	sessionIn: (ctx: ExtensionContext) => Promise<LiveSession | undefined>,
): void {
	/** id of the session that was seen to */
	let seen: string | undefined;
	pi.on("session_start", () => {
		seen = undefined;
	});
	pi.on("before_agent_start", async (_event, ctx) => {
		const { sessionManager } = ctx;
		const id = sessionManager.getSessionId();
		if (seen === id) return;
		seen = id;
		if (sessionManager.getLeafId() === null) return;
		const append = (type: string, data: unknown) => pi.appendEntry(type, data);
		const session = await sessionIn(ctx);
		await session?.withLog(sessionManager, ({ decisions }) => decisions.takeUp(sessionManager, append));
	});
}
