import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { fixedStore, storeAtHand } from "../../src/adapters/page/store-origin.ts";
import { openForReading } from "../../src/adapters/sessions/open-for-reading.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openMemoryStore, openStore } from "../../src/store/open-store.ts";
import type { Store, StoredEvent } from "../../src/store/store.ts";
import { inside } from "../cli/inside.ts";
import { writeRecording } from "../cli/recording.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { Browsers, goTo, placeIn } from "./browser.ts";
import { Pages } from "./served.ts";

const STREAM = "session/rec-1";
const pages = new Pages();
const browsers = new Browsers();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

/** Writes events of one store to another, with all content that they name. */
async function tell(to: Store, from: Store, events: readonly StoredEvent[]): Promise<void> {
	const named = new Set(JSON.stringify(events.map(({ data }) => data)).match(/\b[0-9a-f]{64}\b/g));
	const blobs = [...named].flatMap((digest) => {
		const bytes = from.blob(digest);
		return bytes ? [{ digest, bytes }] : [];
	});
	const told = events.map(({ type, data, at, actor, cause }) => ({
		event: { type, data },
		at,
		actor,
		...(cause !== undefined && { cause }),
	}));
	await to.append(STREAM, told as never, to.head(STREAM).version, { blobs });
}

test("a session that goes on is followed by a playhead at its end, and by no other", async () => {
	await using source = await openStore({ directory: store, registry: REGISTRY });
	await using live = openMemoryStore({ registry: REGISTRY });
	const events: StoredEvent[] = [];
	for await (const event of source.read(STREAM)) events.push(event);
	const cuts = [20, 40, 60].map((request) =>
		events.findIndex(
			({ type, data }) => type === "request/prepared" && (data as { request: number }).request === request,
		),
	) as [number, number, number];
	await tell(live, source, events.slice(0, cuts[0] + 1));
	const served = await pages.serveFrom({ origin: storeAtHand(() => live) });
	const [follows, stays] = [await browsers.look(served), await browsers.look(served, { at: "at=7" })];
	await follows.getByRole("heading", { name: "Request 20 of 20" }).waitFor();
	await stays.getByRole("heading", { name: "Request 7 of 20" }).waitFor();
	expect(await follows.getByText("live", { exact: true }).count()).toBe(1);
	await tell(live, source, events.slice(cuts[0] + 1, cuts[1] + 1));
	await follows.getByRole("heading", { name: "Request 40 of 40" }).waitFor();
	await stays.getByRole("heading", { name: "Request 7 of 40" }).waitFor();
	await tell(live, source, events.slice(cuts[1] + 1));
	await follows.getByRole("heading", { name: "Request 60 of 60" }).waitFor();
	expect(placeIn(stays)).toBe("#at=7");
	// before the store is closed that they ask about
	for (const page of [follows, stays]) await page.context().close();
});

test("a store that has become another is shown anew, with nothing of the one before", async () => {
	const { path } = writeRecording(pages.home, { id: "rec-1-again", requests: 62, resultChars: 900 });
	const { text } = await inside(pages.home, "replay", path, "--json");
	await using one = await openStore({ directory: store, registry: REGISTRY });
	await using other = await openStore({
		directory: (JSON.parse(text) as { store: string }).store,
		registry: REGISTRY,
	});
	let held: Store = one;
	const served = await pages.serveFrom({ origin: storeAtHand(() => held) });
	const page = await browsers.look(served, { at: "at=50" });
	await page.getByRole("heading", { name: "Request 50 of 60" }).waitFor();
	const gauge = () => page.locator(".gauge").textContent();
	const before = await gauge();
	held = other;
	await page.getByRole("heading", { name: "Request 50 of 62" }).waitFor();
	await expect.poll(gauge).not.toBe(before);
	expect(placeIn(page)).toBe("#at=50");
	// before the stores are closed that it asks about
	await page.context().close();
});

test("a damaged store is shown as far as it holds, and said to be damaged", async () => {
	const directory = pages.copyOf(store);
	await changeStored(directory, eventKeyAt(140), flipped(-1));
	const page = await browsers.look(await pages.serve(directory));
	await page.getByRole("alert").filter({ hasText: "Damaged store. event 140 of session/rec-1" }).waitFor();
	await page.getByText("as sent").waitFor();
});

test("a session that sent nothing says so", async () => {
	const { path } = writeRecording(pages.home, { id: "quiet", requests: 0 });
	const { text } = await inside(pages.home, "replay", path, "--json");
	const page = await browsers.look(await pages.serve((JSON.parse(text) as { store: string }).store));
	await page.getByRole("heading", { name: "No request yet" }).waitFor();
});

test("a wrong token is told what to do, and shown nothing", async () => {
	const served = await pages.serve(store);
	const wrong = { ...served, url: `http://127.0.0.1:${served.port}/#token=wrong` };
	const page = await browsers.look(wrong, { complains: true });
	await page.getByRole("heading", { name: "This page has no valid key" }).waitFor();
	expect(await page.getByText("rec-1").count()).toBe(0);
});

