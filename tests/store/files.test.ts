import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Node } from "../../src/store/hash.ts";
import { encodeHead } from "../../src/store/head.ts";
import { eventKey, headKey } from "../../src/store/keys.ts";
import { openLevel } from "../../src/store/level-key-value.ts";
import { levelDirectory, openStore } from "../../src/store/open-store.ts";
import { repair } from "../../src/store/repair.ts";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import { witnessPath } from "../../src/store/witness.ts";
import { collect } from "./collect.ts";
import { note, notes, registry } from "./note-events.ts";

const S = "session/one";
let directory: string;
beforeEach(async () => {
	directory = join(await mkdtemp(join(tmpdir(), "palimpsest-files-")), "store");
});
afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));

const open = (readOnly = false) => openStore({ directory, registry, readOnly });

/** A store with `count` events that is closed again. */
async function stored(count: number, options = {}): Promise<void> {
	await using store = await open();
	await store.append(S, notes(count), 0, options);
}

describe("a store that is opened again", () => {
	test("gives a new stream a number no other has, also where one was refused its first event", async () => {
		{
			await using store = await open();
			await expect(store.append("refused", notes(1), 7)).rejects.toMatchObject({
				code: "STORE_VERSION_CONFLICT",
			});
			await store.append(S, notes(3), 0);
		}
		await using store = await open();
		await store.append("new", notes(5), 0);
		expect(await collect(store.read(S))).toHaveLength(3);
		expect((await store.verify()).damage).toEqual([]);
	});

	test("stands where it was left: events, content, checkpoints, rows", async () => {
		const bytes = Buffer.from("content");
		const digest = sha256Node(bytes);
		const row: [Buffer, Buffer] = [Buffer.from("k"), Buffer.from("v")];
		const checkpoints = [{ name: "count", version: 1, state: new Map([["a", 3]]) }];
		await stored(3, { blobs: [{ digest, bytes }], checkpoints, rows: { put: [row] } });
		await using store = await open();
		expect(store.head(S).version).toBe(3);
		expect(store.blob(digest)).toEqual(bytes);
		expect(store.row(row[0])).toEqual(row[1]);
		expect(store.checkpoint(S, "count", 1)).toMatchObject({ covers: 3, state: new Map([["a", 3]]) });
		const other = Buffer.from("more");
		await store.append(S, notes(1, 3), 3, { blobs: [{ digest: sha256Node(other), bytes: other }] });
		expect(store.blob(digest)).toEqual(bytes);
		expect((await store.verify({ blobs: true })).damage).toEqual([]);
	});

	test("keeps its streams apart and their order", async () => {
		{
			await using store = await open();
			await store.append("b", notes(1), 0);
			await store.append("a", notes(2), 0);
		}
		await using store = await open();
		expect(store.streams()).toEqual(["b", "a"]);
		await store.append("c", notes(1), 0);
		expect(await collect(store.read("a"))).toHaveLength(2);
	});

	test("for reading only takes no events and leaves the witness alone", async () => {
		await stored(3);
		const before = await readFile(witnessPath(directory));
		{
			await using store = await open(true);
			expect(await collect(store.read(S))).toHaveLength(3);
			await expect(store.append(S, notes(1), 3)).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
		}
		expect(await readFile(witnessPath(directory))).toEqual(before);
	});

	test("for reading only must be there", async () => {
		await expect(open(true)).rejects.toMatchObject({ code: "STORE_NOT_FOUND" });
		await expect(verifyDirectory(directory)).rejects.toMatchObject({ code: "STORE_NOT_FOUND" });
	});

	test("in a newer format is left alone", async () => {
		await stored(1);
		const kv = await openLevel(levelDirectory(directory), { create: false });
		const batch = kv.batch();
		batch.put(Buffer.from("m"), Buffer.from([2]));
		await batch.write(false);
		await kv.close();
		await expect(open()).rejects.toMatchObject({ code: "STORE_NEWER" });
	});

	test("does not gather a table file for every opening", async () => {
		for (let opening = 0; opening < 40; opening++) {
			await using store = await open();
			await store.append(S, notes(1), opening);
		}
		const tables = (await readdir(levelDirectory(directory))).filter((file) => file.endsWith(".ldb"));
		expect(tables.length).toBeLessThanOrEqual(33);
	});
});

