import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { PageSession } from "../../src/adapters/page/page-session.ts";
import { fixedStore, storeAtHand, storeInFolder } from "../../src/adapters/page/store-origin.ts";
import { openForReading } from "../../src/adapters/sessions/open-for-reading.ts";
import type { WindowView } from "../../src/debug/window-view.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { StoreError } from "../../src/store/errors.ts";
import { openMemoryStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { ask, Pages } from "./served.ts";

const STREAM = "session/rec-1";
const pages = new Pages();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

async function session(page: ServedPage, path = "/api/session"): Promise<PageSession> {
	const { status, json } = await ask(page, path);
	expect(status).toBe(200);
	return json as PageSession;
}

function open(directory: string): Promise<Store> {
	return openStore({ directory, registry: REGISTRY });
}

/** Appends that the user went somewhere, which any stream may hold. */
async function moveLeaf(to: Store, stream = STREAM, leaf: string | null = null): Promise<void> {
	const event = { type: "session/leafMoved", data: { leaf } };
	await to.append(stream, [{ event, at: 1, actor: "user" }], to.head(stream).version);
}

describe("a store that a session writes to", () => {
	test("is read from a copy, and what it gets is told to whoever waits for it", async () => {
		const directory = pages.copyOf(store);
		await using live = await open(directory);
		const page = await pages.serve(directory);
		const before = await session(page);
		expect(before).toMatchObject({ live: true, requests: 60, damage: [] });
		const grown = session(page, `/api/grown?since=${before.head.version}`);
		await moveLeaf(live);
		expect(await grown).toMatchObject({ head: live.head(STREAM), requests: 60, begun: 1 });
		for (let n = 0; n < 3; n++) {
			await moveLeaf(live);
			expect((await session(page)).head).toEqual(live.head(STREAM));
		}
	});

	test("is not kept from its session by the page", async () => {
		const directory = pages.copyOf(store);
		const page = await pages.serve(directory);
		expect(await session(page)).toMatchObject({ live: false });
		await using live = await open(directory);
		await moveLeaf(live);
		expect(await session(page)).toMatchObject({ live: true, head: live.head(STREAM) });
	});

	test("is live while its session has it open or wrote a minute ago, and no longer", async () => {
		const directory = pages.copyOf(store);
		let now = 0;
		const minute = () => {
			now += 60_001;
		};
		const origin = await storeInFolder(directory, () => now);
		const isLive = async () => {
			await origin.mark();
			return origin.isLive();
		};
		expect(await isLive()).toBe(false);
		{
			await using live = await open(directory);
			await moveLeaf(live);
			expect(await isLive()).toBe(true);
			for (let n = 0; n < 3; n++) {
				minute();
				expect(await isLive()).toBe(true);
			}
		}
		expect(await isLive()).toBe(true);
		for (let n = 0; n < 3; n++) {
			minute();
			expect(await isLive()).toBe(false);
		}
		await using again = await open(directory);
		await moveLeaf(again);
		expect(await isLive()).toBe(true);
	});

	test("is read anew where it has become another, longer or shorter", async () => {
		const [directory, other] = [pages.copyOf(store), pages.copyOf(store)];
		for (const [place, leaves] of [
			[directory, ["e1"]],
			[other, ["e2", "e3"]],
		] as const) {
			await using written = await open(place);
			for (const leaf of leaves) await moveLeaf(written, STREAM, leaf);
		}
		const page = await pages.serve(directory);
		const { head, begun } = await session(page);
		expect(begun).toBe(1);
		for (const [n, instead] of [other, store].entries()) {
			rmSync(directory, { recursive: true });
			cpSync(instead, directory, { recursive: true });
			await using written = await open(directory);
			expect(written.head(STREAM).hash).not.toBe(head.hash);
			expect(await session(page)).toMatchObject({ head: written.head(STREAM), begun: n + 2 });
		}
	});

	test("leaves no copy behind once the page is closed", async () => {
		const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith("palimpsest-copy-"));
		const directory = pages.copyOf(store);
		const others = copies();
		await using live = await open(directory);
		const page = await pages.serve(directory);
		const mine = copies().filter((name) => !others.includes(name));
		await moveLeaf(live);
		await session(page);
		await page.close();
		expect(mine.length).toBeGreaterThan(0);
		expect(mine.filter((name) => existsSync(join(tmpdir(), name)))).toEqual([]);
	});
});

describe("a store in this process", () => {
	test("is asked as it is, and grows without a copy", async () => {
		await using live = openMemoryStore({ registry: REGISTRY });
		await moveLeaf(live, "session/here");
		const page = await pages.serveFrom({ origin: storeAtHand(() => live) });
		expect(await session(page)).toMatchObject({ session: "here", live: true, head: { version: 1 } });
		const grown = session(page, "/api/grown?since=1");
		await moveLeaf(live, "session/here");
		expect((await grown).head).toEqual(live.head("session/here"));
	});

	test("that is another by now is read from its beginning", async () => {
		await using one = openMemoryStore({ registry: REGISTRY });
		await using other = openMemoryStore({ registry: REGISTRY });
		await moveLeaf(one, "session/here");
		await moveLeaf(other, "session/here", "elsewhere");
		let held: Store | undefined = one;
		const page = await pages.serveFrom({ origin: storeAtHand(() => held) });
		await session(page);
		held = undefined;
		expect((await session(page)).head).toEqual(one.head("session/here"));
		held = other;
		expect((await session(page)).head).toEqual(other.head("session/here"));
	});
});

