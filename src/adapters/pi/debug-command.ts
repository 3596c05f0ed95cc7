import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { ServedPage } from "../page/page-server.ts";
import type { LiveSession } from "./live-session.ts";
import { type Clock, isDoneWithin, WRITE_MS } from "./patience.ts";
import { say, wordsOf } from "./say.ts";
import type { SessionIn } from "./status-command.ts";

/** The page of a session, being served or about to be. */
interface PageOfSession {
	readonly id: string;
	readonly page: Promise<ServedPage>;
}

/**
 * Puts `/fold-debug` into a host: it serves the page of the running session from within this process, which asks the
 * session's own log, and has the user's browser open it. It is served until the session is over.
 */
export function registerDebugCommand(pi: ExtensionAPI, sessionIn: SessionIn, clock: Clock): void {
	let served: PageOfSession | undefined;

	const close = async () => {
		const closing = served;
		served = undefined;
		const closed = closing?.page.then(({ close }) => close()).catch(() => {});
		// a long question under way is nothing to wait for
		if (closed !== undefined) await isDoneWithin(WRITE_MS, closed, clock);
	};
	const pageOf = async (session: LiveSession): Promise<ServedPage> => {
		if (served && served.id !== session.id) await close();
		served ??= { id: session.id, page: serve(session) };
		const { page } = served;
		// what could not be had now may be the next time
		page.catch(() => {
			if (served?.page === page) served = undefined;
		});
		return page;
	};

	pi.registerCommand("fold-debug", {
		description: "A page in your browser: what the model saw at every request of this session, and why",
		handler: async (_args, ctx) => {
			const session = await sessionIn(ctx);
			if (!session) return;
			const isThere = await session.withLog(ctx.sessionManager, () => true);
			if (!isThere) return say(ctx, session.silence, "info");
			try {
				const page = await pageOf(session);
				// on a line of its own an address is whole on the usual screen
				say(ctx, `this session's page, for you alone:\n${page.url}`, "info");
				await openFor(ctx, page);
			} catch (error) {
				say(ctx, `the page cannot be served: ${wordsOf(error)}`, "warning");
			}
		},
	});
	pi.on("session_shutdown", close);
}

/** Most sessions never ask for the page, so nothing of it is loaded before. */
async function serve(session: LiveSession): Promise<ServedPage> {
	const { servePage } = await import("../page/page-server.ts");
	const { storeAtHand } = await import("../page/store-origin.ts");
	const page = await servePage({ origin: storeAtHand(() => session.log?.memory.store) });
	try {
		await page.whenRead;
		return page;
	} catch (error) {
		await page.close();
		throw error;
	}
}

async function openFor(ctx: ExtensionContext, page: ServedPage): Promise<void> {
	if (ctx.mode !== "tui") return;
	const { openBrowser } = await import("../page/open-browser.ts");
	await openBrowser(page.ticketUrl());
}
