import { deepStrictEqual } from "node:assert";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineEvent } from "../../events/envelope.ts";
import { createRegistry, EventError } from "../../events/registry.ts";
import { decodeRaw, encodeEvent, understand } from "../../src/store/event-codec.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { genesis } from "../../src/store/head.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import { schemaCheck } from "../../src/store/schema-check.ts";
import { note, registry } from "./note-events.ts";

const carry = (data: unknown) => ({ ...note(""), event: { type: "note/carried", data } });
const stored = (data: unknown) => Buffer.from(encodeEvent(registry, carry(data), genesis("s")));
const back = (value: Buffer) => decodeRaw("s", 0, value, sha256Node(value)).data;

/** Anything a caller could hand over, the impossible included. */
const anything = fc.anything({
	withNullPrototype: true,
	withMap: true,
	withSet: true,
	withDate: true,
	withBigInt: true,
	withSparseArray: true,
	withTypedArray: true,
	key: fc.oneof(
		fc.string({ unit: "binary" }),
		fc.constantFrom("__proto__", "constructor", "1", "toJSON", ""),
	),
	values: [
		fc.string({ unit: "binary" }),
		fc.constantFrom(
			"\ud800",
			"a\udc00",
			`${"x".repeat(90)}\ud800`,
			"\ufffd",
			"日本",
			"\ud7ff",
			-0,
			Number.NaN,
			Number.POSITIVE_INFINITY,
			undefined,
			null,
		),
		fc.double(),
		fc.maxSafeInteger(),
		fc.boolean(),
	],
});

test("a payload is refused or comes back exactly as it went in", () => {
	fc.assert(
		fc.property(anything, (data) => {
			let value: Buffer;
			try {
				value = stored(data);
			} catch (error) {
				expect(error).toMatchObject({ code: "EVENT_INVALID" });
				return;
			}
			// not `toStrictEqual`, which takes a key named constructor for the class
			deepStrictEqual(back(value), plain(data));
		}),
		{ numRuns: 1000 },
	);
});

/** Null prototypes and byte arrays come back as ordinary objects and Buffers. */
function plain(data: unknown): unknown {
	if (data instanceof Uint8Array) return Buffer.from(data);
	if (Array.isArray(data)) return data.map(plain);
	if (typeof data !== "object" || data === null) return data;
	return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, plain(value)]));
}

test.each([
	["a lone surrogate", { a: ["\ud800"] }],
	["a key with a lone surrogate", { "\udfff": 1 }],
	["a __proto__ key", JSON.parse('{"__proto__":1}')],
	["minus zero", { a: -0 }],
	["NaN", { a: Number.NaN }],
	["undefined", { a: undefined }],
	["a hole", new Array(2)],
	["a Map", new Map()],
	["a Date", new Date(0)],
	["a bigint", 1n],
	["a function", { a: () => 1 }],
])("%s is refused, for storage would alter it", (_, data) => {
	expect(() => stored(data)).toThrow(expect.objectContaining({ code: "EVENT_INVALID" }));
});

test("a payload without an end is refused", () => {
	const loop: { self?: unknown } = {};
	loop.self = loop;
	expect(() => stored(loop)).toThrow("64 levels");
});

test.each([{ at: 1.5 }, { at: Number.NaN }, { actor: "nobody" }, { cause: "\ud800" }, { node: "\udc00" }])(
	"an envelope with %o is refused",
	(wrong) => {
		const recorded = { ...note("a"), ...wrong } as ReturnType<typeof note>;
		expect(() => encodeEvent(registry, recorded, genesis("s"))).toThrow(EventError);
	},
);

test("the same payload gives the same bytes, whatever was packed before it", () => {
	const data = {
		b: [1, "x", null],
		a: { nested: true },
		text: "ü".repeat(40),
		many: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i])),
	};
	const first = stored(data);
	for (let other = 0; other < 3000; other++) stored({ [`shape${other}`]: other });
	expect(stored(data)).toEqual(first);
});

