import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { WhatIf } from "../../src/debug/what-if.ts";
import type { WindowDiff } from "../../src/debug/window-diff.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let served: ServedPage;
let page: Page;
/** a request that shows a commit first */
let stop: number;

beforeAll(async () => {
	served = await pages.keep(await pages.replayed());
	page = await browsers.open(served);
	const { json } = await ask(served, "/api/timeline");
	const { marks } = json as { marks: { kind: string; request: number }[] };
	stop = marks.find(({ kind }) => kind === "commit")?.request ?? 0;
});

const panel = () => page.getByRole("tabpanel");

/** Goes somewhere and waits until the window there is drawn. */
async function look(at: string, request: number): Promise<void> {
	await goTo(page, at);
	await page.getByRole("heading", { name: `Request ${request} of 60` }).waitFor();
}

describe("the panel that compares", () => {
	const list = () => panel().getByRole("listbox");
	const differences = () => panel().getByRole("option");

	test("shows what a commit changed, and by which cause", async () => {
		await look(`at=${stop}&beside=${stop - 1}&panel=compare`, stop);
		const diff = (await ask(served, `/api/diff/${stop - 1}/${stop}`)).json as WindowDiff;
		await list().waitFor();
		const gone = diff.rows.filter(({ change }) => change === "removed").length;
		await panel().getByText(`${gone} gone`).waitFor();
		const taken = differences().filter({ has: page.locator(".pair.removed") });
		await expect
			.poll(() => taken.first().getAttribute("aria-label"))
			.toMatch(/^gone \(a commit, into \w.*\): /);
	});

	test("folds a run of equal rows away, and opens it", async () => {
		await look("at=41&beside=40&panel=compare", 41);
		const { rows } = (await ask(served, "/api/diff/40/41")).json as WindowDiff;
		const equal = rows.filter(({ change }) => change === "same").length;
		expect(rows.findIndex(({ change }) => change !== "same")).toBe(equal);
		const shown = () => differences().first().getAttribute("aria-setsize");
		const run = differences().filter({ hasText: `${equal} the same` });
		await run.waitFor();
		expect(await shown()).toBe(String(rows.length - equal + 1));
		await run.click();
		await expect.poll(shown).toBe(String(rows.length));
		expect(await run.count()).toBe(0);
		await goTo(page, "at=42&beside=40&panel=compare");
		await differences()
			.filter({ hasText: /\d+ the same/ })
			.waitFor();
		await panel().getByRole("button", { name: "All rows" }).click();
		await expect
			.poll(() =>
				differences()
					.filter({ hasText: /\d+ the same/ })
					.count(),
			)
			.toBe(0);
	});

	test("turns round when the two are swapped, by button and by key", async () => {
		await look(`at=${stop}&beside=${stop - 1}&panel=compare`, stop);
		const totals = panel().locator(".compare-totals b");
		const told = (await totals.textContent()) ?? "";
		await panel().getByRole("button", { name: "Swap the two" }).click();
		await expect.poll(() => placeIn(page)).toBe(`#at=${stop - 1}&beside=${stop}&panel=compare`);
		await expect.poll(() => totals.textContent()).toBe(told.split(" → ").reverse().join(" → "));
		await page.keyboard.press("x");
		await expect.poll(() => totals.textContent()).toBe(told);
	});

	test("takes the second window from a key, from a field, and from a click with Shift", async () => {
		await look("at=30", 30);
		await page.keyboard.press("c");
		await panel().getByRole("heading", { name: "Request 30 is held" }).waitFor();
		await page.keyboard.press("Shift+ArrowRight");
		await expect.poll(() => placeIn(page)).toBe("#at=40&beside=30&panel=compare");
		await panel().getByRole("textbox", { name: "Held" }).fill("12");
		await panel().getByRole("textbox", { name: "Held" }).press("Enter");
		await expect.poll(() => placeIn(page)).toBe("#at=40&beside=12&panel=compare");
		const chart = await page.locator(".bed .u-over").boundingBox();
		if (!chart) throw new Error("there is no chart");
		await page.keyboard.down("Shift");
		await page.mouse.click(chart.x + chart.width / 2, chart.y + 60);
		await page.keyboard.up("Shift");
		await expect.poll(() => placeIn(page)).toBe("#at=40&beside=31&panel=compare");
	});

	test("chooses an item by the keyboard alone", async () => {
		await look(`at=${stop}&beside=${stop - 1}&panel=compare`, stop);
		await list().focus();
		await page.keyboard.press("End");
		await page.keyboard.press("Home");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await expect.poll(() => placeIn(page)).toMatch(/&entry=[^&]+&panel=compare$/);
	});

	test("has one column on a narrow page, in which what was replaced takes two lines", async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		await goTo(page, `at=${stop}&beside=${stop - 1}&panel=compare`);
		await panel().locator(".unified.removed").first().waitFor();
		expect(await panel().locator(".pair").count()).toBe(0);
		await page.setViewportSize({ width: 1280, height: 800 });
	});
});

