import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import type { PageOptions, ServedPage } from "../../src/adapters/page/page-server.ts";
import { servePage } from "../../src/adapters/page/page-server.ts";
import { storeInFolder } from "../../src/adapters/page/store-origin.ts";
import { inside } from "../cli/inside.ts";
import { TIGHT, writeRecording } from "../cli/recording.ts";

/** An answer of a page's server. */
export interface Answer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	/** the text read as JSON; nothing where it is none */
	readonly json: unknown;
}

/** How something is asked of a page's server. */
export interface Asking {
	readonly method?: string;
	/** what goes along; the token unless `authorization` is named */
	readonly headers?: Readonly<Record<string, string | undefined>>;
	readonly body?: string;
}

/** Asks as no browser would let a page ask: with any `Host`, any path, any header. */
export function ask(
	{ port, token }: Pick<ServedPage, "port" | "token">,
	path: string,
	{ method = "GET", headers = {}, body }: Asking = {},
): Promise<Answer> {
	const all = Object.entries({ authorization: `Bearer ${token}`, ...headers }).filter(
		(header): header is [string, string] => header[1] !== undefined,
	);
	return new Promise((resolve, reject) => {
		const asked = request(
			{ host: "127.0.0.1", port, path, method, headers: Object.fromEntries(all) },
			(response) => {
				const chunks: Buffer[] = [];
				response.on("data", (chunk: Buffer) => chunks.push(chunk));
				response.on("end", () => {
					const text = Buffer.concat(chunks).toString();
					const { statusCode: status = 0, headers } = response;
					resolve({ status, headers, text, json: parsed(text) });
				});
				response.on("error", reject);
			},
		);
		asked.on("error", reject);
		asked.end(body);
	});
}

/** Pages that are closed behind each test, and a folder that goes with the file's tests. */
export class Pages {
	readonly home = mkdtempSync(join(tmpdir(), "palimpsest-page-"));
	readonly #open: ServedPage[] = [];
	readonly #kept: ServedPage[] = [];
	#copies = 0;

	constructor() {
		afterEach(() => this.close());
		afterAll(async () => {
			for (const page of this.#kept) await page.close();
			rmSync(this.home, { recursive: true, force: true });
		});
	}

	/** A replayed session's store: sixty requests, folded, grouped and clipped. */
	async replayed(): Promise<string> {
		const recording = writeRecording(this.home);
		const { text } = await inside(this.home, "replay", recording.path, ...TIGHT, "--json");
		return (JSON.parse(text) as { store: string }).store;
	}

	/** A store of one's own with what another holds. */
	copyOf(store: string): string {
		const copy = join(this.home, `copy-${++this.#copies}`);
		cpSync(store, copy, { recursive: true });
		return copy;
	}

	/** Serves the page of a store in a folder. */
	async serve(directory: string, options: Omit<PageOptions, "origin"> = {}): Promise<ServedPage> {
		return this.serveFrom({ ...options, origin: await storeInFolder(directory) });
	}

	/** Serves it until the file's tests are over. */
	async keep(directory: string): Promise<ServedPage> {
		const page = await servePage({ origin: await storeInFolder(directory) });
		this.#kept.push(page);
		return page;
	}

	async serveFrom(options: PageOptions): Promise<ServedPage> {
		const page = await servePage(options);
		this.#open.push(page);
		return page;
	}

	async close(): Promise<void> {
		for (const page of this.#open.splice(0)) await page.close();
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
