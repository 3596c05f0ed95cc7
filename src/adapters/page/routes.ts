import { Hono } from "hono";
import { foldTree } from "../../debug/fold-tree.ts";
import { logPage } from "../../debug/log-page.ts";
import { memoryThen } from "../../debug/memory-then.ts";
import { searchHistory } from "../../debug/search-history.ts";
import { sessionView } from "../../debug/session-view.ts";
import { timelineOf } from "../../debug/timeline.ts";
import { visibilityOf, whenText } from "../../debug/visibility.ts";
import { itemText, windowView } from "../../debug/window-view.ts";
import { asking, idIn, requestIn, textIn } from "./asking.ts";
import { costRoutes } from "./cost-routes.ts";
import type { AtHand, HistorySource } from "./history-source.ts";
import { neededNumberIn, numbersIn, wholeNumberIn } from "./numbers-in.ts";
import type { PageSession } from "./page-session.ts";
import { SessionMemories } from "./session-memories.ts";
import { undoRoutes } from "./undo-routes.ts";
import { whatIfRoutes } from "./what-if-routes.ts";
import { whyRoutes } from "./why-routes.ts";

/** Bytes of an original that are sent at most. */
const MOST_BYTES = 32_000_000;

/** Rows of a page of the log, and at most. */
const ROWS = 100;
const MOST_ROWS = 1_000;

/** Hits of a search, unless more are asked for. */
const HITS = 50;

/** What is served to a page, and whether it may change anything. */
export interface PageOf {
	readonly source: HistorySource;
	readonly write: boolean;
}

/** The questions of the page by their addresses, below `/api`. Each answers with what `src/debug` answers, as JSON. */
export function apiRoutes(page: PageOf): Hono {
	const api = new Hono();
	api.route("/", sessionRoutes(page));
	api.route("/", momentRoutes(page));
	api.route("/", contentRoutes(page));
	api.route("/", costRoutes(page.source));
	api.route("/", whyRoutes(page.source));
	api.route("/", whatIfRoutes(page.source));
	api.route("/", undoRoutes(page));
	return api;
}

/** What the page is of, at once or once it has grown; and how far the session is read, for which those wait. */
function sessionRoutes(page: PageOf): Hono {
	const { source } = page;
	const routes = new Hono();
	const session = asking(source)((at) => pageSession(at, page));
	routes.get("/session", async (context, next) => {
		await source.look();
		return session(context, next);
	});
	routes.get("/reading", (context) => context.json(source.progress));
	routes.get("/grown", async (context, next) => {
		const since = neededNumberIn("since", context.req.query("since"));
		await source.waitBeyond(since, context.req.raw.signal);
		return session(context, next);
	});
	return routes;
}

/** How it stood at a request. */
function momentRoutes({ source }: PageOf): Hono {
	const answer = asking(source);
	const routes = new Hono();
	routes.get(
		"/timeline",
		answer(({ history }, asked) => timelineOf(history, numbersIn(asked.query(), ["from", "to", "most"]))),
	);
	routes.get(
		"/window/:request",
		answer(({ history, content }, asked) =>
			windowView(history, content, requestIn(asked), numbersIn(asked.query(), ["from", "limit"])),
		),
	);
	routes.get(
		"/item/:request/:id",
		answer(({ history, content }, asked) => {
			const limit = wholeNumberIn("limit", asked.query("limit"), { most: MOST_BYTES });
			return itemText(history, content, requestIn(asked), idIn(asked), limit);
		}),
	);
	routes.get(
		"/tree/:request",
		answer(({ history, content }, asked) => {
			const parent = asked.query("parent");
			return foldTree(history, content, requestIn(asked), {
				...(parent !== undefined && { parent }),
				...numbersIn(asked.query(), ["from", "limit"]),
			});
		}),
	);
	const memories = new SessionMemories();
	routes.get(
		"/memory/:request",
		answer(async (at, asked) => memoryThen(at.history, requestIn(asked), await memories.of(at))),
	);
	return routes;
}

/** What was said and done, and when it could be read. */
function contentRoutes({ source }: PageOf): Hono {
	const answer = asking(source);
	const routes = new Hono();
	routes.get(
		"/visibility/:id",
		answer(({ history }, asked) => visibilityOf(history, idIn(asked))),
	);
	routes.get(
		"/when",
		answer(({ history, content }, asked) =>
			whenText(history, content, textIn(asked, "text"), { ignoreCase: asked.query("ignoreCase") === "true" }),
		),
	);
	routes.get(
		"/search",
		answer(({ history, content }, asked) => {
			const { from, limit = HITS } = numbersIn(asked.query(), ["from", "limit"]);
			const ignoreCase = asked.query("ignoreCase") !== "false";
			return searchHistory(history, content, {
				text: textIn(asked, "q"),
				limit: Math.min(limit, MOST_ROWS),
				from,
				ignoreCase,
			});
		}),
	);
	routes.get(
		"/log",
		answer(({ history, store }, asked) => {
			const { from, around } = numbersIn(asked.query(), ["from", "around"]);
			const limit = wholeNumberIn("limit", asked.query("limit"), { most: MOST_ROWS }) ?? ROWS;
			const [entry, actor] = [asked.query("entry"), asked.query("actor")];
			const types = asked.queries("type")?.flatMap((named) => named.split(",").filter((type) => type !== ""));
			return logPage(history, store, { types, from, limit, around, entry, actor });
		}),
	);
	routes.get(
		"/event/:position",
		answer(({ history, store }, asked) => {
			const position = neededNumberIn("position", asked.param("position"));
			return history.unreadable.get(position) ?? store.event(history.stream, position);
		}),
	);
	return routes;
}

function pageSession({ history, damage }: AtHand, { source, write }: PageOf): PageSession {
	return {
		...sessionView(history),
		live: source.isLive,
		begun: source.begun,
		write: write && source.isChangeable,
		damage,
		notes: source.notes,
	};
}