test("a ticket opens the page once, and the tab it did that in again", async () => {
	const served = await pages.serve(store);
	const url = served.ticketUrl();
	const page = await browsers.look({ ...served, url }, { at: "at=7" });
	await page.getByRole("heading", { name: "Request 7 of 60" }).waitFor();
	expect(placeIn(page)).toBe("#at=7");
	await page.reload();
	await page.getByRole("heading", { name: "Request 7 of 60" }).waitFor();
	const second = await browsers.look({ ...served, url }, { complains: true });
	await second.getByRole("heading", { name: "This page has no valid key" }).waitFor();
});

test("a server that is gone is told, and what was there stays", async () => {
	const served = await pages.serve(store);
	const page = await browsers.look(served, { at: "at=60", complains: true });
	await page.getByText("as sent").waitFor();
	await served.close();
	await page.getByRole("alert").filter({ hasText: "The server is gone." }).waitFor();
	await page.getByRole("button", { name: "Try again" }).waitFor();
	expect(await page.getByText("as sent").count()).toBe(1);
});

test("a server that is started anew leaves what was read, and its address goes on from there", async () => {
	const served = await pages.serve(store);
	const page = await browsers.look(served, { at: "at=60", complains: true });
	await page.getByText("as sent").waitFor();
	await served.close();
	await page.getByRole("alert").filter({ hasText: "The server is gone." }).waitFor();
	const anew = await pages.serve(store, { port: served.port });
	await page.getByRole("button", { name: "Try again" }).click();
	await page.getByRole("alert").filter({ hasText: "The server was started anew." }).waitFor();
	expect(await page.getByText("as sent").count()).toBe(1);
	await page.goto(`${anew.url}&at=20`);
	await page.getByRole("heading", { name: "Request 20 of 60" }).waitFor();
	expect(await page.getByRole("alert").count()).toBe(0);
});

test("what a bundle leaves out is said above the page", async () => {
	const read = await openForReading(store);
	const page = await browsers.look(
		await pages.serveFrom({ origin: fixedStore(read, ["7 contents left out"]) }),
	);
	await page.getByText("as sent").waitFor();
	await page.getByText("7 contents left out").waitFor();
	expect(await page.getByRole("alert").count()).toBe(0);
});

describe("content that would do harm", () => {
	const MARKUP = `<img src="x" onerror="document.title='harmed'"></pre><script>document.title="harmed"</script>`;
	const SCREEN = "\u001b[31mred\u0007 \u202Eesrever zero\u200Bwidth";
	const LONG = "x".repeat(300_000);

	test("is shown as the text it is, however long or strange", async () => {
		const page = await browsers.look(await pages.serve(await replayOf([MARKUP, SCREEN, LONG])), {
			at: "at=4",
		});
		const shown: string[] = [];
		for (const entry of ["h3", "h6", "h9"]) {
			await goTo(page, `at=4&entry=${entry}`);
			await page.getByRole("button", { name: `Copy ${entry}` }).waitFor();
			const content = page.getByRole("region", { name: "Original content" });
			await page.getByRole("button", { name: "Original" }).click();
			shown.push((await content.textContent()) ?? "");
		}
		expect(JSON.parse(shown[0] as string).message.content[0].text).toBe(MARKUP);
		expect(shown[1]).toContain("‹U+202E›esrever zero‹U+200B›width");
		expect(shown[2]?.length).toBeLessThan(25_000);
		await page.getByRole("button", { name: /^Show more/ }).click();
		await expect
			.poll(async () => (await page.getByRole("region", { name: "Original content" }).textContent())?.length)
			.toBeGreaterThan(100_000);
		expect([await page.title(), await page.locator("img, iframe, script:not([src])").count()]).toEqual([
			"Palimpsest",
			1,
		]);
	});

	/** A session of which each request reads one of some texts. */
	async function replayOf(texts: readonly string[]): Promise<string> {
		const at = Date.UTC(2026, 0, 5);
		const model = { provider: "anthropic", model: "claude-sonnet-4-5", api: "anthropic-messages" };
		const usage = {
			input: 20,
			output: 5,
			cacheRead: 0,
			cacheWrite: 9,
			totalTokens: 34,
			cost: { total: 0.01 },
		};
		const said = (text: string) => [{ type: "text", text }];
		const messages = [...texts, ""].flatMap((text, n) => [
			{ role: "user", content: said(`read ${n}`), timestamp: at },
			{
				role: "assistant",
				content: [{ type: "toolCall", id: `c${n}`, name: "read", arguments: { path: "a" } }],
				...model,
				usage,
				stopReason: "toolUse",
				timestamp: at,
			},
			{
				role: "toolResult",
				toolCallId: `c${n}`,
				toolName: "read",
				content: said(text),
				isError: false,
				timestamp: at,
			},
		]);
		const timestamp = new Date(at).toISOString();
		const lines = [
			{ type: "session", version: 3, id: "hostile", timestamp, cwd: "/home/dev/<b>x" },
			...messages.map((message, n) => ({
				type: "message",
				id: `h${n + 1}`,
				parentId: n === 0 ? null : `h${n}`,
				timestamp,
				message,
			})),
		];
		const path = join(pages.home, "hostile.jsonl");
		writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
		const { text } = await inside(pages.home, "replay", path, "--json");
		return (JSON.parse(text) as { store: string }).store;
	}
});
