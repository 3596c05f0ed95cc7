import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeOpening } from "../../src/store/bundle/bundle-format.ts";
import { readBundle } from "../../src/store/bundle/read-bundle.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { genesis } from "../../src/store/head.ts";
import type { Damage } from "../../src/store/store.ts";
import { bundleOf, contentOf, furnishedStore, type Laid, putTogether, takeApart } from "./bundles.ts";

let folder: string;
let opening: Buffer;
let records: Laid[];

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "palimpsest-hostile-"));
	({ opening, records } = takeApart(await bundleOf(await furnishedStore())));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is found of a bundle whose hashes all hold. */
async function faults(bundle: Buffer): Promise<readonly Damage[]> {
	const file = join(folder, "bundle");
	writeFileSync(file, bundle);
	return (await readBundle(file, { take: () => {} })).damage;
}

function record(kind: string, ...parts: readonly Uint8Array[]): { readonly bytes: Buffer } {
	const held = Buffer.concat(parts);
	const head = Buffer.alloc(5, kind);
	head.writeUInt32BE(held.length, 1);
	return { bytes: Buffer.concat([head, held]) };
}

/** The bundle with what every record of a kind holds changed. */
function instead(kind: string, change: (held: Buffer) => Uint8Array): Buffer {
	return putTogether(
		opening,
		records.map((one) => (one.kind === kind ? record(kind, change(one.bytes.subarray(5))) : one)),
	);
}

function contents(...all: readonly Buffer[]): { readonly bytes: Buffer } {
	const table = Buffer.alloc(4 + 36 * all.length);
	table.writeUInt32BE(all.length, 0);
	for (const [index, bytes] of all.entries()) {
		table.write(sha256Node(bytes), 4 + 36 * index, 32, "hex");
		table.writeUInt32BE(bytes.length, 36 + 36 * index);
	}
	return record("b", table, deflateSync(Buffer.concat(all)));
}

/** A stored checkpoint of some bytes of msgpack, with the hash that belongs to them. */
function checkpointOf(place: Buffer, ...body: number[]): Buffer {
	const bytes = Buffer.from(body);
	return Buffer.concat([place, deflateSync(Buffer.concat([Buffer.from(sha256Node(bytes), "hex"), bytes]))]);
}

test("a seal of another length is none", async () => {
	const found = await faults(instead("p", (held) => held.subarray(1)));
	expect(found[0]).toMatchObject({ part: "event", stream: "session/one", position: 0 });
});

test("a checkpoint that covers more events than there are, or holds none, is none", async () => {
	const far = Buffer.alloc(8, 0xff);
	for (const change of [
		(held: Buffer) => Buffer.concat([held.subarray(0, 8), far, held.subarray(16)]),
		// a text that ends before it does, nothing, and a number
		(held: Buffer) => checkpointOf(held.subarray(0, 16), 0xd9, 0xff),
		(held: Buffer) => checkpointOf(held.subarray(0, 16), 0xc0),
		(held: Buffer) => checkpointOf(held.subarray(0, 16), 5),
	])
		expect((await faults(instead("c", change))).map(({ part }) => part)).toEqual(["checkpoint"]);
});

test("what is chained and is no event is found at its position", async () => {
	for (const body of ["no event", ""]) {
		const event = Buffer.concat([Buffer.from(genesis("session/x"), "hex"), Buffer.from(body)]);
		const head = { stream: "session/x", version: 1, hash: sha256Node(event) };
		const begin = encodeOpening({ format: 1, streams: [head], redacted: false, partial: false });
		const found = await faults(
			putTogether(begin, [record("s", Buffer.from("session/x")), record("e", event)]),
		);
		expect(found).toEqual([expect.objectContaining({ part: "event", stream: "session/x", position: 0 })]);
	}
});

test("a content that stands there twice is found", async () => {
	const twice = [...records, contents(Buffer.from("a third"))];
	const { digest } = contentOf("a third");
	expect(await faults(putTogether(opening, twice))).toEqual([
		expect.objectContaining({ part: "blob", digest }),
	]);
});

test("contents that a small record inflates to more than is held at a time are not taken", async () => {
	const [zeros, ones] = [Buffer.alloc(9 << 20), Buffer.alloc(9 << 20, 1)];
	expect(await faults(putTogether(opening, [...records, contents(zeros), contents(ones)]))).toEqual([]);
	const together = await faults(putTogether(opening, [...records, contents(zeros, ones)]));
	expect(together.map(({ part }) => part)).toEqual(["blob", "blob"]);
});

test("a record that says it is longer than any may be is not waited for", async () => {
	const { bytes } = record("e");
	bytes.writeUInt32BE(0xffff_ffff, 1);
	const [fault] = await faults(putTogether(opening, [...records, { bytes }]));
	expect(fault?.what).toContain("longer than any may be");
});
