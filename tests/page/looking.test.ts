import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	served = await pages.keep(await pages.replayed());
	page = await browsers.open(served);
});

const playhead = () => page.getByRole("slider", { name: "Playhead" });
const items = () => page.getByRole("listbox", { name: "Items of the window" });

/** Waits until the window shown is that of a request. */
async function atRequest(request: number): Promise<void> {
	await page.getByRole("heading", { name: `Request ${request} of 60` }).waitFor();
	await expect.poll(() => playhead().getAttribute("aria-valuenow")).toBe(String(request));
}

describe("the playhead", () => {
	test("stands at the newest request at first, and is moved by keys from anywhere", async () => {
		await atRequest(60);
		for (const [key, request] of [
			["ArrowLeft", 59],
			["Shift+ArrowLeft", 49],
			["ArrowRight", 50],
			["Home", 1],
			["ArrowLeft", 1],
			["Shift+ArrowRight", 11],
			["End", 60],
		] as const) {
			await page.keyboard.press(key);
			await atRequest(request);
		}
	});

	test("stops at each decision, forwards and backwards", async () => {
		await goTo(page, "at=1");
		await atRequest(1);
		const stops: (string | null)[] = [];
		for (const key of ["]", "]", "["]) {
			await page.keyboard.press(key);
			stops.push(await playhead().getAttribute("aria-valuetext"));
		}
		expect(stops[0]).toMatch(/^Request \d+ of 60, .* tokens, .* spent, (commit|branch): /);
		expect(stops[1]).not.toBe(stops[0]);
		expect(stops[2]).toBe(stops[0]);
	});

	test("is set by a click, moved by dragging the lane, and zooms where it is dragged elsewhere", async () => {
		await goTo(page, "at=60");
		await atRequest(60);
		const chart = await page.locator(".bed .u-over").boundingBox();
		const lane = await page.locator(".lane").boundingBox();
		if (!chart || !lane) throw new Error("there is no plot");
		const across = (share: number) => chart.x + chart.width * share;
		const drag = async (from: number, to: number, y: number) => {
			await page.mouse.move(across(from), y);
			await page.mouse.down();
			await page.mouse.move(across(to), y, { steps: 4 });
			await page.mouse.up();
		};
		await page.mouse.click(across(0.5), chart.y + 60);
		await atRequest(31);
		await drag(0.2, 0.75, lane.y + 20);
		await atRequest(46);
		await drag(0.3, 0.6, chart.y + 60);
		await expect.poll(() => placeIn(page)).toBe("#at=46&zoom=19-36");
		await page.keyboard.press("0");
		await expect.poll(() => placeIn(page)).toBe("#at=46");
	});

	test("plays on to the end and stops there", async () => {
		await goTo(page, "at=40");
		await atRequest(40);
		await page.getByRole("button", { name: "16×" }).click();
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await page.getByRole("button", { name: "Stop" }).waitFor();
		await atRequest(60);
		await page.getByRole("button", { name: "Play", exact: true }).waitFor();
	});
});

describe("the window", () => {
	test("is said to be as it was sent, with a row for each item, by its standing, speaker and size", async () => {
		await goTo(page, "at=60");
		await atRequest(60);
		await page.getByText("as sent").waitFor();
		const rows = items().getByRole("option");
		expect(await page.getByText(`${await rows.first().getAttribute("aria-setsize")} items`).count()).toBe(1);
		const names = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-label") ?? ""));
		expect(names.some((name) => /^(folded|grouped), fold, [\d,]+ tokens, /.test(name))).toBe(true);
		expect(names.some((name) => /^\w+, call of \w+, /.test(name))).toBe(true);
		expect(names.some((name) => /^\w+, \w+ result, /.test(name))).toBe(true);
	});

	test("opens an item from the list, and from the strip, by keys alone", async () => {
		await goTo(page, "at=60");
		await atRequest(60);
		await items().focus();
		for (const key of ["Home", "ArrowDown", "Enter"]) await page.keyboard.press(key);
		const chosen = items().getByRole("option", { selected: true });
		expect(await chosen.getAttribute("aria-posinset")).toBe("2");
		const entry = new URLSearchParams(placeIn(page).slice(1)).get("entry");
		await page.getByRole("button", { name: `Copy ${entry}` }).waitFor();
		await page.getByRole("slider", { name: "Items of the window, to scale" }).focus();
		for (const key of ["End", "Enter"]) await page.keyboard.press(key);
		await expect.poll(() => chosen.getAttribute("aria-posinset")).not.toBe("2");
		expect(await chosen.getAttribute("aria-posinset")).toBe(await chosen.getAttribute("aria-setsize"));
	});
});

