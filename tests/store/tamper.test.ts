import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256Node } from "../../src/store/hash.ts";
import { decodeHead, encodeHead } from "../../src/store/head.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { allOf, eventKey, headKey } from "../../src/store/keys.ts";
import { memoryKeyValue } from "../../src/store/memory-key-value.ts";
import type { Store } from "../../src/store/store.ts";
import { verifyKeyValue } from "../../src/store/verify.ts";
import { collect } from "./collect.ts";
import { logOver } from "./log-over.ts";
import { notes } from "./note-events.ts";

const S = "session/one";
const OTHER = "session/two";

/** Two streams in a database of the test's own, so that its bytes can be reached. */
async function written(count: number): Promise<{ kv: KeyValue; store: Store }> {
	const kv = memoryKeyValue();
	const store = logOver(kv);
	await store.append(S, notes(count), 0);
	await store.append(OTHER, notes(count, 100), 0);
	return { kv, store };
}

async function change(kv: KeyValue, key: Uint8Array, value: Uint8Array | undefined): Promise<void> {
	const batch = kv.batch();
	if (value) batch.put(key, value);
	else batch.del(key);
	await batch.write(false);
}

const at = (kv: KeyValue, position: number, stream = 0): Buffer =>
	Buffer.from(kv.get(eventKey(stream, position)) as Uint8Array);

/** Puts a list of values where the stream's events were. */
async function replaceAll(kv: KeyValue, count: number, values: readonly Buffer[]): Promise<void> {
	for (let position = 0; position < Math.max(count, values.length); position++) {
		await change(kv, eventKey(0, position), values[position]);
	}
}

/** Gives the stream a head with a sound check of its own: what someone would write who knows the format. */
async function forgeHead(kv: KeyValue, version: number, hash: string): Promise<void> {
	await change(kv, headKey(0), encodeHead({ version, hash, name: S }));
}

const place = fc
	.integer({ min: 2, max: 12 })
	.chain((count) => fc.record({ count: fc.constant(count), position: fc.nat(count - 1) }));
const twoPlaces = place.chain(({ count, position }) =>
	fc.record({ count: fc.constant(count), position: fc.constant(position), other: fc.nat(count - 1) }),
);
const found = async (kv: KeyValue) => {
	const { damage, streams } = await verifyKeyValue(kv, undefined);
	return {
		positions: damage.map(({ stream, position }) => `${stream}@${position}`),
		verified: streams[0]?.version,
	};
};

