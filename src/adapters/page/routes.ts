import { Hono } from "hono";
import { type SessionView, sessionView } from "../../debug/session-view.ts";
import { costRoutes } from "./cost-routes.ts";
import type { AtHand, HistorySource } from "./history-source.ts";
import { neededNumberIn } from "./numbers-in.ts";

/** What is served to a page, and whether it may change anything. */
export interface PageOf {
	readonly source: HistorySource;
	readonly write: boolean;
}

/** `/api/session`: what the page is of. */
export interface PageSession extends SessionView {
	/** whether a session writes to the store, as far as was seen */
	readonly live: boolean;
	/** whether the page may undo and redo */
	readonly write: boolean;
	/** what was found wrong with the store, in words; everything told ends before it */
	readonly damage: readonly string[];
}

/** The questions of the page by their addresses, below `/api`. Each answers with what `src/debug` answers, as JSON. */
export function apiRoutes(page: PageOf): Hono {
	const { source } = page;
	const api = new Hono();
	api.get("/session", async (context) => {
		await source.look();
		return context.json(await source.ask((at) => pageSession(at, page)));
	});
	api.get("/grown", async (context) => {
		const since = neededNumberIn("since", context.req.query("since"));
		await source.waitBeyond(since, context.req.raw.signal);
		return context.json(await source.ask((at) => pageSession(at, page)));
	});
	api.route("/", costRoutes(source));
	return api;
}

function pageSession({ history, store, damage }: AtHand, { source, write }: PageOf): PageSession {
	return { ...sessionView(history, store), live: source.isLive, write, damage };
}
