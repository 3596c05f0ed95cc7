import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Node } from "../../src/store/hash.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { allOf, eventKey, headKey } from "../../src/store/keys.ts";
import { openLevel } from "../../src/store/level-key-value.ts";
import { levelDirectory, openStore } from "../../src/store/open-store.ts";
import { renamePatiently } from "../../src/store/rename-patiently.ts";
import { repair } from "../../src/store/repair.ts";
import type { StoredEvent } from "../../src/store/store.ts";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import { witnessPath } from "../../src/store/witness.ts";
import { collect } from "./collect.ts";
import { note, notes, registry } from "./note-events.ts";

const S = "session/one";
const AT = 1_800_000_000_000;
let directory: string;
beforeEach(async () => {
	directory = join(await mkdtemp(join(tmpdir(), "palimpsest-repair-")), "store");
});
afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));

const open = () => openStore({ directory, registry });
const content = (text: string) => ({ bytes: Buffer.from(text), digest: sha256Node(Buffer.from(text)) });
const [kept, spoilt] = [content("content that stays"), content("content that is spoilt")];

/** Ten events in one stream and three in another, with content and a checkpoint; what was read of the first. */
async function stored(): Promise<StoredEvent[]> {
	await using store = await open();
	await store.append(S, notes(10), 0, {
		blobs: [kept, spoilt],
		checkpoints: [{ name: "count", version: 1, state: 10 }],
	});
	await store.append("memory/w", notes(3), 0, { sync: true });
	return collect(store.read(S));
}

async function tamper(
	change: (kv: KeyValue) => Promise<[Uint8Array, Uint8Array | undefined][]>,
): Promise<void> {
	const kv = await openLevel(levelDirectory(directory), { create: false });
	const batch = kv.batch();
	for (const [key, value] of await change(kv)) value ? batch.put(key, value) : batch.del(key);
	await batch.write(true);
	await kv.close();
}

const flipped = (value: Uint8Array | undefined, at: number): Buffer => {
	const bytes = Buffer.from(value as Uint8Array);
	bytes[at] = (bytes[at] as number) ^ 1;
	return bytes;
};

