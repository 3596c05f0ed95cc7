import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePostings, encodePostings } from "../../projections/recall/postings.ts";
import { parseTermKey, prefixRows, termKey, termRows } from "../../projections/recall/rows.ts";

const postings = fc
	.uniqueArray(fc.nat(1_000_000), { maxLength: 50 })
	.chain((documents) =>
		fc.tuple(
			...documents
				.sort((a, b) => a - b)
				.map((document) => fc.tuple(fc.constant(document), fc.integer({ min: 1, max: 70_000 }))),
		),
	);

test("postings come back as they went in, counted from the segment's first document", () => {
	fc.assert(
		fc.property(postings, fc.nat(1_000_000), (pairs, first) => {
			const back: [number, number][] = [];
			decodePostings(encodePostings(pairs.flat()), first, (document, times) =>
				back.push([document - first, times]),
			);
			expect(back).toEqual(pairs);
		}),
	);
});

test("postings that end within a number are refused", () => {
	expect(() => decodePostings(Uint8Array.of(0x80), 0, () => {})).toThrow(RangeError);
});

const term = fc.string({ unit: fc.constantFrom(..."ab0é漢𠀀/._-"), minLength: 1, maxLength: 12 });
const isWithin = (key: Uint8Array, { gte, lt }: { gte: Uint8Array; lt: Uint8Array }) =>
	Buffer.compare(key, gte) >= 0 && Buffer.compare(key, lt) < 0;

test("a term's key names it and its segment, and lies in the range of that term and of each of its beginnings alone", () => {
	fc.assert(
		fc.property(
			term,
			term,
			fc.nat(0xffffffff),
			fc.constantFrom("t" as const, "h" as const),
			(one, other, segment, space) => {
				const key = termKey(space, one, segment);
				expect(parseTermKey(key)).toEqual({ term: one, segment });
				expect(isWithin(key, termRows(space, other))).toBe(one === other);
				expect(isWithin(key, prefixRows(space, other))).toBe(one.startsWith(other));
				expect(isWithin(key, prefixRows(space === "t" ? "h" : "t", one))).toBe(false);
			},
		),
	);
});
