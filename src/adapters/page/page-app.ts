import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { EventError } from "../../../events/registry.ts";
import { CommandError } from "../../commands/command-error.ts";
import { StoreError } from "../../store/errors.ts";
import { onlyMethods, onlyOwnAddress, onlyWithToken, secureHeaders } from "./guard.ts";
import { PageError } from "./page-error.ts";
import { libraryFile, type PageFile, pageHtml, viewFile } from "./page-files.ts";
import { apiRoutes, type PageOf } from "./routes.ts";
import { CONTENT_SECURITY_POLICY, withImportMap } from "./shell.ts";
import { ticketRoute } from "./ticket-route.ts";
import type { Tickets } from "./tickets.ts";

/** The addresses that change something. */
const WRITES = ["/api/ticket", "/api/undo", "/api/redo"];

/** Bytes a body may have: an id and a price. */
const BODY_BYTES = 16 * 1024;

/** What the page's app goes by. */
export interface AppOptions extends PageOf {
	readonly token: string;
	/** what the token is given for */
	readonly tickets: Tickets;
	/** where it is served */
	readonly port: () => number;
}

/** The page and its questions as an app: who may ask, the page's files, the answers. */
export function pageApp(options: AppOptions): Hono {
	const app = new Hono();
	app.use(secureHeaders(CONTENT_SECURITY_POLICY));
	app.use(onlyOwnAddress(options.port));
	app.use(onlyMethods(WRITES));
	app.use(
		bodyLimit({
			maxSize: BODY_BYTES,
			onError: () => {
				throw new PageError("PAGE_TOO_LARGE", `a body has at most ${BODY_BYTES} bytes`);
			},
		}),
	);
	// who has a ticket has no token yet
	app.route("/api", ticketRoute(options));
	app.use("/api/*", onlyWithToken(options.token));
	app.get("/", async (context) => {
		const html = await pageHtml();
		if (html === undefined) throw nothingHere();
		return context.html(withImportMap(html));
	});
	app.get("/view/:path{.+}", async ({ req }) => answerWith(await viewFile(req.param("path"))));
	app.get("/lib/:name", async ({ req }) => answerWith(await libraryFile(req.param("name"))));
	app.route("/api", apiRoutes(options));
	app.notFound(() => {
		throw nothingHere();
	});
	app.onError((error, context) => {
		const { status, code, message, more } = failureOf(error);
		return context.json({ error: { code, message }, ...more }, status);
	});
	return app;
}

function answerWith(file: PageFile | undefined): Response {
	if (!file) throw nothingHere();
	return new Response(file.text, { headers: { "Content-Type": file.type } });
}

function nothingHere(): PageError {
	return new PageError("PAGE_NOT_FOUND", "there is nothing at this address");
}

/** What the page is refused for reasons it can do something about, by the status that says so. */
const STATUS_OF: Readonly<Record<string, 404 | 409>> = {
	DECISION_UNKNOWN: 404,
	UNDO_HAS_DEPENDENTS: 409,
	STORE_LOCKED: 409,
	STORE_VERSION_CONFLICT: 409,
};

/** The error names the copy that a page reads from, which is nothing to its user. */
const DAMAGED =
	"a part of the store cannot be read: palimpsest verify tells what is damaged, and repair keeps what still verifies";

interface Failure {
	readonly status: ContentfulStatusCode;
	readonly code: string;
	readonly message: string;
	readonly more: Readonly<Record<string, unknown>>;
}

/** An error as the page is told of it. What is no known refusal is a fault of ours: its words go, its stack stays here. */
function failureOf(error: Error): Failure {
	if (error instanceof PageError) return error;
	const isKnown = error instanceof StoreError || error instanceof CommandError || error instanceof EventError;
	const code = isKnown ? error.code : "INTERNAL";
	const dependents = error instanceof CommandError ? error.dependents : [];
	const more = dependents.length > 0 ? { dependents } : {};
	const message = code === "STORE_DAMAGED" ? DAMAGED : error.message;
	return { status: STATUS_OF[code] ?? 500, code, message, more };
}