describe("a repair", () => {
	test("of a sound store does nothing", async () => {
		await stored();
		expect(await repair({ directory, at: AT })).toBeUndefined();
		expect((await readdir(directory)).sort()).toEqual(["level", "witness"]);
	});

	test("keeps what is vouched for as it was, says what is lost behind it, and keeps the damaged store aside", async () => {
		const before = await stored();
		await tamper(async (kv) => [[eventKey(0, 6), flipped(kv.get(eventKey(0, 6)), 45)]]);
		const repaired = await repair({ directory, at: AT });
		expect(repaired).toMatchObject({ keptAs: join(directory, "damaged-1"), blobs: { kept: 2, lost: 0 } });

		await using store = await open();
		expect(store.damage).toEqual([]);
		const after = await collect(store.read(S));
		expect(after.slice(0, 6)).toEqual(before.slice(0, 6));
		expect(after.slice(6)).toMatchObject([
			{
				type: "store/repaired",
				at: AT,
				actor: "runtime",
				data: {
					lostFrom: 6,
					lostTo: 9,
					keptAs: "damaged-1",
					blobsLost: 0,
					reason: expect.stringContaining("event 6 of session/one"),
				},
			},
		]);
		expect(await collect(store.read("memory/w"))).toHaveLength(3);
		expect(store.blob(kept.digest)).toEqual(kept.bytes);
		expect(store.checkpoint(S, "count", 1)).toBeUndefined();
		await store.append(S, notes(1), 7, { sync: true });
		expect((await store.verify({ blobs: true })).damage).toEqual([]);
		const aside = await openLevel(join(directory, "damaged-1"), { create: false });
		expect(aside.get(eventKey(0, 9))).toBeDefined();
		await aside.close();
	});

	test("after a repair has a folder of its own for what was damaged since", async () => {
		await stored();
		for (const [expected, missing] of [
			["damaged-1", 5],
			["damaged-2", 2],
		] as const) {
			await tamper(async () => [[eventKey(0, missing), undefined]]);
			expect((await repair({ directory, at: AT }))?.keptAs).toBe(join(directory, expected));
		}
		await using store = await open();
		const types = (await collect(store.read(S))).map(({ type }) => type);
		// the event before a missing one has nothing to vouch for it
		expect(types).toEqual(["note/taken", "store/repaired"]);
	});

	test("of a tail the witness remembers names what was acknowledged", async () => {
		await stored();
		await cp(levelDirectory(directory), `${directory}-level`, { recursive: true });
		{
			await using store = await open();
			await store.append(S, notes(5, 10), 10, { sync: true });
		}
		await rm(levelDirectory(directory), { recursive: true });
		await rename(`${directory}-level`, levelDirectory(directory));
		await repair({ directory, at: AT });
		await using store = await open();
		expect(store.damage).toEqual([]);
		expect(store.event(S, 10)).toMatchObject({ data: { lostFrom: 10, lostTo: 14 } });
	});

	test("of spoilt content drops it, so that it can be stored again", async () => {
		await stored();
		await tamper(async (kv) => {
			for await (const chunk of kv.entries(allOf("d"))) {
				for (const [key, value] of chunk)
					if (Buffer.from(value).equals(spoilt.bytes)) return [[key, flipped(value, 3)]];
			}
			return [];
		});
		expect(await repair({ directory, at: AT })).toMatchObject({ blobs: { kept: 1, lost: 1 } });
		await using store = await open();
		expect(store.event(S, 10)?.data).toMatchObject({ lostFrom: 10, blobsLost: 1 });
		expect(store.hasBlob(spoilt.digest)).toBe(false);
		await store.append(S, [note("again")], 11, { blobs: [spoilt] });
		expect(store.blob(spoilt.digest)).toEqual(spoilt.bytes);
	});

	test("names the content its events refer to and that is lost, once, so that it is known and no fault any more", async () => {
		await stored();
		const gone = content("content nobody stored");
		const references = ({ position, stream }: { position: number; stream: string }) =>
			stream === S && position < 2 ? [kept.digest, gone.digest] : [];
		const told = await repair({ directory, at: AT, references });
		expect(told).toMatchObject({ contentsLost: [gone.digest], lost: [] });
		expect(told?.streams).toMatchObject([
			{ stream: S, kept: 10, version: 11 },
			{ kept: 3, version: 3 },
		]);
		expect(await verifyDirectory(directory, { blobs: true, references })).toMatchObject({
			damage: [],
			lost: [{ stream: S, position: 10, at: AT, contents: [gone.digest], keptAs: "damaged-1" }],
		});
		expect(await repair({ directory, at: AT, references })).toBeUndefined();
		await tamper(async () => [[eventKey(1, 2), undefined]]);
		expect(await repair({ directory, at: AT, references })).toMatchObject({
			contentsLost: [],
			lost: [{ stream: "memory/w", from: 1, to: 2 }],
		});
	});

	test("of a database nothing is left of tells what its witness knew of", async () => {
		await stored();
		await (await open()).close();
		for (const name of await readdir(levelDirectory(directory))) {
			if (/ldb$|log$/.test(name)) await rm(join(levelDirectory(directory), name));
		}
		expect(await repair({ directory, at: AT })).toMatchObject({
			streams: [],
			lost: [
				{ number: 0, from: 0, to: 9 },
				{ number: 1, from: 0, to: 2 },
			],
			reason: expect.stringContaining("nothing is left of stream 0, which held events 0 to 9"),
		});
	});

	describe.each(["altered", "gone"])("finds a stream again whose head is %s", (how) => {
		const spoilHead = (number: number) =>
			tamper(async (kv) => [
				[headKey(number), how === "gone" ? undefined : flipped(kv.get(headKey(number)), 3)],
			]);

		test("whole, where the witness vouches for its last event", async () => {
			const before = await stored();
			await spoilHead(0);
			await repair({ directory, at: AT, streams: ["session/other", S] });
			await using store = await open();
			const after = await collect(store.read(S));
			expect(after.slice(0, 10)).toEqual(before);
			expect(after.slice(10)).toMatchObject([{ type: "store/repaired", data: { lostFrom: 10 } }]);
		});

		test("and says what had only the head to vouch for it, in the stream that lost it", async () => {
			await stored();
			await rm(witnessPath(directory));
			await spoilHead(1);
			await repair({ directory, at: AT, streams: ["memory/w"] });
			await using store = await open();
			expect(await collect(store.read(S))).toHaveLength(10);
			expect((await collect(store.read("memory/w"))).slice(2)).toMatchObject([
				{ type: "store/repaired", data: { lostFrom: 2, lostTo: 2 } },
			]);
		});
	});

	test("that cannot name a stream leaves its number free for no other", async () => {
		await stored();
		await tamper(async () => [[headKey(0), undefined]]);
		await repair({ directory, at: AT });
		{
			await using store = await open();
			await store.append("session/new", notes(5), 0);
		}
		await using store = await open();
		expect(store.damage).toEqual([]);
		expect((await collect(store.read("memory/w"))).map(({ type }) => type)).toEqual([
			...Array(3).fill("note/taken"),
			"store/repaired",
		]);
	});

	test("that was cut short before the new database stood in its place is finished by the next", async () => {
		const before = await stored();
		await rename(levelDirectory(directory), join(directory, "damaged-1"));
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
		await rename(witnessPath(directory), witnessPath(join(directory, "damaged-1")));
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
		await repair({ directory, at: AT });
		await using store = await open();
		expect((await collect(store.read(S))).slice(0, 10)).toEqual(before);
	});

	test("of a store that is open is refused", async () => {
		await using store = await open();
		await store.append(S, notes(1), 0);
		await expect(repair({ directory, at: AT })).rejects.toMatchObject({ code: "STORE_LOCKED" });
	});

	test("of nothing is refused", async () => {
		await expect(repair({ directory, at: AT })).rejects.toMatchObject({ code: "STORE_NOT_FOUND" });
	});
});

