import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedPage, servePage } from "../../src/adapters/page/page-server.ts";
import { storeInFolder } from "../../src/adapters/page/store-origin.ts";
import { inside } from "../cli/inside.ts";
import { TIGHT, writeRecording } from "../cli/recording.ts";
import { Browsers, goTo } from "./browser.ts";
import { FOCUSED, TEXTS, TOO_WIDE, tooFaint, UNTOLD } from "./in-sight.ts";
import { Pages } from "./served.ts";

const WIDTHS = [360, 390, 559, 700, 819, 820, 960, 1099, 1280, 1600];

const LONG = {
	provider: "a-provider-with-a-long-name",
	model: "vendor/a-model-with-a-name-that-has-no-end-20260105-preview",
	api: "anthropic-messages",
};

const pages = new Pages();
const browsers = new Browsers();
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	const shape = {
		id: `session-${"x".repeat(80)}`,
		cwd: `/home/dev/${"long-folder-".repeat(12)}`,
		model: LONG,
	};
	const { path } = writeRecording(pages.home, shape);
	const { text } = await inside(pages.home, "replay", path, ...TIGHT, "--policy", "band", "--json");
	const origin = await storeInFolder((JSON.parse(text) as { store: string }).store);
	served = await servePage({ origin: { ...origin, isLive: () => true }, write: true });
	page = await browsers.open(served, { at: "at=50&beside=20&entry=e30&panel=what-if" });
	await page.getByText("live", { exact: true }).waitFor();
	await page.getByText("write", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Replay" }).click();
	await page.getByRole("button", { name: "Clear overlay" }).waitFor();
});
afterAll(() => served.close());

test.each(["item", "decision", "folds", "memory", "log", "search", "cost", "compare", "what-if"])(
	"the panel %s is as wide as its page, told to whoever does not see it, and dark enough to read",
	async (panel) => {
		await goTo(page, `at=50&beside=20&entry=e30&panel=${panel}`);
		await page.locator(`#tab-${panel}[aria-selected=true]`).waitFor();
		await expect.poll(() => page.evaluate(IS_READY)).toBe(true);
		expect(await page.evaluate(UNTOLD)).toEqual([]);
		// the browser is that of a reader who wants nothing to move
		expect(await page.evaluate("document.getAnimations().length")).toBe(0);
		for (const colorScheme of ["dark", "light"] as const) {
			await page.emulateMedia({ colorScheme });
			const texts = await page.evaluate<[string, string, string][]>(TEXTS);
			expect(texts.length).toBeGreaterThan(30);
			expect([colorScheme, tooFaint(texts)]).toEqual([colorScheme, []]);
		}
		await isNoWider();
	},
);

test("the window alone is as wide as a narrow page", async () => {
	await goTo(page, "at=50&panel=window");
	await isNoWider();
	expect(await page.evaluate(UNTOLD)).toEqual([]);
});

test("the focus goes through the page and out again, with no way round for ever", async () => {
	await page.setViewportSize({ width: 1280, height: 800 });
	await goTo(page, "at=50&beside=20&entry=e30&panel=item");
	await page.evaluate("document.activeElement.blur()");
	const tab = async (key = "Tab") => {
		await page.keyboard.press(key);
		return page.evaluate<string>(FOCUSED);
	};
	const met: string[] = [];
	for (let at = await tab(); at !== ""; at = await tab()) {
		expect(met).not.toContain(at);
		met.push(at);
	}
	expect(met.length).toBeGreaterThan(20);
	expect(await tab("Shift+Tab")).toBe(met.at(-1));
});

/** In the browser: whether the open panel has what it shows. */
const IS_READY =
	"document.querySelector('#panel').innerText !== '' && !document.querySelector('[aria-busy=true]')";

async function isNoWider(): Promise<void> {
	for (const width of WIDTHS) {
		await page.setViewportSize({ width, height: 800 });
		expect({ width, wide: await page.evaluate(TOO_WIDE) }).toEqual({ width, wide: [] });
	}
}
