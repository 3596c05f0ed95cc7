import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { Browsers, type Looking, placeIn } from "./browser.ts";
import { Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

async function look(looking: Looking = {}): Promise<Page> {
	return browsers.look(await pages.serve(store), looking);
}

const playhead = (page: Page) => page.getByRole("slider", { name: "Playhead" });
const items = (page: Page) => page.getByRole("listbox", { name: "Items of the window" });

/** Waits until the window shown is that of a request. */
async function atRequest(page: Page, request: number): Promise<void> {
	await page.getByRole("heading", { name: `Request ${request} of 60` }).waitFor();
	await expect.poll(() => playhead(page).getAttribute("aria-valuenow")).toBe(String(request));
}

describe("the playhead", () => {
	test("stands at the newest request, and is moved by keys from anywhere", async () => {
		const page = await look();
		await atRequest(page, 60);
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
			await atRequest(page, request);
		}
	});

	test("stops at each decision, forwards and backwards", async () => {
		const page = await look({ at: "at=1" });
		await atRequest(page, 1);
		const stops: (string | null)[] = [];
		for (const key of ["]", "]", "["]) {
			await page.keyboard.press(key);
			stops.push(await playhead(page).getAttribute("aria-valuetext"));
		}
		expect(stops[0]).toMatch(/^Request \d+ of 60, .* tokens, .* spent, .*commit: /);
		expect(stops[1]).not.toBe(stops[0]);
		expect(stops[2]).toBe(stops[0]);
	});

	test("is set by a click, moved by dragging the lane, and zooms where it is dragged elsewhere", async () => {
		const page = await look({ at: "at=60" });
		await atRequest(page, 60);
		const plot = await page.locator(".plot").boundingBox();
		if (!plot) throw new Error("there is no plot");
		const place = (share: number, y: number) => [plot.x + plot.width * share, plot.y + y] as const;
		await page.mouse.click(...place(0.5, 60));
		await expect.poll(() => playhead(page).getAttribute("aria-valuenow")).toMatch(/^(29|30|31)$/);
		await page.mouse.move(...place(0.2, plot.height - 15));
		await page.mouse.down();
		await page.mouse.move(...place(0.8, plot.height - 15), { steps: 4 });
		await page.mouse.up();
		await expect.poll(() => playhead(page).getAttribute("aria-valuenow")).toMatch(/^(48|49|50)$/);
		await page.mouse.move(...place(0.3, 60));
		await page.mouse.down();
		await page.mouse.move(...place(0.6, 60), { steps: 4 });
		await page.mouse.up();
		await expect.poll(() => placeIn(page)).toMatch(/zoom=1\d-3\d$/);
		await page.keyboard.press("0");
		await expect.poll(() => placeIn(page)).not.toContain("zoom");
	});

	test("plays on to the end and stops there", async () => {
		const page = await look({ at: "at=30" });
		await atRequest(page, 30);
		await page.getByRole("button", { name: "16×" }).click();
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await page.getByRole("button", { name: "Stop" }).waitFor();
		await atRequest(page, 60);
		await page.getByRole("button", { name: "Play", exact: true }).waitFor();
	});
});

describe("the window", () => {
	test("has a row for each item, of which those in sight are drawn, and is said to be as it was sent", async () => {
		const page = await look({ at: "at=60" });
		await page.getByText("as sent").waitFor();
		const row = items(page).getByRole("option").first();
		const all = Number(await row.getAttribute("aria-setsize"));
		expect(await page.getByText(`${all} items`).count()).toBe(1);
		const names = await items(page)
			.getByRole("option")
			.evaluateAll((rows) => rows.map((each) => each.getAttribute("aria-label") ?? ""));
		expect(names.length).toBeLessThanOrEqual(all);
		expect(names.some((name) => /^(folded|grouped), fold, [\d,]+ tokens, /.test(name))).toBe(true);
	});

	test("opens an item from the list, and from the strip, by keys alone", async () => {
		const page = await look({ at: "at=60" });
		await items(page).focus();
		for (const key of ["Home", "ArrowDown", "Enter"]) await page.keyboard.press(key);
		const chosen = items(page).getByRole("option", { selected: true });
		expect(await chosen.getAttribute("aria-posinset")).toBe("2");
		const entry = new URLSearchParams(placeIn(page).slice(1)).get("entry");
		await page.getByRole("button", { name: `Copy ${entry}` }).waitFor();
		await page.getByRole("slider", { name: "Items of the window, to scale" }).focus();
		for (const key of ["End", "Enter"]) await page.keyboard.press(key);
		await expect.poll(() => chosen.getAttribute("aria-posinset")).not.toBe("2");
		expect(await chosen.getAttribute("aria-posinset")).toBe(await chosen.getAttribute("aria-setsize"));
	});
});