test("an item that was folded tells since when, by which decision, and how it is reached", async () => {
	await goTo(page, "at=60&entry=e30");
	const why = page.getByRole("region", { name: "Why" });
	await why
		.getByText(/^e30 \(.*\) was not in the window itself at request 60, and since request \d+/)
		.waitFor();
	await why.getByRole("button", { name: 'Copy pi_fold_context {"action":"peek","id":"e30"}' }).waitFor();
	const runs = page.getByRole("region", { name: "When it could be read" });
	await runs.getByRole("button", { name: /^Requests \d+ to \d+: whole/ }).click();
	const { at } = Object.fromEntries(new URLSearchParams(placeIn(page).slice(1)));
	await atRequest(Number(at));
	await why.getByText(/ was in the window, whole, /).waitFor();
	await goTo(page, "at=60&entry=e30");
	await why.getByRole("button", { name: /^decided before request \d+$/ }).click();
	await page.getByRole("tab", { name: "Decision", selected: true }).waitFor();
});

describe("a link", () => {
	test("leads to its request, item and zoom, with the token or without", async () => {
		for (const open of [() => page.goto(`${served.url}&at=20&entry=e30&zoom=10-40`), () => page.reload()]) {
			await open();
			await atRequest(20);
			await page.getByRole("button", { name: "Copy e30" }).waitFor();
			expect(placeIn(page)).toBe("#at=20&entry=e30&zoom=10-40");
		}
	});

	test("with what cannot be is corrected quietly", async () => {
		await goTo(page, `at=99999&entry=${"x".repeat(500)}&panel=nothing&zoom=9-3&beside=abc`);
		await atRequest(60);
		await expect.poll(() => placeIn(page)).toBe("#at=60");
	});

	test("to what the session does not know says so", async () => {
		const unknown = await page.context().newPage();
		await unknown.goto(`${served.url}&at=60&entry=no%2Fsuch%3Cb%3E`);
		await unknown
			.getByText("No entry, fold or decision is called no/such<b>, and no window held it.")
			.waitFor();
		await unknown.close();
	});

	test("is taken back and on again by the browser", async () => {
		await goTo(page, "at=60");
		await page.getByRole("heading", { name: "No item chosen" }).waitFor();
		await items().getByRole("option").first().click();
		await expect.poll(() => placeIn(page)).toContain("entry=");
		await page.goBack();
		await page.getByRole("heading", { name: "No item chosen" }).waitFor();
		await page.goForward();
		await expect.poll(() => placeIn(page)).toContain("entry=");
	});
});

test("on a narrow page every panel is a tab, the window the first of them", async () => {
	await page.setViewportSize({ width: 390, height: 844 });
	await goTo(page, "at=60");
	await page.getByRole("tab", { name: "Window", selected: true }).waitFor();
	await items().getByRole("option").first().click();
	await page.getByRole("tab", { name: "Item", selected: true }).press("ArrowLeft");
	await page.getByRole("tab", { name: "Window", selected: true }).waitFor();
	expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
	await page.setViewportSize({ width: 1280, height: 800 });
});

test("the theme is the system's until it is chosen, and then stays", async () => {
	const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
	const light = await ground();
	await page.emulateMedia({ colorScheme: "dark" });
	await expect.poll(ground).not.toBe(light);
	await page.getByRole("button", { name: /^Theme: as the system/ }).click();
	await expect.poll(ground).toBe(light);
	await page.reload();
	await page.getByRole("button", { name: "Theme: light" }).waitFor();
	expect(await ground()).toBe(light);
	for (const theme of ["light", "dark"]) await page.getByRole("button", { name: `Theme: ${theme}` }).click();
});

test("help opens by its key and closes by Escape", async () => {
	await playhead().waitFor();
	await page.keyboard.press("?");
	await page.getByRole("dialog", { name: "Keys, marks and colours" }).waitFor();
	await page.keyboard.press("Escape");
	await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});