describe("a repair without LevelDB's help keeps every event when", () => {
	const file = async (pattern: RegExp) => {
		const found = (await readdir(levelDirectory(directory))).find((name) => pattern.test(name));
		return join(levelDirectory(directory), found as string);
	};
	test.each([
		["CURRENT is missing", async () => rm(await file(/^CURRENT/))],
		["CURRENT names nothing", async () => writeFile(await file(/^CURRENT/), "MANIFEST-000099\n")],
		["the manifest is missing", async () => rm(await file(/^MANIFEST/))],
		["the manifest was cut short", async () => truncate(await file(/^MANIFEST/), 20)],
	])("%s", async (_, damage) => {
		const before = await stored();
		// opened again, so that there is a table and not just a log
		await (await open()).close();
		await damage();
		await expect(open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
		await repair({ directory, at: AT });
		await using store = await open();
		expect(store.damage).toEqual([]);
		expect((await collect(store.read(S))).slice(0, 10)).toEqual(before);
		expect((await verifyLater(store)).damage).toEqual([]);
	});

	test("bytes of a table were flipped: each event kept is one that was there", async () => {
		const before = await stored();
		await (await open()).close();
		const table = await file(/\.ldb$/);
		const bytes = await readFile(table);
		bytes.fill(0xff, 60, 120);
		await writeFile(table, bytes);
		expect((await verifyDirectory(directory, { blobs: true })).damage).not.toEqual([]);
		await repair({ directory, at: AT });
		await using store = await open();
		const after = (await collect(store.read(S))).filter(({ type }) => type !== "store/repaired");
		expect(after).toEqual(before.slice(0, after.length));
		expect((await verifyLater(store)).damage).toEqual([]);
	});
});

const verifyLater = (store: Awaited<ReturnType<typeof open>>) => store.verify({ blobs: true });

describe("a rename", () => {
	const failing = (times: number, code: string) => {
		let tried = 0;
		const move = async () => {
			if (tried++ < times) throw Object.assign(new Error(code), { code });
		};
		return { move, tried: () => tried };
	};

	test.each(["EPERM", "EBUSY", "EACCES"])(
		"is tried again while something holds the file (%s)",
		async (code) => {
			const { move, tried } = failing(2, code);
			await renamePatiently("a", "b", move);
			expect(tried()).toBe(3);
		},
	);

	test("gives up in the end, and at once where waiting will not help", async () => {
		const held = failing(Number.POSITIVE_INFINITY, "EBUSY");
		await expect(renamePatiently("a", "b", held.move)).rejects.toMatchObject({ code: "EBUSY" });
		expect(held.tried()).toBe(10);
		const missing = failing(1, "ENOENT");
		await expect(renamePatiently("a", "b", missing.move)).rejects.toMatchObject({ code: "ENOENT" });
		expect(missing.tried()).toBe(1);
	});
});
