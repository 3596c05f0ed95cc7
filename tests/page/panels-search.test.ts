import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { HistorySearch } from "../../src/debug/search-history.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	served = await pages.keep(await pages.replayed());
	page = await browsers.open(served, { at: "at=60" });
});

const field = () => page.getByRole("searchbox", { name: "Search everything that was said" });
const found = () => page.getByRole("listbox", { name: "Found" }).getByRole("option");

async function search(query: string): Promise<HistorySearch> {
	return (await ask(served, `/api/search?${query}`)).json as HistorySearch;
}

test("opens by its key from anywhere, and marks what it finds", async () => {
	await page.getByRole("heading", { name: "Request 60 of 60" }).waitFor();
	await page.keyboard.press("/");
	await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("search-field");
	await page.keyboard.type("HELPER7");
	const { hits } = await search("q=helper7&limit=50");
	await page.getByText(`${hits.length} found`, { exact: true }).waitFor();
	expect(await found().locator(".hit-text").allTextContents()).toEqual(hits.map(({ around }) => around));
	for (const marked of await found().locator("mark").allTextContents()) expect(marked).toMatch(/^helper7$/i);
	expect(await found().locator("mark").count()).toBeGreaterThanOrEqual(hits.length);
});

test("leads by keys to the nearest request that shows what was found, and opens it", async () => {
	const { hits } = await search("q=helper7&limit=50");
	const hit = hits.findIndex(({ visible }) => visible.length > 0 && (visible.at(-1)?.[1] ?? 60) < 60);
	const { entry, visible } = hits[hit] as HistorySearch["hits"][number];
	await field().focus();
	await page.keyboard.press("ArrowDown");
	for (let step = 0; step < hit; step++) await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: `Request ${visible.at(-1)?.[1]} of 60` }).waitFor();
	await expect.poll(() => placeIn(page)).toBe(`#at=${visible.at(-1)?.[1]}&entry=${entry}&panel=search`);
	expect(await found().nth(hit).getAttribute("aria-selected")).toBe("true");
	await page.keyboard.press("Enter");
	await page.getByRole("tab", { name: "Item", selected: true }).waitFor();
	await page.keyboard.press("/");
	await expect.poll(() => field().inputValue()).toBe("HELPER7");
});

test("goes further once that is asked for", async () => {
	await field().fill("e");
	const { hits, looked, entries } = await search("q=e&limit=50");
	expect(hits.length).toBe(50);
	await page.getByText(`50 found, in the newest ${looked} of ${entries} entries`).waitFor();
	await page.getByRole("button", { name: "Look further" }).click();
	await expect.poll(() => found().count()).toBeGreaterThan(50);
});

test("says that nothing was found, and why it cannot be asked", async () => {
	await goTo(page, "at=5&panel=search");
	await field().fill("nobody ever said this");
	await page.getByText("Nothing says that").waitFor();
	await field().fill("");
	await page.getByText("Every branch, whatever the case of letters.").waitFor();
});
