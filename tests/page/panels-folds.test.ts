import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { foldTree } from "../../src/debug/fold-tree.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	served = await pages.keep(await pages.replayed());
	page = await browsers.open(served, { at: "at=60&panel=folds" });
});

const tree = () => page.getByRole("tree", { name: "Folds of the window" });
const folds = () => page.locator("[role=treeitem]");

async function level(request: number, parent?: string): Promise<ReturnType<typeof foldTree>> {
	const { json } = await ask(served, `/api/tree/${request}${parent ? `?parent=${parent}` : ""}`);
	return json as ReturnType<typeof foldTree>;
}

/** Ids of the folds that are shown, in order. */
function shown(): Promise<(string | null)[]> {
	return folds().evaluateAll((items) => items.map((item) => item.getAttribute("data-fold")));
}

async function focused(): Promise<string | null> {
	return (await page.evaluate("document.activeElement.getAttribute('data-fold')")) as string | null;
}

test("the folds of a window are those of its tree, with the parts of a group once it is unfolded", async () => {
	const { rows } = await level(60);
	await tree().waitFor();
	expect(await shown()).toEqual(rows.map(({ id }) => id));
	const group = rows.find(({ children }) => children > 0)?.id ?? "";
	const parts = (await level(60, group)).rows.map(({ id }) => id);
	const item = page.locator(`[data-fold="${group}"]`);
	expect(await item.getAttribute("aria-expanded")).toBe("false");
	await item.locator(".twist").click();
	await expect.poll(shown).toEqual(rows.flatMap(({ id }) => (id === group ? [id, ...parts] : [id])));
	expect(await page.locator(`[data-fold="${parts[0]}"]`).getAttribute("aria-level")).toBe("2");
	await item.locator(".twist").first().click();
	await expect.poll(shown).toEqual(rows.map(({ id }) => id));
});

test("keys move through the tree, into groups and out of them, and the playhead stays", async () => {
	const { rows } = await level(60);
	const group = rows.findIndex(({ children }) => children > 0);
	const id = (rows[group] as { id: string }).id;
	const [first = "", second = ""] = (await level(60, id)).rows.map((part) => part.id);
	await page.locator(`[data-fold="${id}"]`).focus();
	await page.keyboard.press("ArrowRight");
	await page.locator(`[data-fold="${first}"]`).waitFor();
	for (const [key, there] of [
		["ArrowRight", first],
		["ArrowDown", second],
		["ArrowUp", first],
		["ArrowLeft", id],
		["ArrowLeft", id],
		["Home", rows[0]?.id],
		["End", rows.at(-1)?.id],
	] as const) {
		await page.keyboard.press(key);
		await expect.poll(focused).toBe(there);
	}
	expect(await page.locator(`[data-fold="${id}"]`).getAttribute("aria-expanded")).toBe("false");
	await expect.poll(() => placeIn(page)).toBe(`#at=60&entry=${rows.at(-1)?.id}&panel=folds`);
});

test("a fold is told of, leads to the request that first showed it, and opens as an item", async () => {
	const made = (await level(60)).rows.find(({ madeAt }) => madeAt !== undefined);
	await goTo(page, `at=60&entry=${made?.id}&panel=folds`);
	await page.getByRole("button", { name: `Copy ${made?.id}` }).waitFor();
	await page.getByRole("button", { name: `First shown by request ${made?.madeAt}` }).click();
	await page.getByRole("heading", { name: `Request ${made?.madeAt} of 60` }).waitFor();
	await page.locator(`[data-fold="${made?.id}"]`).focus();
	await page.keyboard.press("Enter");
	await page.getByRole("tab", { name: "Item", selected: true }).waitFor();
	expect(placeIn(page)).toContain(`entry=${made?.id}`);
});

test("what is marked says that it waits, and what was decided instead", async () => {
	let request = 60;
	let pending: string | undefined;
	for (; request > 1 && pending === undefined; request--) {
		pending = (await level(request)).rows.find(({ state }) => state === "pending")?.id;
	}
	await goTo(page, `at=${request + 1}&entry=${pending}&panel=folds`);
	await page.locator(`[data-fold="${pending}"]`).getByText("waiting").waitFor();
	const { json } = await ask(served, `/api/decision/${request + 1}`);
	await page.getByText((json as { sentence: string }).sentence).waitFor();
});

test("a window without folds says so", async () => {
	await goTo(page, "at=1&panel=folds");
	await page.getByRole("heading", { name: "No folds yet" }).waitFor();
});
