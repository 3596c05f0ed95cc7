import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedPage, servePage } from "../../src/adapters/page/page-server.ts";
import { storeAtHand } from "../../src/adapters/page/store-origin.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import { Browsers, goTo } from "./browser.ts";
import { HOSTILE } from "./hostile-session.ts";

const STREAM = "session/s";
const LONG = `a long one ${"word ".repeat(400)}end`;
const texts = ["Run the tests nearby.", HOSTILE[0], HOSTILE[2], LONG];
const browsers = new Browsers();
const store = openMemoryStore({ registry: REGISTRY });
let served: ServedPage;
let page: Page;

beforeAll(async () => {
	const blobs = texts.map((text) => {
		const bytes = Buffer.from(text);
		return { digest: sha256Node(bytes), bytes };
	});
	const size = { bytes: 2, chars: 2, thinking: 0, images: 0 };
	const entry = (id: string, parent: string | null, memory?: object) => ({
		actor: "host",
		type: "entry/recorded",
		data: {
			id,
			parent,
			kind: "message",
			role: "user",
			at: 1,
			digest: sha256Node(Buffer.from(id)),
			...size,
			...memory,
		},
	});
	const prepared = (request: number, leaf: string) => ({
		actor: "runtime",
		type: "request/prepared",
		data: {
			request,
			at: request,
			leaf,
			model: "p/m",
			window: "",
			cold: false,
			items: 1,
			tokens: 9,
			foldable: 0,
			holding: 0,
		},
	});
	const proposed = (index: number) => ({
		actor: "model",
		type: "memory/proposed",
		data: {
			id: `mem_${String(index).repeat(16)}`,
			kind: index === 0 ? "constraint" : "fact",
			scope: "session",
			session: "s",
			priority: "normal",
			body: blobs[index]?.digest,
			chars: texts[index]?.length,
			files: index === 1 ? ["src/<b>.ts"] : [],
			sources: [],
			provenance: "test",
		},
	});
	const events = [
		{ actor: "runtime", type: "session/opened", data: { session: "s", root: null, format: "live" } },
		entry("e1", null),
		prepared(1, "e1"),
		...[0, 1, 2, 3].map(proposed),
		entry("e2", "e1", { memory: { told: ["mem_0000000000000000"] } }),
		prepared(2, "e2"),
	].map(({ actor, type, data }, at) => ({ actor, at, event: { type, data } }));
	await store.append(STREAM, events as never, 0, { blobs });
	served = await servePage({ origin: storeAtHand(() => store) });
	page = await browsers.open(served, { at: "at=2&panel=memory" });
});
afterAll(async () => {
	await served.close();
	await store.close();
});

const records = () => page.getByRole("list", { name: "Records" }).getByRole("listitem");

test("records are listed with what is known of each, as text whatever they say", async () => {
	await page.getByText("4 remembered", { exact: true }).waitFor();
	const first = records().filter({ hasText: "Run the tests nearby." });
	expect(await first.textContent()).toMatch(/provisional.*constraint.*in the window.*by model.*session/);
	expect(await records().filter({ hasText: "in the window" }).count()).toBe(1);
	expect(await records().filter({ hasText: HOSTILE[0] }).count()).toBe(1);
	await records().getByText("src/<b>.ts").waitFor();
	expect(await records().getByTitle("U+001B").count()).toBeGreaterThan(0);
	expect(await page.locator(".memory :is(script, img, b b)").count()).toBe(0);
	expect(await page.title()).not.toContain("owned");
});

test("a long record is shown whole once that is asked for", async () => {
	const long = records().filter({ hasText: "a long one" });
	expect((await long.locator(".memory-text").textContent())?.length).toBeLessThan(500);
	await long.getByRole("button", { name: "More" }).press("Enter");
	expect(await long.locator(".memory-text").textContent()).toContain("word end");
});

test("records are filtered by words, file or status, and by whether they stood in the window", async () => {
	const words = page.getByRole("searchbox", { name: /^Records with/ });
	await words.fill("TESTS run");
	await page.getByText("1 of 4 remembered").waitFor();
	expect(await records().textContent()).toContain("Run the tests nearby.");
	await words.fill("");
	await page.getByRole("button", { name: "in the window 1" }).click();
	await page.getByText("1 of 4 remembered").waitFor();
	await page.getByRole("button", { name: "in the window 1" }).click();
	await page.getByRole("button", { name: "provisional 4" }).click();
	await page.getByText("4 remembered", { exact: true }).waitFor();
});

test("what was remembered later is not there", async () => {
	await goTo(page, "at=1&panel=memory");
	await page.getByRole("heading", { name: "Nothing remembered yet" }).waitFor();
});
