import { Hono } from "hono";
import { type Cost, costOf } from "../../debug/cost.ts";
import { decisionView } from "../../debug/decision-view.ts";
import { shreddedIn } from "../../debug/shredded.ts";
import { storedContent } from "../sessions/stored-content.ts";
import { windowMessages } from "../sessions/window-messages.ts";
import type { HistorySource } from "./history-source.ts";
import { neededNumberIn, wholeNumberIn } from "./numbers-in.ts";
import { PageError } from "./page-error.ts";

/**
 * What requests and decisions cost. `/cost?from&to&rows`: what a stretch of requests was paid for. With `rows=none` it has sums, breaks and commits alone, and
 * no break says at which byte, for that takes two windows to be laid side by side.
 * `/decision/:request`, or `/decision?id`: what was decided there.
 */
export function costRoutes(source: HistorySource): Hono {
	const routes = new Hono();
	routes.get("/cost", async ({ req, json }) => {
		const from = wholeNumberIn("from", req.query("from"), { least: 1 });
		const to = wholeNumberIn("to", req.query("to"), { least: 1 });
		const answer = await source.ask(async ({ history, store }): Promise<Cost> => {
			const content = storedContent(store);
			if (req.query("rows") === "none") return { ...costOf(history, content, { from, to }), rows: [] };
			const gone = await shreddedIn(store, history.stream);
			const isGone = (digest: string) => gone.has(digest);
			return costOf(history, content, {
				from,
				to,
				messages: (items, read) => windowMessages(items, read, isGone),
			});
		});
		return json(answer);
	});
	routes.get("/decision/:request?", async ({ req, json }) => {
		const id = req.query("id");
		const asked =
			id === undefined
				? { request: neededNumberIn("the request", req.param("request"), { least: 1 }) }
				: { id };
		const answer = await source.ask(({ history }) => decisionView(history, asked));
		if (!answer) throw new PageError("PAGE_NOT_FOUND", "the session has no such request or decision");
		return json(answer);
	});
	return routes;
}