describe("a store that is open", () => {
	test("is locked for another opener in this process", async () => {
		await using store = await open();
		await expect(open()).rejects.toMatchObject({ code: "STORE_LOCKED" });
		await store.append(S, notes(1), 0);
	});

	test("is locked for another process, until it is closed or its process is gone", async () => {
		const holder = fork(fileURLToPath(new URL("holder.ts", import.meta.url)), [directory]);
		await once(holder, "message");
		await expect(open()).rejects.toMatchObject({ code: "STORE_LOCKED" });
		await expect(verifyDirectory(directory)).rejects.toMatchObject({ code: "STORE_LOCKED" });
		holder.kill("SIGKILL");
		await once(holder, "close");
		await using store = await open();
		expect(store.damage).toEqual([]);
	});
});

test.each(["just now", "in an earlier opening", "before many others"])(
	"content stored %s and shredded, and rows that went with it, are in none of the store's files",
	async (when) => {
		const secret = Buffer.from(sha256Node(Buffer.from("secret")).repeat(3));
		const digest = sha256Node(secret);
		const grep = async () => {
			const files = await readdir(levelDirectory(directory));
			const contents = await Promise.all(
				files.map((file) => readFile(join(levelDirectory(directory), file))),
			);
			return [secret, Buffer.from(sha256Node(secret))].map((text) =>
				contents.some((bytes) => bytes.includes(text.subarray(0, 40))),
			);
		};
		let store = await open();
		const row = [Buffer.from("a row"), Buffer.from(sha256Node(secret).repeat(3))] as const;
		const kept = [Buffer.from("another"), Buffer.from("stays")] as const;
		const options = { blobs: [{ digest, bytes: secret }], rows: { put: [row, kept] }, sync: true };
		await store.append(S, [note("before")], 0, options);
		if (when === "before many others") {
			const others = Array.from({ length: 6000 }, (_, index) =>
				Buffer.from(sha256Node(Buffer.from(`${index}`)).repeat(20)),
			);
			await store.append(S, [], 1, { blobs: others.map((bytes) => ({ bytes, digest: sha256Node(bytes) })) });
		}
		if (when === "in an earlier opening") {
			await store.close();
			store = await open();
		}
		expect(await grep()).toEqual([true, true]);
		const rows = { del: [row[0]] };
		const shredding = store.append(S, [note("shredded")], 1, { shred: [digest], rows, sync: true });
		// closing in the middle of it waits
		await Promise.all([shredding, store.close()]);
		expect(await grep()).toEqual([false, false]);
		store = await open();
		expect(store.row(kept[0])?.toString()).toBe("stays");
		await store.close();
		expect((await verifyDirectory(directory, { blobs: true })).damage).toEqual([]);
	},
);

test("rows that an append removes as it destroys content are in none of the store's files, whatever it destroys", async () => {
	const secret = Buffer.from(sha256Node(Buffer.from("row")));
	const isHeld = async () => {
		const files = await readdir(levelDirectory(directory));
		const contents = await Promise.all(files.map((file) => readFile(join(levelDirectory(directory), file))));
		return contents.some((bytes) => bytes.includes(secret));
	};
	await using store = await open();
	const rows = { put: [[Buffer.from("a row"), secret] as const] };
	await store.append(S, [note("before")], 0, { rows, sync: true });
	expect(await isHeld()).toBe(true);
	await store.append(S, [note("after")], 1, { shred: [], rows: { del: [Buffer.from("a row")] }, sync: true });
	expect(await isHeld()).toBe(false);
});

