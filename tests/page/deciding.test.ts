import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { Cost } from "../../src/debug/cost.ts";
import type { DecisionView } from "../../src/debug/decision-view.ts";
import type { UndoQuote } from "../../src/debug/undo-price.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();
let store: string;
let served: ServedPage;
let page: Page;
let cost: Cost;

beforeAll(async () => {
	store = await pages.replayed();
	served = await pages.keep(store);
	page = await browsers.open(served);
	cost = (await ask(served, "/api/cost")).json as Cost;
});

const panel = () => page.getByRole("tabpanel");
const commits = () => cost.commits.map(({ request }) => request);

/** Goes to a panel at a request and waits until it is drawn. */
async function look(name: string, request: number): Promise<void> {
	await goTo(page, `at=${request}&panel=${name}`);
	await page.getByRole("heading", { name: `Request ${request} of 60` }).waitFor();
	await panel().locator("article:not([aria-busy=true])").waitFor();
}

describe("the panel of costs", () => {
	test("tells what a request was paid for, and all before it", async () => {
		await look("cost", 40);
		const row = cost.rows.find(({ request }) => request === 40);
		const bar = panel().getByRole("img", { name: /^Tokens of request 40:/ });
		const spoken = (value: number) => Math.round(value).toLocaleString("en-US");
		await expect.poll(() => bar.getAttribute("aria-label")).toContain(`${spoken(row?.written ?? 0)} written`);
		const before = (await ask(served, "/api/cost?to=40")).json as Cost;
		const sum = panel().getByRole("img", { name: "Tokens of 40 requests" });
		expect(await sum.getAttribute("aria-label")).toContain(`${spoken(before.totals.cached)} cached`);
	});

	test("says what broke the cache, from which byte on, and leads to every break", async () => {
		const broken = cost.breaks.find(({ cause }) => cause === "commit");
		if (!broken) throw new Error("no commit broke a cache");
		await look("cost", 1);
		await panel().locator("summary", { hasText: "our commit" }).click();
		await panel()
			.getByRole("listitem")
			.getByRole("button", { name: String(broken.request), exact: true })
			.click();
		await expect.poll(() => placeIn(page)).toBe(`#at=${broken.request}&panel=cost`);
		await panel().getByText("Cache broken by our commit").waitFor();
		const text = await panel().textContent();
		expect(text).toContain(
			`From item ${(broken.item ?? 0) + 1} on, byte ${broken.byte?.toLocaleString("en-US")}`,
		);
	});

	test("lays the quote of each commit beside its bill", async () => {
		await look("cost", 1);
		const rows = panel().getByRole("row");
		await expect.poll(() => rows.count()).toBe(cost.commits.length + 1);
		await rows.nth(1).getByRole("button").click();
		await expect.poll(() => placeIn(page)).toContain(`at=${commits()[0]}&`);
	});
});

