import { type Context, Hono } from "hono";
import { type SessionView, sessionView } from "../../debug/session-view.ts";
import { timelineOf } from "../../debug/timeline.ts";
import { visibilityOf, whenText } from "../../debug/visibility.ts";
import { itemText, windowView } from "../../debug/window-view.ts";
import { costRoutes } from "./cost-routes.ts";
import type { AtHand, HistorySource } from "./history-source.ts";
import { neededNumberIn, numbersIn, wholeNumberIn } from "./numbers-in.ts";
import { PageError } from "./page-error.ts";
import { undoRoutes } from "./undo-routes.ts";

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
	/** Answers with what a question gives; what is not there is refused in words. */
	const get = (path: string, question: Question) =>
		api.get(path, async (context) => {
			const answer = await source.ask((at) => question(at, context));
			if (answer === undefined)
				throw new PageError("PAGE_NOT_FOUND", `the session has no ${context.req.path.slice(5)}`);
			return context.json(answer as object);
		});

	api.get("/session", async (context) => {
		await source.look();
		return context.json(await source.ask((at) => pageSession(at, page)));
	});
	api.get("/grown", async (context) => {
		const since = neededNumberIn("since", context.req.query("since"));
		await source.waitBeyond(since, context.req.raw.signal);
		return context.json(await source.ask((at) => pageSession(at, page)));
	});
	get("/timeline", ({ history }, { req }) =>
		timelineOf(history, numbersIn(req.query(), ["from", "to", "most"])),
	);
	get("/window/:request", ({ history, content }, { req }) =>
		windowView(history, content, requestIn(req), numbersIn(req.query(), ["from", "limit"])),
	);
	get("/item/:request/:id", ({ history, content }, { req }) =>
		itemText(
			history,
			content,
			requestIn(req),
			idIn(req),
			wholeNumberIn("limit", req.query("limit"), { most: MOST_BYTES }),
		),
	);
	api.route("/", costRoutes(source));
	get("/visibility/:id", ({ history, content }, { req }) => visibilityOf(history, content, idIn(req)));
	get("/when", ({ history, content }, { req }) =>
		whenText(history, content, textIn(req, "text"), { ignoreCase: req.query("ignoreCase") === "true" }),
	);
	api.route("/", undoRoutes(page));
	return api;
}

type Question = (at: AtHand, context: Context) => unknown;

/** Bytes of an original that are sent at most. */
const MOST_BYTES = 32_000_000;

function requestIn(req: Context["req"]): number {
	return neededNumberIn("the request", req.param("request"), { least: 1 });
}

function idIn(req: Context["req"]): string {
	return req.param("id") ?? "";
}

function textIn(req: Context["req"], name: string): string {
	const text = req.query(name);
	if (text !== undefined && text !== "") return text;
	throw new PageError("PAGE_BAD_REQUEST", `${name} is missing`);
}

function pageSession({ history, store, damage }: AtHand, { source, write }: PageOf): PageSession {
	return { ...sessionView(history, store), live: source.isLive, write, damage };
}
