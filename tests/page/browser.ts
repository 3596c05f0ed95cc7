import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import { CHROMIUM } from "./chromium-place.ts";

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
	/** what the browser writes to its console is no fault: the page is refused, or loses its server, on purpose */
	readonly complains?: boolean;
}

/**
 * One real browser for the tests of a file, and what each page in it complains of. A page that has an error, or asks
 * anybody but its server, fails the test that looked at it.
 */
export class Browsers {
	#browser: Browser | undefined;
	#complaints: string[] = [];
	readonly #looks: BrowserContext[] = [];

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
			for (const look of this.#looks.splice(0)) await look.close();
			expect(this.#complaints.splice(0)).toEqual([]);
		});
		afterAll(() => this.#browser?.close());
	}

	/** Opens the address a server printed, in a window of its own that is closed behind the test. */
	async look(served: Served, looking: Looking = {}): Promise<Page> {
		const page = await this.open(served, looking);
		this.#looks.push(page.context());
		return page;
	}

	/** Opens the address a server printed, in a window of its own that stays open for the tests of the file. */
	async open(served: Served, { at, complains = false }: Looking = {}): Promise<Page> {
		const context = await (this.#browser as Browser).newContext({
			viewport: { width: 1280, height: 800 },
			reducedMotion: "reduce",
		});
		const page = await context.newPage();
		const note = (what: string) => void this.#complaints.push(what);
		page.on("pageerror", (error) => note(`${error.message}\n${error.stack}`));
		page.on("console", (message) => {
			if (!complains && ["error", "warning"].includes(message.type()))
				note(`${message.text()} ${message.location().url}`);
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

type Served = Pick<ServedPage, "url" | "port">;

/** Goes to a place in a page that is open, even to that its address is a moment behind with. */
export async function goTo(page: Page, at: string): Promise<void> {
	await page.evaluate(`location.hash = ""; location.hash = ${JSON.stringify(at)}`);
}

/** What an address says of where its page is. */
export function placeIn(page: Page): string {
	return new URL(page.url()).hash;
}
