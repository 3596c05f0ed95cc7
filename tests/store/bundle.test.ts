import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BundleError } from "../../src/store/bundle/bundle-error.ts";
import { writeWholeFile } from "../../src/store/bundle/bundle-file.ts";
import { isBundle } from "../../src/store/bundle/bundle-source.ts";
import { type BundleRead, readBundle } from "../../src/store/bundle/read-bundle.ts";
import { unpackBundle, unpackWhole } from "../../src/store/bundle/unpack-bundle.ts";
import { openStore } from "../../src/store/open-store.ts";
import { bundleOf, contentOf, furnishedStore, type Laid, putTogether, takeApart } from "./bundles.ts";
import { collect } from "./collect.ts";
import { notes, registry } from "./note-events.ts";

let folder: string;
let whole: Buffer;
let redacted: Buffer;
let opening: Buffer;
let records: Laid[];
let next = 0;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "palimpsest-bundles-"));
	const store = await furnishedStore();
	whole = await bundleOf(store);
	redacted = await bundleOf(store, { redact: true });
	({ opening, records } = takeApart(whole));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const freshPath = () => join(folder, `file-${next++}`);

/** Bytes as a file. */
function written(bytes: Uint8Array): string {
	const file = freshPath();
	writeFileSync(file, bytes);
	return file;
}

/** What is found of bytes: as it was read, or by the code it was refused with. */
async function found(bytes: Uint8Array): Promise<BundleRead | string> {
	const file = written(bytes);
	try {
		return await readBundle(file, { take: () => {} });
	} catch (error) {
		if (error instanceof BundleError) return error.code;
		throw error;
	} finally {
		rmSync(file);
	}
}

/** The faults found of bytes whose header can be read. */
async function faults(bytes: Uint8Array) {
	const read = await found(bytes);
	return typeof read === "string" ? expect.fail(read) : read.damage;
}

/** Where each event of a stream lies, by its place in the bundle's records. */
function eventsOf(stream: string): number[] {
	const from = records.findIndex(({ kind, bytes }) => kind === "s" && bytes.toString("utf8", 5) === stream);
	const rest = records.slice(from + 1);
	const end = rest.findIndex(({ kind }) => kind === "s" || kind === "b");
	return rest.slice(0, end).flatMap(({ kind }, index) => (kind === "e" ? [from + 1 + index] : []));
}

const withRecords = (change: (all: Laid[]) => void) => {
	const all = [...records];
	change(all);
	return putTogether(opening, all);
};