describe("a link", () => {
	test("leads to its request, item and zoom, and the token is not in it", async () => {
		const page = await look({ at: "at=20&entry=e30&panel=item&zoom=10-40" });
		await atRequest(page, 20);
		await page.getByRole("button", { name: "Copy e30" }).waitFor();
		expect(page.url()).toMatch(/#at=20&entry=e30&panel=item&zoom=10-40$/);
		await page.reload();
		await atRequest(page, 20);
	});

	test("with what cannot be is corrected quietly", async () => {
		const page = await look({ at: `at=99999&entry=${"x".repeat(500)}&panel=nothing&zoom=9-3&beside=abc` });
		await atRequest(page, 60);
		await expect.poll(() => placeIn(page)).toBe("#at=60");
	});

	test("is taken back and on again by the browser", async () => {
		const page = await look({ at: "at=60" });
		await atRequest(page, 60);
		await items(page).getByRole("option").first().click();
		await expect.poll(() => placeIn(page)).toContain("entry=");
		await page.goBack();
		await page.getByRole("heading", { name: "No item chosen" }).waitFor();
		await page.goForward();
		await expect.poll(() => placeIn(page)).toContain("entry=");
	});
});

test("on a narrow page every panel is a tab, the window the first of them", async () => {
	const page = await look({ at: "at=60", width: 390, height: 844, scheme: "dark" });
	await page.getByRole("tab", { name: "Window", selected: true }).waitFor();
	await items(page).getByRole("option").first().click();
	await page.getByRole("tab", { name: "Item", selected: true }).waitFor();
	await page.getByRole("tab", { name: "Item" }).press("ArrowLeft");
	await page.getByRole("tab", { name: "Window", selected: true }).waitFor();
	const wider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
	expect(wider).toBe(false);
});

test("the theme is the system's until it is chosen, and then stays", async () => {
	const page = await look({ scheme: "dark" });
	const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
	const dark = await ground();
	await page.getByRole("button", { name: /^Theme: as the system/ }).click();
	const light = await ground();
	expect(light).not.toBe(dark);
	await page.reload();
	await page.getByRole("button", { name: "Theme: light" }).waitFor();
	expect(await ground()).toBe(light);
});

test("help opens by its key and closes by Escape", async () => {
	const page = await look();
	await playhead(page).waitFor();
	await page.keyboard.press("?");
	await page.getByRole("dialog", { name: "Keys, marks and colours" }).waitFor();
	await page.keyboard.press("Escape");
	await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("no colour of text is too near its ground, in either theme", async () => {
	for (const scheme of ["light", "dark"] as const) {
		const page = await look({ scheme, at: "at=60&entry=e30" });
		await page.getByRole("button", { name: "Copy e30" }).waitFor();
		const near = ((await page.evaluate(TEXTS)) as [string, string, string][])
			.map(([text, colour, ground]) => `${text}: ${contrast(colour, ground).toFixed(2)}`)
			.filter((said) => Number(said.slice(said.lastIndexOf(" "))) < 4.5);
		expect(near).toEqual([]);
	}
});

/** In the browser: every text in sight, with its colour and that of the nearest ground that is not seen through. */
const TEXTS = `(() => {
	const groundOf = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const ground = getComputedStyle(at).backgroundColor;
			if (ground.startsWith("rgb(")) return ground;
		}
		return "rgb(255, 255, 255)";
	};
	const texts = [];
	const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const element = node.parentElement;
		if (node.nodeValue.trim() === "" || !element.checkVisibility()) continue;
		texts.push([node.nodeValue, getComputedStyle(element).color, groundOf(element)]);
	}
	return texts;
})()`;

/** How far two colours such as `rgb(1, 2, 3)` are apart, from 1 to 21, as WCAG has it. */
function contrast(a: string, b: string): number {
	const [darker = 0, lighter = 0] = [lightOf(a), lightOf(b)].sort((one, other) => one - other);
	return (lighter + 0.05) / (darker + 0.05);
}

function lightOf(colour: string): number {
	const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
		const part = Number(value) / 255;
		return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
