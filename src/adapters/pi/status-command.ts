import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { foldStatusAt, type Glance, glanceAt } from "../../debug/fold-status.ts";
import type { LiveSession } from "./live-session.ts";
import { modelInUse } from "./model-in-use.ts";
import { say } from "./say.ts";
import { statusLine, statusText, TROUBLED_LINE } from "./status-words.ts";

/** Finds the session of a context, opened if need be. */
export type SessionIn = (ctx: ExtensionContext) => Promise<LiveSession | undefined>;

const KEY = "palimpsest";

/** Puts `/fold-status` into a host, and a line in its footer that follows each turn and compaction. */
export function registerStatus(pi: ExtensionAPI, sessionIn: SessionIn): void {
	pi.registerCommand("fold-status", {
		description: "How full the window is, what is folded, and what that saved",
		handler: async (_args, ctx) => {
			const session = await sessionIn(ctx);
			if (!session) return;
			const status = await session.ask(ctx.sessionManager, modelInUse(ctx), foldStatusAt);
			say(ctx, status ? statusText({ ...status, ...haltOf(session) }) : session.silence, "info");
		},
	});
	pi.on("turn_end", (_event, ctx) => updateStatusLine(ctx, sessionIn));
	pi.on("session_compact", (_event, ctx) => updateStatusLine(ctx, sessionIn));
	pi.on("session_shutdown", (_event, ctx) => {
		if (ctx.hasUI) ctx.ui.setStatus(KEY, undefined);
	});
}

/** Brings the line in the footer up to date, where there is one. Never fails: the host may have gone on without us. */
export async function updateStatusLine(ctx: ExtensionContext, sessionIn: SessionIn): Promise<void> {
	try {
		if (!ctx.hasUI) return;
		const session = await sessionIn(ctx);
		const glance = await session?.ask(ctx.sessionManager, modelInUse(ctx), (states, { leaf }) =>
			glanceAt(states, leaf),
		);
		if (glance) ctx.ui.setStatus(KEY, statusLine({ ...glance, ...haltOf(session) }));
		else if (session?.trouble !== undefined) ctx.ui.setStatus(KEY, TROUBLED_LINE);
	} catch {
		// the next turn shows it
	}
}

/** A session that can be asked and yet has trouble, being open elsewhere for one, goes on with the folds it has. */
export function haltOf(session: LiveSession | undefined): Pick<Glance, "halt"> {
	const why = session?.trouble;
	return why === undefined ? {} : { halt: { how: "no new folds", why } };
}