describe("a bundle", () => {
	test("is laid out as described: two lines, records, and the SHA-256 of all before the last", () => {
		const [first, second] = opening.toString().split("\n");
		expect(first).toBe("palimpsest bundle 1");
		expect(JSON.parse(second ?? "")).toEqual({
			format: 1,
			streams: [
				{ stream: "session/one", version: 9, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
				{ stream: "memory/two", version: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
			],
			redacted: false,
			partial: false,
		});
		expect(records.map(({ kind }) => kind).join("")).toBe("sepepepepepeeeecseeeb");
		expect(putTogether(opening, records)).toEqual(whole);
		// an event's record holds the hash of the one before it, and its own hash is that of what it holds
		const values = eventsOf("session/one").map(
			(index) => records[index]?.bytes.subarray(5) ?? Buffer.alloc(0),
		);
		for (const [index, value] of values.slice(1).entries())
			expect(value.toString("hex", 0, 32)).toBe(
				createHash("sha256")
					.update(values[index] ?? "")
					.digest("hex"),
			);
	});

	test("of the same store is the same bytes, also of the store that was made of it", async () => {
		expect(await bundleOf(await furnishedStore())).toEqual(whole);
		const to = freshPath();
		await unpackWhole({ file: written(whole), to });
		await using store = await openStore({ directory: to, registry, readOnly: true });
		expect(await bundleOf(store)).toEqual(whole);
		expect(await bundleOf(store, { redact: true })).toEqual(redacted);
	});

	test("gives a store with the same heads, events, seals, contents and checkpoints, in which nothing is wrong", async () => {
		const original = await furnishedStore();
		const to = freshPath();
		const { counts, damage, digest } = await unpackBundle({ file: written(whole), to });
		expect(damage).toEqual([]);
		expect(counts).toEqual({ events: 12, seals: 5, checkpoints: 1, contents: 3, bytes: 661, leftOut: 0 });
		expect(digest).toBe(whole.toString("hex", whole.length - 32));
		await using store = await openStore({ directory: to, registry, readOnly: true });
		expect(store.streams()).toEqual(original.streams());
		for (const stream of original.streams()) {
			expect(store.head(stream)).toEqual(original.head(stream));
			expect(await collect(store.read(stream))).toEqual(await collect(original.read(stream)));
			for (let at = 0; at < original.head(stream).version; at++)
				expect(store.sealed(stream, at)).toEqual(original.sealed(stream, at));
		}
		for (const text of ["the first text", "a third"])
			expect(store.blob(contentOf(text).digest)).toEqual(contentOf(text).bytes);
		expect(store.checkpoint("session/one", "notes", 1)?.state).toEqual({ seen: new Map([["a", 1]]) });
		const verified = await store.verify({ blobs: true });
		expect({ damage: verified.damage, notes: verified.notes }).toEqual({ damage: [], notes: [] });
	});

	test("redacted holds the same events and no byte of the contents, which it names", async () => {
		const read = await found(redacted);
		expect(read).toMatchObject({ damage: [], header: { redacted: true } });
		expect(read).toMatchObject({ counts: { events: 12, contents: 0, leftOut: 3 } });
		const { records: bare } = takeApart(redacted);
		const events = (all: readonly Laid[]) => all.flatMap(({ kind, bytes }) => (kind === "e" ? [bytes] : []));
		expect(events(bare)).toEqual(events(records));
		expect(bare.map(({ kind }) => kind).join("")).toBe("sepepepepepeeeecseeed");
		expect(redacted.includes("second text")).toBe(false);
		expect(redacted.includes(Buffer.from(contentOf("a third").digest, "hex"))).toBe(true);
	});

	test("holds large contents and very many events, whatever the pieces they are read in", async () => {
		await using store = await furnishedStore();
		const large = contentOf("x".repeat(3 << 20));
		await store.append("session/one", notes(30_000, 9), 9, { blobs: [large, contentOf("")] });
		const file = written(await bundleOf(store));
		const to = freshPath();
		expect((await unpackWhole({ file, to })).counts).toMatchObject({ events: 30_012, contents: 5 });
		await using again = await openStore({ directory: to, registry, readOnly: true });
		expect(again.head("session/one")).toEqual(store.head("session/one"));
		expect(again.blob(large.digest)).toEqual(large.bytes);
		expect(again.blob(contentOf("").digest)).toHaveLength(0);
	});

	test("of an empty store is a bundle", async () => {
		const to = freshPath();
		const empty = putTogether(
			Buffer.from('palimpsest bundle 1\n{"format":1,"streams":[],"redacted":false,"partial":false}\n'),
			[],
		);
		expect((await unpackWhole({ file: written(empty), to })).counts.events).toBe(0);
	});
});

describe("whatever was done to a bundle is found", () => {
	test("any byte that is another, with the position where it is an event's", async () => {
		const lies = (at: number) => records.find(({ start, bytes }) => at >= start && at < start + bytes.length);
		const streamOf = (record: Laid) =>
			record.start < (records[eventsOf("memory/two")[0] ?? 0]?.start ?? 0) ? "session/one" : "memory/two";
		const flips = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }));
		await fc.assert(
			fc.asyncProperty(flips, async ([at, mask]) => {
				const bytes = Buffer.from(whole);
				bytes[at] = (bytes[at] ?? 0) ^ mask;
				const read = await found(bytes);
				const record = lies(at);
				if (typeof read === "string") {
					expect(at).toBeLessThan(opening.length);
					return;
				}
				expect(read.damage).not.toEqual([]);
				if (record?.kind !== "e" || at < record.start + 5) return;
				const stream = streamOf(record);
				const position = eventsOf(stream).findIndex((index) => records[index] === record);
				expect(read.damage).toEqual([expect.objectContaining({ part: "event", stream, position })]);
			}),
			{ numRuns: 1500, seed: 6 },
		);
	});

	test("any byte that is another in a redacted one", async () => {
		for (let at = 0; at < redacted.length; at++) {
			const bytes = Buffer.from(redacted);
			bytes[at] = (bytes[at] ?? 0) ^ 0x10;
			const read = await found(bytes);
			if (typeof read !== "string") expect({ at, damage: read.damage }).not.toEqual({ at, damage: [] });
		}
	});

	test("an end that is cut off, wherever", async () => {
		for (let length = 1; length < whole.length; length++) {
			const read = await found(whole.subarray(0, length));
			if (typeof read === "string") expect({ length, read }).toEqual({ length, read: "BUNDLE_TRUNCATED" });
			else {
				expect(read.cut?.code).toBe("BUNDLE_TRUNCATED");
				expect(read.damage.length).toBeGreaterThan(0);
			}
		}
		// the first event that is not whole any more is named
		const sixth = records[eventsOf("session/one")[6] ?? 0] as Laid;
		expect(await faults(whole.subarray(0, sixth.start + 20))).toEqual([
			expect.objectContaining({ part: "event", stream: "session/one", position: 6 }),
			expect.objectContaining({ part: "event", stream: "memory/two", position: 0 }),
		]);
	});

	const changes: readonly [string, (all: Laid[], at: number) => void, number][] = [
		["taken out", (all: Laid[], at: number) => void all.splice(at, 1), 6],
		["repeated", (all: Laid[], at: number) => void all.splice(at, 0, all[at] as Laid), 7],
		[
			"swapped with the next",
			(all: Laid[], at: number) => void all.splice(at, 2, all[at + 1] as Laid, all[at] as Laid),
			6,
		],
		[
			"of another stream",
			(all: Laid[], at: number) => void all.splice(at, 1, all[eventsOf("memory/two")[1] ?? 0] as Laid),
			6,
		],
	];
	test.each(changes)(
		"an event that is %s, though the end was made to fit",
		async (_what, change, position) => {
			const at = eventsOf("session/one")[6] ?? 0;
			expect(await faults(withRecords((all) => change(all, at)))).toEqual([
				expect.objectContaining({ part: "event", stream: "session/one", position }),
			]);
		},
	);

	test("the last events that are left out, though the end was made to fit", async () => {
		const [, , third = 0] = eventsOf("memory/two");
		expect(await faults(withRecords((all) => void all.splice(third, 1)))).toEqual([
			expect.objectContaining({ part: "event", stream: "memory/two", position: 2 }),
		]);
	});

	test("a content that is another, though the end was made to fit", async () => {
		const [content] = records.filter(({ kind }) => kind === "b");
		const bytes = Buffer.from(content?.bytes ?? "");
		const digest = contentOf("the first text").digest;
		bytes[5 + 4] = (bytes[5 + 4] ?? 0) ^ 1;
		const named = `${(Number.parseInt(digest.slice(0, 2), 16) ^ 1).toString(16).padStart(2, "0")}${digest.slice(2)}`;
		const damaged = withRecords((all) => void all.splice(-1, 1, { ...(content as Laid), bytes }));
		expect(await faults(damaged)).toEqual([expect.objectContaining({ part: "blob", digest: named })]);
	});

	test("a content of which a byte would be inflated to very many", async () => {
		const [content] = records.filter(({ kind }) => kind === "b");
		const bytes = Buffer.from(content?.bytes ?? "");
		bytes.writeUInt32BE(0xffff_ffff, 5 + 4 + 32);
		const damaged = withRecords((all) => void all.splice(-1, 1, { ...(content as Laid), bytes }));
		expect((await faults(damaged)).map(({ part }) => part)).toEqual(["blob", "blob", "blob"]);
	});

	test("bytes behind the end, and an end in the middle", async () => {
		expect(await faults(Buffer.concat([whole, Buffer.from("more")]))).toEqual([
			expect.objectContaining({ part: "files", what: "4 bytes stand behind its end" }),
		]);
		const half = putTogether(opening, records.slice(0, 8));
		expect(await faults(Buffer.concat([half, whole]))).toEqual([
			expect.objectContaining({ stream: "session/one", position: 3 }),
			expect.objectContaining({ stream: "memory/two", position: 0 }),
		]);
	});

	test("and no store is left of it", async () => {
		const bytes = Buffer.from(whole);
		const at = (records[3]?.start ?? 0) + 40;
		bytes[at] = (bytes[at] ?? 0) ^ 1;
		const to = freshPath();
		await expect(unpackWhole({ file: written(bytes), to })).rejects.toMatchObject({
			code: "BUNDLE_DAMAGED",
			message: expect.stringContaining("event 1 of session/one was changed"),
		});
		expect(existsSync(to)).toBe(false);
	});
});

