import { appendFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import { inside } from "../cli/inside.ts";
import { Browsers, goTo } from "./browser.ts";
import { HOSTILE, writeHostileSession } from "./hostile-session.ts";
import { Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
const opened: string[] = [];
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	const path = writeHostileSession(pages.home);
	const line = (id: string, parentId: string, message: object) =>
		appendFileSync(
			path,
			`${JSON.stringify({ type: "message", id, parentId, timestamp: new Date(0).toISOString(), message })}\n`,
		);
	const text = `the longest ${"<b>y</b>".repeat(650_000)}`;
	line("e16", "e15", { role: "user", content: [{ type: "text", text }], timestamp: 9 });
	line("e17", "e16", {
		role: "assistant",
		content: [{ type: "text", text: "yes" }],
		provider: "anthropic",
		model: "claude-sonnet-4-5",
		api: "anthropic-messages",
		usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
		stopReason: "stop",
		timestamp: 9,
	});
	const { text: told } = await inside(pages.home, "replay", path, "--json");
	served = await pages.keep((JSON.parse(told) as { store: string }).store);
	page = await browsers.open(served, { at: "panel=search" });
	page.on("dialog", (dialog) => {
		opened.push(dialog.message());
		void dialog.dismiss();
	});
});

/** That nothing of what was said became an element or was run. */
async function isText(): Promise<void> {
	expect(await page.locator("#page :is(script, style, img, textarea)").count()).toBe(0);
	expect(await page.title()).not.toContain("owned");
	expect(opened).toEqual([]);
}

test("a search finds and shows markup and control characters as text", async () => {
	const field = page.getByRole("searchbox", { name: "Search everything that was said" });
	const found = page.getByRole("listbox", { name: "Found" }).getByRole("option");
	for (const [typed, marked] of [
		["<script>", "<script>"],
		["<svg onload=alert(1)>", "<svg onload=alert(1)>"],
		["owned", "owned"],
	] as const) {
		await field.fill(typed);
		await found.locator("mark", { hasText: marked }).first().waitFor();
		await isText();
	}
	expect(await found.locator(".hit-text").allTextContents()).not.toContain(HOSTILE[2]);
	expect((await found.locator(".hit-text").allTextContents()).join()).not.toMatch(/[\u202e]/);
});

test("a line of five megabytes is found, opened and cut, with a way on", async () => {
	const field = page.getByRole("searchbox", { name: "Search everything that was said" });
	await field.fill("the longest");
	await page.getByText("1 found", { exact: true }).waitFor();
	await page.getByRole("listbox", { name: "Found" }).getByRole("option").click();
	await goTo(page, "at=6&entry=e16&panel=item");
	const content = page.getByRole("region", { name: "Content as the model was sent it" });
	await content.filter({ hasText: "the longest <b>y</b>" }).waitFor();
	expect((await content.textContent())?.length).toBeLessThan(30_000);
	await page.getByRole("button", { name: /^Show more/ }).waitFor();
	await isText();
});

test("events and folds say what they say as text", async () => {
	await goTo(page, "at=6&panel=log");
	await page.getByRole("listbox", { name: "Events" }).focus();
	for (const key of ["Home", "Enter"]) await page.keyboard.press(key);
	const event = page.getByRole("region", { name: "The event as it is stored" });
	await event.filter({ hasText: "<script>document.title" }).waitFor();
	await isText();
	await goTo(page, "at=6&panel=folds");
	await page
		.getByRole("region", { name: "Folds" })
		.or(page.getByRole("heading", { name: "No folds yet" }))
		.waitFor();
	await isText();
});