test("bytes inside a payload are copies, not views of what they were read from", () => {
	const value = stored({ bytes: Buffer.from("abc") });
	const { bytes } = back(value) as { bytes: Buffer };
	value.fill(0);
	expect(bytes.toString()).toBe("abc");
});

test("an event of an older version is brought up and then checked", () => {
	const raw = { ...decodeRaw("s", 0, stored(""), ""), type: "note/renamed", v: 1 };
	expect(understand(registry, { ...raw, data: "old" })).toMatchObject({ v: 2, data: { name: "old" } });
	expect(() => understand(registry, { ...raw, data: 7 })).toThrow(
		expect.objectContaining({ code: "EVENT_INVALID" }),
	);
	expect(() => understand(registry, { ...raw, v: 9 })).toThrow(
		expect.objectContaining({ code: "EVENT_NEWER" }),
	);
});

describe("a compiled check agrees with TypeBox", () => {
	const schemas: readonly TSchema[] = [
		Type.Object({
			s: Type.String(),
			o: Type.Optional(Type.Integer({ minimum: 0 })),
			u: Type.Union([Type.Literal("a"), Type.Literal(1), Type.Null()]),
			a: Type.Array(Type.Number()),
		}),
		Type.Union([Type.String(), Type.Object({ s: Type.Boolean() }), Type.Array(Type.Literal("a"))]),
		Type.Record(Type.String(), Type.Union([Type.Number({ maximum: 1 }), Type.Object({ s: Type.String() })])),
		Type.Object({ s: Type.Unknown(), a: Type.Optional(Type.Object({ o: Type.Null() })) }),
		Type.Unknown(),
	];
	const leaf = fc.constantFrom("a", "ab", "", 1, 0, -1, 1.5, true, null);
	const value = fc.letrec((tie) => ({
		any: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("any"), { maxLength: 3 }), tie("object")),
		object: fc.dictionary(fc.constantFrom("s", "o", "u", "a", "x"), tie("any"), { maxKeys: 5 }),
	})).any;
	const fitting = fc.record(
		{ s: fc.string(), o: fc.nat(), u: fc.constantFrom("a", 1, null), a: fc.array(fc.integer()) },
		{ requiredKeys: ["s", "u", "a"] },
	);

	test.each(schemas)("on %j", (schema) => {
		fc.assert(
			fc.property(fc.oneof(value, fitting), (candidate) => {
				expect(schemaCheck(schema)(candidate) === undefined).toBe(Value.Check(schema, candidate));
			}),
		);
	});

	test("and names the place of what is wrong", () => {
		const schema = Type.Object({
			a: Type.Array(Type.Object({ n: Type.Integer({ minimum: 0 }) })),
			s: Type.Optional(Type.String()),
		});
		expect(schemaCheck(schema)({ a: [{ n: 0 }, { n: -1 }] })).toBe(
			"/a/1/n must be integer from 0 to Infinity",
		);
		expect(schemaCheck(schema)({ a: [{}] })).toBe("/a/0/n is missing");
		expect(schemaCheck(schema)({ a: [], s: null })).toBe("/s must be string");
	});

	test.each([
		Type.String({ minLength: 2 }),
		Type.Tuple([Type.String(), Type.Number()]),
		Type.Object({ a: Type.String({ pattern: "^a" }) }),
		Type.Object({}, { additionalProperties: false }),
		Type.Record(Type.String({ pattern: "^a" }), Type.Number()),
		Type.Number({ multipleOf: 2 }),
	])("and refuses a schema it does not know: %j", (schema) => {
		expect(() => schemaCheck(schema)).toThrow(TypeError);
		expect(() => openMemoryStore({ registry: createRegistry([defineEvent("note/odd", 1, schema)]) })).toThrow(
			TypeError,
		);
	});
});