describe("verification names the place of", () => {
	test("any flipped bit of any event", async () => {
		await fc.assert(
			fc.asyncProperty(place, fc.nat(), fc.nat(7), async ({ count, position }, byte, bit) => {
				const { kv } = await written(count);
				const value = at(kv, position);
				value[byte % value.length] = (value[byte % value.length] as number) ^ (1 << bit);
				await change(kv, eventKey(0, position), value);
				expect((await found(kv)).positions).toEqual([`${S}@${position}`]);
			}),
		);
	});

	test("an event cut short or grown", async () => {
		await fc.assert(
			fc.asyncProperty(
				place,
				fc.integer({ min: 1, max: 60 }),
				fc.boolean(),
				async ({ count, position }, by, grows) => {
					const { kv } = await written(count);
					const value = at(kv, position);
					await change(
						kv,
						eventKey(0, position),
						grows ? Buffer.concat([value, Buffer.alloc(by)]) : value.subarray(0, -by),
					);
					expect((await found(kv)).positions).toEqual([`${S}@${position}`]);
				},
			),
		);
	});

	test("a missing event, the last included", async () => {
		await fc.assert(
			fc.asyncProperty(place, async ({ count, position }) => {
				const { kv } = await written(count);
				await change(kv, eventKey(0, position), undefined);
				expect((await found(kv)).positions).toEqual([`${S}@${position}`]);
			}),
		);
	});

	test("a tail cut off", async () => {
		await fc.assert(
			fc.asyncProperty(place, async ({ count, position }) => {
				const { kv } = await written(count);
				for (let lost = position; lost < count; lost++) await change(kv, eventKey(0, lost), undefined);
				expect((await found(kv)).positions).toEqual([`${S}@${position}`]);
			}),
		);
	});

	test("two events that changed places, by the first", async () => {
		await fc.assert(
			fc.asyncProperty(twoPlaces, async ({ count, position, other }) => {
				fc.pre(position !== other);
				const { kv } = await written(count);
				const [a, b] = [at(kv, position), at(kv, other)];
				await change(kv, eventKey(0, position), b);
				await change(kv, eventKey(0, other), a);
				expect((await found(kv)).positions).toEqual([`${S}@${Math.min(position, other)}`]);
			}),
		);
	});

	test("an event written over another, of its own stream or of the other one", async () => {
		await fc.assert(
			fc.asyncProperty(twoPlaces, fc.nat(1), async ({ count, position, other }, stream) => {
				fc.pre(stream === 1 || position !== other);
				const { kv } = await written(count);
				await change(kv, eventKey(0, position), at(kv, other, stream));
				expect((await found(kv)).positions).toEqual([`${S}@${position}`]);
			}),
		);
	});

	test("an event repeated behind itself, with all others moved down and the head made to fit", async () => {
		await fc.assert(
			fc.asyncProperty(place, async ({ count, position }) => {
				const { kv } = await written(count);
				const values = Array.from({ length: count }, (_, index) => at(kv, index));
				values.splice(position, 0, values[position] as Buffer);
				await replaceAll(kv, count, values);
				await forgeHead(kv, count + 1, sha256Node(values.at(-1) as Buffer));
				expect((await found(kv)).positions).toEqual([`${S}@${position + 1}`]);
			}),
		);
	});

	test("an event spliced out, with those behind it moved up", async () => {
		await fc.assert(
			fc.asyncProperty(place, async ({ count, position }) => {
				const { kv } = await written(count);
				const values = Array.from({ length: count }, (_, index) => at(kv, index));
				values.splice(position, 1);
				await replaceAll(kv, count, values);
				expect((await found(kv)).positions).toEqual([`${S}@${position}`]);
			}),
		);
	});

	test("an event spliced out under a forged head, by the event before it at most", async () => {
		await fc.assert(
			fc.asyncProperty(place, async ({ count, position }) => {
				fc.pre(position < count - 1);
				const { kv } = await written(count);
				const values = Array.from({ length: count }, (_, index) => at(kv, index));
				values.splice(position, 1);
				await replaceAll(kv, count, values);
				await forgeHead(kv, count - 1, sha256Node(values.at(-1) as Buffer));
				// nothing tells "the one before was changed" from "one was taken out" but what stood there
				expect((await found(kv)).positions).toEqual([`${S}@${Math.max(0, position - 1)}`]);
			}),
		);
	});

	test("an event added behind the head", async () => {
		const { kv } = await written(3);
		await change(kv, eventKey(0, 3), at(kv, 2));
		expect((await found(kv)).positions).toEqual([`${S}@3`]);
	});

	test("a head that was altered, and events without one", async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(), async (byte) => {
				const { kv } = await written(3);
				const head = Buffer.from(kv.get(headKey(0)) as Uint8Array);
				head[byte % head.length] = (head[byte % head.length] as number) ^ 1;
				await change(kv, headKey(0), head);
				const { damage } = await verifyKeyValue(kv, undefined);
				expect(damage).toEqual([{ part: "head", what: "stream 0 has no sound head" }]);
			}),
		);
		const { kv } = await written(3);
		await change(kv, headKey(1), undefined);
		expect((await verifyKeyValue(kv, undefined)).damage).toMatchObject([
			{ part: "head", what: expect.stringContaining("stream 1") },
		]);
	});
});

