import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { StoreError } from "../../store/errors.ts";
import { onlyMethods, onlyOwnAddress, onlyWithToken, secureHeaders } from "./guard.ts";
import { PageError } from "./page-error.ts";
import { libraryFile, type PageFile, pageHtml, viewFile } from "./page-files.ts";
import { apiRoutes, type PageOf } from "./routes.ts";
import { CONTENT_SECURITY_POLICY, withImportMap } from "./shell.ts";

/** The addresses that change something. */
const WRITES = ["/api/undo", "/api/redo"];

/** Bytes a body may have: an id and a price. */
const BODY_BYTES = 16 * 1024;

/** What the page's app goes by. */
export interface AppOptions extends PageOf {
	readonly token: string;
	/** where it is served */
	readonly port: () => number;
}

/** The page and its questions as an app: who may ask, the page's files, the answers. */
export function pageApp(options: AppOptions): Hono {
	const app = new Hono();
	app.use(secureHeaders(CONTENT_SECURITY_POLICY));
	app.use(onlyOwnAddress(options.port));
	app.use(onlyMethods(WRITES));
	app.use("/api/*", onlyWithToken(options.token));
	app.use(
		bodyLimit({
			maxSize: BODY_BYTES,
			onError: () => {
				throw new PageError("PAGE_TOO_LARGE", `a body has at most ${BODY_BYTES} bytes`);
			},
		}),
	);
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

type Failure = Pick<PageError, "status" | "message" | "more"> & { readonly code: string };

/** An error as the page is told of it. What is no known refusal is a fault of ours: its words stay, its stack does not. */
function failureOf(
	error: Error,
): Failure | { status: 409 | 500; code: string; message: string; more: object } {
	if (error instanceof PageError) return error;
	const code = error instanceof StoreError ? error.code : "INTERNAL";
	return { status: code === "STORE_LOCKED" ? 409 : 500, code, message: error.message, more: {} };
}