describe("a store that is not as it should be", () => {
	test("whose contents cannot be read says what to do, and not where its copy lies", async () => {
		const read = await openForReading(store);
		const refusing = new Proxy(read.store, {
			get(target, name) {
				if (name === "blob")
					return () => {
						throw new StoreError("STORE_DAMAGED", "/tmp/a-copy/level cannot be read");
					};
				const value = Reflect.get(target, name, target);
				return typeof value === "function" ? value.bind(target) : value;
			},
		});
		const page = await pages.serveFrom({ origin: fixedStore({ ...read, store: refusing }) });
		const window = (await ask(page, "/api/window/60")).json as WindowView;
		const { status, json } = await ask(page, `/api/item/60/${window.rows.at(-1)?.id}`);
		expect(status).toBe(500);
		expect(json).toMatchObject({
			error: { code: "STORE_DAMAGED", message: expect.stringMatching(/^(?!.*a-copy).*verify.*repair/) },
		});
	});

	test("is shown as far as its chain holds, and said to be damaged", async () => {
		const directory = pages.copyOf(store);
		await changeStored(directory, eventKeyAt(40), flipped(-1));
		const page = await pages.serve(directory);
		const damaged = await session(page);
		expect(damaged.head.version).toBe(40);
		expect(damaged.damage).toEqual([expect.stringContaining("event 40 of session/rec-1")]);
	});

	test("that lost its end is shown without it", async () => {
		const directory = pages.copyOf(store);
		const page = await pages.serve(store);
		const { head } = await session(page);
		await changeStored(directory, eventKeyAt(head.version - 1), undefined);
		const damaged = await session(await pages.serve(directory));
		expect(damaged.head.version).toBe(head.version - 2);
		expect(damaged.damage.length).toBeGreaterThan(0);
	});

	test("that holds nothing is shown empty, until something happens", async () => {
		const directory = join(pages.home, "empty");
		mkdirSync(directory);
		await using live = await open(directory);
		const page = await pages.serve(directory);
		expect(await session(page)).toMatchObject({ session: "", requests: 0, entries: 0, head: { version: 0 } });
		const grown = session(page, "/api/grown?since=0");
		await moveLeaf(live, "session/new");
		expect(await grown).toMatchObject({ session: "new", head: { version: 1 } });
	});

	test("that cannot be opened at all is a reason not to start", async () => {
		await expect(pages.serve(join(pages.home, "nowhere"))).rejects.toMatchObject({ code: "STORE_NOT_FOUND" });
	});
});

describe("a store that takes long to read", () => {
	/** A store that is read one event at a time, each when it is let. */
	async function slowly(): Promise<{ page: ServedPage; next: () => void; told: number[] }> {
		const memory = openMemoryStore({ registry: REGISTRY });
		for (let n = 0; n < 4; n++) await moveLeaf(memory, "session/long");
		const { promise: start, resolve: next } = Promise.withResolvers<void>();
		const told: number[] = [];
		const store = new Proxy(memory, {
			get: (target, name) => {
				if (name !== "readRuns")
					return Reflect.get(target, name, target).bind?.(target) ?? Reflect.get(target, name);
				return async function* (stream: string, options: object) {
					for await (const run of target.readRuns(stream, { ...options, chunk: 1 })) {
						yield run;
						if (told.length === 2) await start;
					}
				};
			},
		});
		const origin = fixedStore({ store, close: async () => {} });
		const page = await pages.serveFrom({ origin, onProgress: ({ done }) => told.push(done) });
		return { page, next, told };
	}

	test("is served meanwhile, tells how far it has come, and then what it was asked", async () => {
		const { page, next, told } = await slowly();
		const asked = session(page);
		await expect.poll(async () => (await ask(page, "/api/reading")).json).toEqual({ done: 2, total: 4 });
		next();
		expect((await asked).head.version).toBe(4);
		expect(told).toEqual([1, 2, 3, 4]);
		await page.whenRead;
	});

	test("is read no further once its page is closed", async () => {
		const { page, next, told } = await slowly();
		await expect.poll(() => told).toEqual([1, 2]);
		const closed = page.close();
		next();
		await closed;
		await expect(page.whenRead).rejects.toThrow(/abort/);
		expect(told).toEqual([1, 2]);
	});
});

test("a store that never changes is let go of with the page", async () => {
	const memory = openMemoryStore({ registry: REGISTRY });
	await moveLeaf(memory, "session/still");
	let closed = 0;
	const close = async () => void closed++;
	const page = await pages.serveFrom({ origin: fixedStore({ store: memory, close }) });
	expect(await session(page)).toMatchObject({ session: "still", live: false });
	await page.close();
	expect(closed).toBe(1);
});

test("a version that is no number is refused", async () => {
	const page = await pages.serve(store);
	for (const since of ["", "x", "-1", "1e3", "0x1", "99999999999999999999"]) {
		const { status, json } = await ask(page, `/api/grown?since=${since}`);
		expect([status, json]).toMatchObject([400, { error: { code: "PAGE_BAD_REQUEST" } }]);
	}
});
