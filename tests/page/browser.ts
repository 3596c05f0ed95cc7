import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";

/** Where systems keep Chromium; the variable names another place. */
const CHROMIUM = process.env.PALIMPSEST_CHROMIUM ?? "/usr/bin/chromium";

const FLAGS = [
	"--headless",
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

/** How a page is looked at. */
export interface Looking {
	/** behind `#`, besides the token */
	readonly at?: string;
	readonly width?: number;
	readonly height?: number;
	readonly scheme?: "light" | "dark";
	/** what the page says is no fault: pages of this test are refused or lose their server on purpose */
	readonly complains?: boolean;
}

/**
 * One real browser for the tests of a file, and what each page in it complains of. A page that has an error, or asks
 * anybody but its server, fails the test that opened it.
 */
export class Browsers {
	#browser: Browser | undefined;
	#complaints: string[] = [];

	constructor() {
		beforeAll(async () => {
			if (!existsSync(CHROMIUM)) {
				throw new Error(
					`there is no Chromium at ${CHROMIUM}: install it, or name its place in PALIMPSEST_CHROMIUM`,
				);
			}
			this.#browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
		});
		afterEach(async () => {
			for (const context of this.#browser?.contexts() ?? []) await context.close();
			expect(this.#complaints.splice(0)).toEqual([]);
		});
		afterAll(() => this.#browser?.close());
	}

	/** Opens the address a server printed, in a window of its own, and waits until it shows something. */
	async look(served: Pick<ServedPage, "url" | "port">, looking: Looking = {}): Promise<Page> {
		const { at, width = 1280, height = 800, scheme = "light", complains = false } = looking;
		const context = await (this.#browser as Browser).newContext({
			viewport: { width, height },
			colorScheme: scheme,
			reducedMotion: "reduce",
		});
		const page = await context.newPage();
		const note = (what: string) => void this.#complaints.push(what);
		page.on("pageerror", (error) => note(`${error.message}\n${error.stack}`));
		page.on("console", (message) => {
			if (!complains && ["error", "warning"].includes(message.type())) note(message.text());
		});
		page.on("request", (request) => {
			if (!/^(data|blob|about):/.test(request.url()) && new URL(request.url()).port !== String(served.port))
				note(`asked ${request.url()}`);
		});
		await page.goto(served.url + (at === undefined ? "" : `&${at}`));
		await page.waitForSelector("#page > *");
		return page;
	}
}

/** What an address says of where its page is. */
export function placeIn(page: Page): string {
	return new URL(page.url()).hash;
}