describe("the witness", () => {
	/** Puts the database back to where it was when `before` was taken. */
	async function backTo(before: string): Promise<void> {
		await rm(levelDirectory(directory), { recursive: true });
		await cp(join(before, "level"), levelDirectory(directory), { recursive: true });
	}

	test("shows a database that was set back, though its own head fits", async () => {
		await stored(3);
		const before = `${directory}-before`;
		await cp(directory, before, { recursive: true });
		{
			await using store = await open();
			await store.append(S, notes(4, 3), 3, { sync: true });
		}
		await backTo(before);
		expect((await verifyDirectory(directory)).damage).toMatchObject([
			{ part: "event", stream: S, position: 3 },
		]);
		await using store = await open();
		expect(store.damage).toMatchObject([{ stream: S, position: 3 }]);
		expect(await collect(store.read(S))).toHaveLength(3);
		await expect(store.append(S, notes(1), 3)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
	});

	test("shows a stream that was written anew from a point on", async () => {
		await stored(3);
		const before = `${directory}-before`;
		await cp(directory, before, { recursive: true });
		for (const [from, texts] of [
			["true", 2],
			["forged", 5],
		] as const) {
			await rm(levelDirectory(directory), { recursive: true });
			await cp(join(before, "level"), levelDirectory(directory), { recursive: true });
			if (from === "forged") await rm(witnessPath(directory));
			await using store = await open();
			await store.append(
				S,
				Array.from({ length: texts }, () => note(from)),
				3,
			);
			await store.close();
			if (from === "true") await cp(witnessPath(directory), `${directory}-witness`);
		}
		await cp(`${directory}-witness`, witnessPath(directory));
		expect((await verifyDirectory(directory)).damage).toMatchObject([
			{ part: "event", stream: S, position: 4 },
		]);
	});

	test("that was cut short in writing leaves the one before it", async () => {
		await stored(2);
		{
			await using store = await open();
			await store.append(S, notes(1, 2), 2, { sync: true });
		}
		await truncate(witnessPath(directory), 80);
		await using store = await open();
		expect(store.damage).toEqual([]);
		expect(store.head(S).version).toBe(3);
	});

	test("is not needed: a store without one opens", async () => {
		await stored(2);
		await rm(witnessPath(directory));
		await using store = await open();
		expect(store.damage).toEqual([]);
	});
});

describe("damage to the files", () => {
	const file = async (pattern: RegExp) => {
		const found = (await readdir(levelDirectory(directory))).find((name) => pattern.test(name));
		return join(levelDirectory(directory), found as string);
	};

	test.each([/^CURRENT$/, /^MANIFEST/])(
		"a missing %s is told, and no new store begun over it",
		async (pattern) => {
			await stored(3);
			// opened twice, so that there is a table
			await (await open()).close();
			await rm(await file(pattern));
			await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
			expect((await verifyDirectory(directory)).damage).toMatchObject([{ part: "files" }]);
		},
	);

	test("a missing table is told", async () => {
		await stored(3);
		await (await open()).close();
		await rm(await file(/\.ldb$/));
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
	});

	test.each([
		["by a byte", (bytes: number) => bytes - 1],
		["to its half", (bytes: number) => bytes >> 1],
		["to nothing", () => 0],
	])("a table cut %s is told", async (_, left) => {
		await stored(3);
		await (await open()).close();
		const table = await file(/\.ldb$/);
		await truncate(table, left((await stat(table)).size));
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
		expect((await verifyDirectory(directory)).damage).toMatchObject([{ part: "files" }]);
	});

	test.each([
		["is gone", async () => rm(witnessPath(directory)), /no witness/],
		["is empty", async () => truncate(witnessPath(directory)), /no word of session/],
		[
			"was altered",
			async () => writeFile(witnessPath(directory), (await readFile(witnessPath(directory))).fill(7, 9, 12)),
			/no word of session/,
		],
	])("a witness that %s is worth a note, and no damage", async (_, spoil, note) => {
		await stored(3, { sync: true });
		expect((await verifyDirectory(directory)).notes).toEqual([]);
		await spoil();
		const { damage, notes } = await verifyDirectory(directory);
		expect({ damage, notes }).toEqual({ damage: [], notes: [expect.stringMatching(note)] });
	});

	test("a witness that cannot be read is damage, and is not begun anew", async () => {
		await stored(3, { sync: true });
		await rm(witnessPath(directory));
		await mkdir(witnessPath(directory));
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
		const { damage } = await verifyDirectory(directory);
		expect(damage).toMatchObject([{ part: "files", what: expect.stringContaining("EISDIR") }]);
		await repair({ directory, at: 1 });
		await using store = await open();
		expect((await collect(store.read(S))).map(({ type }) => type)).toEqual([
			...Array(3).fill("note/taken"),
			"store/repaired",
		]);
	});

	test.each(["its folder", "every file in its folder"])(
		"a database that is gone altogether, %s, is told by the witness beside it until a repair begins anew",
		async (what) => {
			await stored(3);
			await rm(levelDirectory(directory), { recursive: true });
			if (what !== "its folder") await mkdir(levelDirectory(directory));
			await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
			expect((await verifyDirectory(directory)).damage).toMatchObject([{ part: "files" }]);
			expect(await repair({ directory, at: 1 })).toMatchObject({
				streams: [],
				reason: expect.stringContaining("no database"),
			});
			await stored(2);
			expect((await verifyDirectory(directory)).damage).toEqual([]);
		},
	);

	test("a CURRENT of rubbish is told", async () => {
		await stored(3);
		await writeFile(await file(/^CURRENT$/), "MANIFEST-999999");
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
	});

	test("a log that lost its last record is told by the witness", async () => {
		{
			await using store = await open();
			await store.append(S, notes(2), 0, { sync: true });
			await store.append(S, notes(2, 2), 2, { sync: true });
			await cp(directory, `${directory}-cut`, { recursive: true });
		}
		directory = `${directory}-cut`;
		const log = await file(/\.log$/);
		await truncate(log, (await readFile(log)).length - 5);
		await using store = await open();
		expect(store.damage).toMatchObject([{ stream: S, position: 2 }]);
		expect(await collect(store.read(S))).toHaveLength(2);
	});

	test("bytes flipped in a table are found as the event they belong to, or as an unreadable file", async () => {
		await stored(200);
		await (await open()).close();
		const table = await file(/\.ldb$/);
		const sound = await readFile(table);
		for (let at = 40; at < sound.length; at += Math.floor(sound.length / 40)) {
			const bytes = Buffer.from(sound);
			bytes.fill(bytes[at] === 0xff ? 0 : 0xff, at, at + 8);
			await writeFile(table, bytes);
			const { damage } = await verifyDirectory(directory);
			for (const { part } of damage) expect(["event", "head", "files"]).toContain(part);
			// what no check found must be where nothing of ours lies: LevelDB's filter, index or footer
			if (damage.length > 0) continue;
			await using store = await open(true);
			expect(await collect(store.read(S))).toHaveLength(200);
		}
	});
});

test("a head that runs past its events opens up to the damage", async () => {
	await stored(5);
	const kv = await openLevel(levelDirectory(directory), { create: false });
	const batch = kv.batch();
	batch.del(eventKey(0, 4));
	batch.put(headKey(0), encodeHead({ name: S, version: 5, hash: "0".repeat(64) }));
	await batch.write(false);
	await kv.close();
	await using store = await open();
	expect(store.readOnly).toBe(true);
	expect(store.damage).toContainEqual(expect.objectContaining({ stream: S, position: 4 }));
	expect((await collect(store.read(S))).map(({ position }) => position)).toEqual([0, 1, 2]);
});