describe("what is no bundle, or none of this release", () => {
	test("is refused with a code of its own", async () => {
		const newer = Buffer.concat([Buffer.from("palimpsest bundle 2\n"), whole.subarray(20)]);
		expect(await found(newer)).toBe("BUNDLE_NEWER");
		const format = Buffer.from(opening.toString().replace('"format":1', '"format":2'));
		expect(await found(putTogether(format, records))).toBe("BUNDLE_NEWER");
		expect(
			await found(Buffer.from("something else altogether, which is long enough to be told apart from one\n")),
		).toBe("BUNDLE_UNRECOGNISED");
		expect(await found(Buffer.from("palimpsest bundle one\n{}\n"))).toBe("BUNDLE_UNRECOGNISED");
		expect(await found(Buffer.from("palimpsest bundle 1\n{}\n"))).toBe("BUNDLE_DAMAGED");
		expect(await found(Buffer.from("palimpsest bundle 1\nno JSON\n"))).toBe("BUNDLE_DAMAGED");
	});

	test("is told from one by how it begins", async () => {
		expect(await isBundle(written(whole))).toBe(true);
		expect(await isBundle(written(whole.subarray(0, 4)))).toBe(true);
		for (const bytes of ["", "{}", "palimpsest"])
			expect(await isBundle(written(Buffer.from(bytes)))).toBe(bytes === "palimpsest");
		expect(await isBundle(folder)).toBe(false);
		expect(await isBundle(join(folder, "nothing here"))).toBe(false);
	});
});

