import { Hono } from "hono";
import { isShredded } from "../../../projections/memory/positions.ts";
import { type Cost, costOf } from "../../debug/cost.ts";
import { decisionView } from "../../debug/decision-view.ts";
import { windowMessages } from "../sessions/window-messages.ts";
import { asking, requestIn, textIn } from "./asking.ts";
import type { HistorySource } from "./history-source.ts";
import { wholeNumberIn } from "./numbers-in.ts";

/**
 * What requests and decisions cost. `/cost?from&to&rows`: what a stretch of requests was paid for. With `rows=none` it has sums, breaks and commits alone, and
 * no break says at which byte, for that takes two windows to be laid side by side.
 * `/decision/:request`, and `/decision?id`: what was decided there.
 */
export function costRoutes(source: HistorySource): Hono {
	const answer = asking(source);
	const routes = new Hono();
	routes.get(
		"/cost",
		answer(({ history, content }, asked): Cost => {
			const from = wholeNumberIn("from", asked.query("from"), { least: 1 });
			const to = wholeNumberIn("to", asked.query("to"), { least: 1 });
			if (asked.query("rows") === "none") return { ...costOf(history, content, { from, to }), rows: [] };
			return costOf(history, content, {
				from,
				to,
				messages: (items, read) =>
					windowMessages(items, read, (digest) => isShredded(history.states, digest)),
			});
		}),
	);
	routes.get(
		"/decision",
		answer(({ history }, asked) => decisionView(history, { id: textIn(asked, "id") })),
	);
	routes.get(
		"/decision/:request",
		answer(({ history }, asked) => decisionView(history, { request: requestIn(asked) })),
	);
	return routes;
}
