import { Hono } from "hono";
import { bisect } from "../../debug/bisect.ts";
import { whyAnswer } from "../../debug/why-answer.ts";
import { windowDiff } from "../../debug/window-diff.ts";
import { asking, idIn, requestIn, textIn } from "./asking.ts";
import type { HistorySource } from "./history-source.ts";

/**
 * What changed, and why. `/why/:request/:id`: why something stood as it did at a request, a text where nothing is called
 * so; `/diff/:from/:to`: two windows; `/bisect?what`: what hid something.
 */
export function whyRoutes(source: HistorySource): Hono {
	const answer = asking(source);
	const routes = new Hono();
	routes.get(
		"/why/:request/:id",
		answer(({ history, content }, asked) => {
			const past = history.request(requestIn(asked));
			const ignoreCase = asked.query("ignoreCase") === "true";
			return past && whyAnswer(history, content, idIn(asked), past, { ignoreCase });
		}),
	);
	routes.get(
		"/diff/:from/:to",
		answer(({ history, content }, asked) =>
			windowDiff(history, content, requestIn(asked, "from"), requestIn(asked, "to")),
		),
	);
	routes.get(
		"/bisect",
		answer(({ history, content }, asked) =>
			bisect(history, content, textIn(asked, "what"), { ignoreCase: asked.query("ignoreCase") === "true" }),
		),
	);
	return routes;
}
