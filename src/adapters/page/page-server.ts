import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { newToken } from "./guard.ts";
import { HistorySource } from "./history-source.ts";
import { pageApp } from "./page-app.ts";
import { PageError } from "./page-error.ts";
import type { ReadingProgress } from "./page-session.ts";
import type { StoreOrigin } from "./store-origin.ts";
import { Tickets } from "./tickets.ts";

/** What a page is served of, and how. */
export interface PageOptions {
	readonly origin: StoreOrigin;
	/** where it listens; a free port by default */
	readonly port?: number;
	/** whether it may undo and redo */
	readonly write?: boolean;
	/** told now and then how far the store is read */
	readonly onProgress?: (progress: ReadingProgress) => void;
}

/** A page being served. */
export interface ServedPage {
	/** where its reader opens it; the token stands behind `#`, which no browser sends */
	readonly url: string;
	readonly port: number;
	/** what each question must carry */
	readonly token: string;
	/** Where a browser that is started with it opens it, once and within a minute: it carries a ticket and no token. */
	ticketUrl(): string;
	/** Resolves once the store is read, until when questions wait; rejects where it cannot be. */
	readonly whenRead: Promise<void>;
	/** Stops serving and lets go of the store. Twice does no harm. */
	close(): Promise<void>;
}

/**
 * Serves the page of a store on this machine alone, at 127.0.0.1. Throws `PAGE_PORT` where it cannot listen, and what
 * opening the store throws.
 */
export async function servePage({
	origin,
	port = 0,
	write = false,
	onProgress,
}: PageOptions): Promise<ServedPage> {
	const source = await HistorySource.open(origin, onProgress);
	const [token, tickets] = [newToken(), new Tickets()];
	let listening = port;
	const app = pageApp({ source, write, token, tickets, port: () => listening });
	const server = createAdaptorServer({ fetch: app.fetch, hostname: "127.0.0.1" }) as Server;
	try {
		listening = await listen(server, port);
	} catch (error) {
		await source.close();
		throw error;
	}
	let closing: Promise<void> | undefined;
	return {
		url: `http://127.0.0.1:${listening}/#token=${token}`,
		port: listening,
		token,
		ticketUrl: () => `http://127.0.0.1:${listening}/#ticket=${tickets.issue()}`,
		whenRead: source.whenRead,
		close: () => {
			closing ??= Promise.all([stop(server), source.close()]).then(() => {});
			return closing;
		},
	};
}

function listen(server: Server, port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const refuse = (error: NodeJS.ErrnoException) => {
			const why = error.code === "EADDRINUSE" ? "another program listens there" : error.message;
			reject(new PageError("PAGE_PORT", `port ${port} cannot be had: ${why}`));
		};
		server.once("error", refuse);
		server.listen(port, "127.0.0.1", () => {
			server.off("error", refuse);
			resolve((server.address() as AddressInfo).port);
		});
	});
}

function stop(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