describe("the panel of decisions", () => {
	test("tells what was decided, draws the curves up to it and says what they come to", async () => {
		const request = commits()[0] ?? 0;
		await look("decision", request);
		const view = (await ask(served, `/api/decision/${request}`)).json as DecisionView;
		await panel()
			.getByRole("heading", { name: `Commit before request ${request}` })
			.waitFor();
		const spoken = await panel().getByRole("img").getAttribute("aria-label");
		expect(spoken).toMatch(
			new RegExp(`^Requests \\d+ to ${request}; holding had cost .*; a rewrite would cost `),
		);
		const drawn = await page.evaluate(`(() => {
			const canvas = document.querySelector("#panel canvas");
			const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
			return data.some((value) => value > 0);
		})()`);
		expect(drawn).toBe(true);
		const text = (await panel().textContent()) ?? "";
		expect(text).toContain(view.sentence.split(". ")[0]);
		const quoted = await panel().getByRole("row", { name: "Tokens taken in again" }).textContent();
		expect(quoted).toContain(view.quote?.rewritten.toLocaleString("en-US", { maximumFractionDigits: 0 }));
		expect(view.taken.length).toBeGreaterThan(0);
		await panel().getByRole("list", { name: "Folds taken" }).getByRole("button").first().click();
		await expect.poll(() => placeIn(page)).toContain(`entry=${view.taken[0]?.fold}&panel=item`);
	});

	test("tells how far a request without one was from it, and leads to those around", async () => {
		const [first = 0, second = 0] = commits();
		await look("decision", second - 1);
		await panel()
			.getByRole("heading", { name: `Nothing decided before request ${second - 1}` })
			.waitFor();
		await panel()
			.getByText(/short of crossing, \d+ % of the way|nothing to free/)
			.waitFor();
		await page.keyboard.press("]");
		await panel()
			.getByRole("heading", { name: `Commit before request ${second}` })
			.waitFor();
		await panel()
			.getByRole("button", { name: `Decision before (${first})` })
			.click();
		await panel()
			.getByRole("heading", { name: `Commit before request ${first}` })
			.waitFor();
	});

	test("offers to take nothing back where the page may only read", async () => {
		await look("decision", commits()[0] ?? 0);
		expect(await page.getByRole("button", { name: "Take back…" }).count()).toBe(0);
	});
});

describe("taking back", () => {
	test("asks for the price, refuses another one, takes later decisions along and puts them back", async () => {
		const own = await pages.serve(pages.copyOf(store), { write: true });
		const [first = 0] = commits();
		const view = await browsers.look(own, { at: `at=${first}&panel=decision`, complains: true });
		await view.getByRole("button", { name: "Take back…" }).click();
		await view.getByText("Later decisions build on it.").waitFor();
		await view.getByRole("button", { name: /^Price them together/ }).click();

		const field = view.getByRole("textbox", { name: "Repeat the price to go on:" });
		await expect.poll(() => view.evaluate("document.activeElement?.id")).toBe("price");
		const before = (await ask(own, "/api/session")).json as { head: { version: number } };
		await field.fill("0.5");
		await field.press("Enter");
		expect(await view.getByRole("alert").textContent()).toContain("That is not the price");
		expect((await ask(own, "/api/session")).json).toMatchObject({ head: before.head });

		await field.fill((await view.locator(".take-back b").textContent()) ?? "");
		await field.press("Enter");
		await view.getByText("Head before").waitFor();
		const done = (await view.locator(".take-back").textContent()) ?? "";
		expect(done).toContain(`version ${before.head.version} `);
		const after = (await ask(own, "/api/session")).json as { head: { version: number; hash: string } };
		expect(after.head.version).toBeGreaterThan(before.head.version);
		expect(done).toContain(after.head.hash.slice(0, 12));

		await view.getByRole("button", { name: "Put it back…" }).click();
		await field.waitFor();
		const undo = /Taken back by (\S+?)\./.exec(done)?.[1];
		const quote = (await ask(own, `/api/redo/${undo}`)).json as UndoQuote;
		expect(await view.locator(".take-back").textContent()).toContain(
			`to ${quote.after.toLocaleString("en-US", { maximumFractionDigits: 0 })} tokens`,
		);
	});

	test("says so where the session runs, and leaves its log alone", async () => {
		const directory = pages.copyOf(store);
		const own = await pages.serve(directory, { write: true });
		const last = commits().at(-1) ?? 0;
		const view = await browsers.look(own, { at: `at=${last}&panel=decision`, complains: true });
		await view.getByRole("button", { name: "Take back…" }).click();
		const field = view.getByRole("textbox", { name: "Repeat the price to go on:" });
		await field.waitFor();
		await using running = await openStore({ directory, registry: REGISTRY });
		const [stream = ""] = running.streams();
		const { version } = running.head(stream);
		await field.fill((await view.locator(".take-back b").textContent()) ?? "");
		await field.press("Enter");
		await view.getByText("The session runs, and it alone writes to its store.").waitFor();
		expect(await view.getByRole("alert").textContent()).toContain("STORE_LOCKED");
		expect(running.head(stream).version).toBe(version);
	});
});
