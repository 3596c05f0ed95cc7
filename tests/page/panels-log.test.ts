import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { LogPage } from "../../src/debug/log-page.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	served = await pages.keep(await pages.replayed());
	page = await browsers.open(served, { at: "at=30&panel=log" });
});

const list = () => page.getByRole("listbox", { name: "Events" });
const cursor = () => list().locator(".row.cursor");
const kind = (noun: string) => page.getByRole("button", { name: new RegExp(`^${noun} `) });

async function log(query: string): Promise<LogPage> {
	return (await ask(served, `/api/log?${query}`)).json as LogPage;
}

test("lists every event of the log, and stands at that of the playhead", async () => {
	const { total } = await log("limit=1");
	await cursor().filter({ hasText: "request/prepared#30 " }).waitFor();
	expect(await cursor().getAttribute("aria-setsize")).toBe(String(total));
	await list().focus();
	const { rows } = await log(`limit=1&from=${total - 1}`);
	await page.keyboard.press("End");
	await cursor()
		.filter({ hasText: rows[0]?.line ?? "" })
		.waitFor();
	await page.keyboard.press("Home");
	await cursor().filter({ hasText: "session/opened" }).waitFor();
	// arrows in the list are the list's alone
	expect(placeIn(page)).toContain("at=30");
});

test("follows the playhead, and leads it where an event is chosen", async () => {
	await goTo(page, "at=12&panel=log");
	await cursor().filter({ hasText: "request/prepared#12 " }).waitFor();
	await list().focus();
	for (let step = 0; step < 8; step++) await page.keyboard.press("ArrowUp");
	const place = Number(await cursor().getAttribute("aria-posinset"));
	const [row] = (await log(`limit=1&from=${place - 1}`)).rows;
	expect(row?.request).toBeLessThan(12);
	expect(row?.type).not.toBe("request/prepared");
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: `Event ${row?.position}` }).waitFor();
	await page.getByRole("heading", { name: `Request ${row?.request} of 60` }).waitFor();
	await page.getByRole("heading", { name: row?.type ?? "" }).waitFor();
	const stored = (await ask(served, `/api/event/${row?.position}`)).json;
	const text = await page.getByRole("region", { name: "The event as it is stored" }).textContent();
	expect(JSON.parse(text ?? "")).toEqual(stored);
	// the playhead it led did not lead it away
	expect(await cursor().getAttribute("aria-posinset")).toBe(String(place));
	expect(await cursor().getAttribute("aria-selected")).toBe("true");
	await page.getByRole("button", { name: "Close" }).click();
	await page.getByRole("region", { name: "The event as it is stored" }).waitFor({ state: "detached" });
});

test("does neither once that is not wanted", async () => {
	await page.getByRole("checkbox", { name: "Follow playhead" }).uncheck();
	await goTo(page, "at=50&panel=log");
	await page.getByRole("heading", { name: "Request 50 of 60" }).waitFor();
	await list().focus();
	for (const key of ["Home", "ArrowDown", "Enter"]) await page.keyboard.press(key);
	await page.getByRole("region", { name: "Event 1" }).waitFor();
	expect(await cursor().getAttribute("aria-posinset")).toBe("2");
	expect(placeIn(page)).toContain("at=50");
	await page.getByRole("checkbox", { name: "Follow playhead" }).check();
	await cursor().filter({ hasText: "request/prepared#50 " }).waitFor();
});

test("is filtered by kinds, by who did it and by what is named, and still follows", async () => {
	const { types, events } = await log("limit=0");
	const commits = types["commit/applied"] ?? 0;
	await kind("commit").click();
	await page.getByText(`${commits} of ${events} events`).waitFor();
	await list().locator(".row").first().waitFor();
	expect(await list().locator(".row").count()).toBe(commits);
	await kind("request").click();
	await cursor().filter({ hasText: "request/prepared#50 " }).waitFor();
	for (const noun of ["commit", "request"]) await kind(noun).click();
	const ruled = await log("actor=rule&limit=1000&from=0");
	await page.getByRole("combobox", { name: "Who did it" }).selectOption("rule");
	await page.getByText(`${ruled.total} of ${events} events`).waitFor();
	await page.getByRole("combobox", { name: "Who did it" }).selectOption("");
	const named = await log("entry=e30&limit=1000&from=0");
	await page.getByRole("searchbox", { name: /^Events that name/ }).fill("e30");
	await page.getByText(`${named.total} of ${events} events`).waitFor();
	await page.getByRole("searchbox", { name: /^Events that name/ }).fill("nothing-has-this-id");
	await page.getByText("No event passes this filter.").waitFor();
});

test("keeps its filters while another panel is open", async () => {
	await page.getByRole("tab", { name: "Item" }).click();
	await page.getByRole("tab", { name: "Log" }).click();
	await page.getByText("No event passes this filter.").waitFor();
	await page.getByRole("searchbox", { name: /^Events that name/ }).fill("");
	await list().waitFor();
});

test("a million events are listed to the last, and each can be reached", async () => {
	const total = 1_000_000;
	const other = await browsers.look(served, { at: "at=1" });
	await other.route("**/api/log?*", (route) => {
		const asked = new URL(route.request().url()).searchParams;
		const from = Math.min(total, Number(asked.get("from") ?? 0));
		const rows = Array.from({ length: Math.min(total - from, Number(asked.get("limit"))) }, (_, index) => ({
			position: from + index,
			time: 0,
			actor: "host",
			type: "entry/recorded",
			line: `event number ${from + index}`,
			request: 1,
			known: true,
		}));
		return route.fulfill({ json: { total, from, rows, events: total, types: { "entry/recorded": total } } });
	});
	await goTo(other, "at=1&panel=log");
	const events = other.getByRole("listbox", { name: "Events" });
	const inSight = (index: number) =>
		expect
			.poll(async () => {
				const [row, box] = await Promise.all([
					other
						.locator(`#event-${index}`)
						.filter({ hasText: `event number ${index}` })
						.boundingBox(),
					events.boundingBox(),
				]);
				return row && box && row.y >= box.y - 1 && row.y + row.height <= box.y + box.height + 1;
			})
			.toBe(true);
	await other.getByText("1,000,000 events", { exact: true }).waitFor();
	await events.focus();
	await other.keyboard.press("End");
	await inSight(total - 1);
	for (let step = 1; step <= 30; step++) await other.keyboard.press("ArrowUp");
	await inSight(total - 31);
	await other.keyboard.press("Home");
	await inSight(0);
	await events.hover();
	await other.mouse.wheel(0, 280);
	await inSight(10);
});