test("a stream does not pass for another of the same events", async () => {
	const { kv } = await written(3);
	const { version, hash } = decodeHead(kv.get(headKey(0)) as Uint8Array) as { version: number; hash: string };
	await change(kv, headKey(0), encodeHead({ version, hash, name: "session/three" }));
	expect((await found(kv)).positions).toEqual(["session/three@0"]);
});

test("whatever is counted as verified stands as it was written", async () => {
	await fc.assert(
		fc.asyncProperty(place, fc.nat(), async ({ count, position }, byte) => {
			const { kv } = await written(count);
			const value = at(kv, position);
			value[byte % value.length] = (value[byte % value.length] as number) ^ 0x80;
			await change(kv, eventKey(0, position), value);
			const { verified = 0 } = await found(kv);
			expect(verified).toBeLessThanOrEqual(position);
			// the link before a changed event may be what was changed, so one more than it may go unvouched for
			expect(verified).toBeGreaterThanOrEqual(position - 1);
		}),
	);
});

test("a reader is given everything before the damage, then told where it is, and the store takes no more", async () => {
	const { kv, store } = await written(10);
	const value = at(kv, 6);
	value[40] = (value[40] as number) ^ 1;
	await change(kv, eventKey(0, 6), value);
	const read: number[] = [];
	const reading = (async () => {
		for await (const { position } of store.read(S, { chunk: 2 })) read.push(position);
	})();
	await expect(reading).rejects.toMatchObject({
		code: "STORE_CHAIN_BROKEN",
		detail: { stream: S, position: 6, verified: 6 },
	});
	expect(read).toEqual([0, 1, 2, 3, 4, 5]);
	expect(() => store.event(S, 6)).toThrow(expect.objectContaining({ code: "STORE_CHAIN_BROKEN" }));
	expect(store.readOnly).toBe(true);
	await expect(store.append(S, notes(1), 10)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
	expect(await collect(store.read(OTHER))).toHaveLength(10);
});

test("content that changed is refused by its digest and found by verification", async () => {
	const { kv, store } = await written(2);
	const bytes = Buffer.from("what a tool said");
	const digest = sha256Node(bytes);
	await store.append(S, notes(1), 2, { blobs: [{ digest, bytes }] });
	let key: Uint8Array | undefined;
	for await (const keys of kv.keys(allOf("d"))) key = keys[0];
	await change(kv, key as Uint8Array, Buffer.from("what a tool sayd"));
	expect(() => store.blob(digest)).toThrow(expect.objectContaining({ code: "STORE_BLOB_DAMAGED" }));
	expect((await store.verify({ blobs: true })).damage).toMatchObject([{ part: "blob", digest }]);
	await change(kv, key as Uint8Array, undefined);
	expect(() => store.blob(digest)).toThrow("missing");
	expect((await store.verify()).damage).toEqual([]);
	const needs = { blobs: true, references: () => ["f".repeat(64)] };
	expect((await store.verify(needs)).damage.map((damage) => damage.digest)).toEqual([digest, "f".repeat(64)]);
});

test("what was chained by someone who knows how and is no event is found, and read by nobody", async () => {
	const { kv } = await written(5);
	for (const [index, body] of [Buffer.from([0xc1]), Buffer.from([1]), Buffer.from([0x91, 1])].entries()) {
		const hollow = Buffer.concat([at(kv, 4).subarray(0, 32), body]);
		await change(kv, eventKey(0, 4), hollow);
		await forgeHead(kv, 5, sha256Node(hollow));
		const { damage } = await verifyKeyValue(kv, undefined, { blobs: true, references: () => [] });
		expect(damage[0], `${index}`).toMatchObject({
			part: "event",
			stream: S,
			position: 4,
			what: expect.stringContaining("holds no event"),
		});
		const places = [{ number: 0, name: S, version: 5, hash: sha256Node(hollow) }];
		const store = logOver(kv, { places });
		await expect(collect(store.read(S))).rejects.toMatchObject({ code: "STORE_CHAIN_BROKEN" });
		expect(() => store.event(S, 4)).toThrow("holds no event");
	}
});
