import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyOpenStore } from "../../src/store/copy-store.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { eventKey } from "../../src/store/keys.ts";
import { openLevel } from "../../src/store/level-key-value.ts";
import { levelDirectory, openStore } from "../../src/store/open-store.ts";
import { collect } from "./collect.ts";
import { note, notes, registry } from "./note-events.ts";

const S = "session/one";
let home: string;
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), "palimpsest-copy-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("a copy taken while the store is written to is a state it was in, every time", async () => {
	const directory = join(home, "store");
	await using store = await openStore({ directory, registry });
	let writing = true;
	let version = 0;
	const writer = (async () => {
		while (writing) {
			const bytes = Buffer.from(sha256Node(Buffer.from(`${version}`)).repeat(300));
			const events = Array.from({ length: 20 }, (_, index) =>
				note(`${version + index} ${"text ".repeat(100)}`),
			);
			const blobs = [{ digest: sha256Node(bytes), bytes }];
			({ version } = await store.append(S, events, version, { blobs, sync: version % 100 === 0 }));
		}
	})();
	let before = 0;
	for (let copy = 0; copy < 12; copy++) {
		const to = join(home, `copy-${copy}`);
		const acknowledged = store.head(S).version;
		await copyOpenStore({ directory, to });
		await using copied = await openStore({ directory: to, registry, readOnly: true });
		expect(copied.damage).toEqual([]);
		expect((await copied.verify({ blobs: true })).damage).toEqual([]);
		const { version: held } = copied.head(S);
		expect(held).toBeGreaterThanOrEqual(acknowledged);
		expect(held).toBeGreaterThanOrEqual(before);
		expect((await collect(copied.read(S, { from: Math.max(0, held - 3) }))).at(-1)?.hash).toBe(
			copied.head(S).hash,
		);
		before = held;
		await rm(to, { recursive: true });
	}
	writing = false;
	await writer;
	expect((await store.verify({ blobs: true })).damage).toEqual([]);
	// enough was written for tables and logs to come and go under the copier
	expect((await readdir(levelDirectory(directory))).some((file) => file.endsWith(".ldb"))).toBe(true);
});

test("a copy leaves the store untouched by what is done to it", async () => {
	const directory = join(home, "store");
	await using store = await openStore({ directory, registry });
	await store.append(S, notes(50), 0);
	const to = join(home, "copy");
	await copyOpenStore({ directory, to });
	{
		await using copied = await openStore({ directory: to, registry });
		await copied.append(S, notes(50), 50);
	}
	await rm(to, { recursive: true });
	expect(await collect(store.read(S))).toHaveLength(50);
	expect((await store.verify()).damage).toEqual([]);
});

test("a store whose chain is broken gives no copy, and leaves none behind", async () => {
	const directory = join(home, "store");
	{
		await using store = await openStore({ directory, registry });
		await store.append(S, notes(3), 0);
	}
	const kv = await openLevel(levelDirectory(directory), { create: false });
	const batch = kv.batch();
	batch.del(eventKey(0, 1));
	await batch.write(true);
	await kv.close();
	const to = join(home, "copy");
	await expect(copyOpenStore({ directory, to })).rejects.toMatchObject({
		code: "STORE_COPY_FAILED",
		message: expect.stringContaining("event 1 of session/one is missing"),
		cause: { code: "STORE_DAMAGED" },
	});
	expect(await readdir(home)).toEqual(["store"]);
});

test("where there is no store there is no copy", async () => {
	await expect(
		copyOpenStore({ directory: join(home, "none"), to: join(home, "copy") }),
	).rejects.toMatchObject({ code: "STORE_NOT_FOUND" });
});

test("a folder that exists already is left as it is", async () => {
	const directory = join(home, "store");
	await using store = await openStore({ directory, registry });
	await store.append(S, notes(3), 0);
	const to = join(home, "copy");
	await mkdir(to);
	await writeFile(join(to, "something"), "of somebody's");
	await expect(copyOpenStore({ directory, to })).rejects.toThrow(TypeError);
	expect(await readdir(to)).toEqual(["something"]);
});