describe("the panel of other settings", () => {
	test("lays the other history beside the recorded one, and over the timeline until it is cleared", async () => {
		await look("at=30&panel=what-if", 30);
		await panel().getByRole("combobox", { name: "Policy" }).selectOption("off");
		await panel().getByRole("button", { name: "Replay" }).click();
		const row = panel().getByRole("row", { name: "Commits" });
		await row.waitFor();
		const found = (await ask(served, "/api/what-if?policy=off")).json as WhatIf;
		expect(found.other.commits).toBe(0);
		const cells = await row.getByRole("cell").allTextContents();
		expect(cells).toEqual([String(found.recorded.commits), "0", `−${found.recorded.commits} (−100 %)`]);
		const legend = page.locator(".legend .key", { hasText: "policy off" });
		await legend.waitFor();
		await page.getByRole("button", { name: "Clear overlay" }).click();
		await expect.poll(() => legend.count()).toBe(0);
		await panel().getByRole("button", { name: "Lay it over the timeline" }).click();
		await legend.waitFor();
		await page.getByRole("button", { name: "Clear overlay" }).click();
	});

	test("says what is wrong with settings, and goes on", async () => {
		const own = await browsers.look(served, { at: "at=30&panel=what-if", complains: true });
		await own.getByRole("textbox", { name: "Floor, tokens" }).fill("900000000");
		await own.getByRole("button", { name: "Replay" }).click();
		expect(await own.getByRole("alert").textContent()).toMatch(/^PAGE_BAD_REQUEST .*floor/);
		await own.getByRole("button", { name: "Reset" }).click();
		await own.getByRole("textbox", { name: "Budget, tokens" }).fill("20000");
		await own.getByRole("button", { name: "Replay" }).click();
		await own.getByRole("row", { name: "Largest window" }).waitFor();
	});
});

describe("pictures", () => {
	/** Saves a picture from the menu: its name and what it holds. */
	async function saved(of: Page, choice: string): Promise<{ name: string; bytes: Buffer }> {
		await of.getByRole("button", { name: "Save as a picture" }).click();
		const [download] = await Promise.all([
			of.waitForEvent("download"),
			of.getByRole("menuitem", { name: choice }).click(),
		]);
		return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
	}

	test("are SVG that stands alone, with a title, a description and no colour left open", async () => {
		await look(`at=${stop}`, stop);
		for (const [choice, name, shape] of [
			["Timeline as SVG", "timeline", "path"],
			["Window, to scale as SVG", "strip", "rect"],
			["Holding against rewriting as SVG", "decision", "text"],
		] as const) {
			const { name: file, bytes } = await saved(page, choice);
			expect(file).toBe(`palimpsest-rec-1-request-${stop}-${name}.svg`);
			const text = bytes.toString();
			expect(text).not.toMatch(/var\(|NaN|undefined|href|<style|<script/);
			const read = (await page.evaluate(`(() => {
				const { documentElement: svg } = new DOMParser().parseFromString(${JSON.stringify(text)}, "image/svg+xml");
				const textOf = (name) => svg.querySelector(name)?.textContent ?? "";
				return [svg.tagName, textOf("title"), textOf("desc"), svg.querySelectorAll(${JSON.stringify(shape)}).length];
			})()`)) as [string, string, string, number];
			expect(read[0]).toBe("svg");
			expect(read[1]).toContain("equest");
			expect(read[2].length).toBeGreaterThan(10);
			expect(read[3]).toBeGreaterThan(3);
		}
	});

	test("are PNG of twice the size as well, by the keyboard alone", async () => {
		await look(`at=${stop}`, stop);
		await page.getByRole("button", { name: "Save as a picture" }).focus();
		await page.keyboard.press("Enter");
		await page.keyboard.press("ArrowDown");
		const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
		expect(download.suggestedFilename()).toBe(`palimpsest-rec-1-request-${stop}-timeline.png`);
		const bytes = await readFile(await download.path());
		expect(bytes.subarray(1, 4).toString()).toBe("PNG");
		expect(bytes.readUInt32BE(16)).toBe(2 * 1248);
		await page.keyboard.press("Enter");
		await page.getByRole("menu").waitFor();
		await page.keyboard.press("Escape");
		await expect.poll(() => page.getByRole("menu").count()).toBe(0);
	});
});