describe("a bundle's file", () => {
	async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
		for (const text of texts) yield Buffer.from(text);
	}
	async function* failing(): AsyncGenerator<Uint8Array> {
		yield* pieces("half of ");
		throw new Error("the disk is full");
	}

	test("is left alone where one stands, unless it is to be replaced", async () => {
		const file = freshPath();
		expect(await writeWholeFile(pieces("one ", "two"), { file })).toBe(7);
		await expect(writeWholeFile(pieces("three"), { file })).rejects.toMatchObject({ code: "BUNDLE_EXISTS" });
		expect(readFileSync(file, "utf8")).toBe("one two");
		await writeWholeFile(pieces("three"), { file, force: true });
		expect(readFileSync(file, "utf8")).toBe("three");
	});

	test("is there whole or as it was before", async () => {
		const file = freshPath();
		const beside = readdirSync(folder).length;
		await expect(writeWholeFile(failing(), { file })).rejects.toThrow("the disk is full");
		expect(readdirSync(folder)).toHaveLength(beside);
		writeFileSync(file, "before");
		await expect(writeWholeFile(failing(), { file, force: true })).rejects.toThrow("the disk is full");
		expect(readFileSync(file, "utf8")).toBe("before");
		expect(readdirSync(folder)).toHaveLength(beside + 1);
	});
});
