import fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_TERMS, blocksFor, encodeBlock, findInBlock } from "../../projections/recall/blocks.ts";
import { decodePostings, encodePostings } from "../../projections/recall/postings.ts";

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

const term = fc.string({ unit: fc.constantFrom(..."ab0é漢𠀀Ａ/._-"), minLength: 1, maxLength: 12 });
const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 200 }).map((list) => list.sort());

/** What a segment's rows hold of terms: blocks, and the first term of each. */
function blocksOf(sorted: readonly string[]) {
	const blocks: Uint8Array[] = [];
	const firsts: string[] = [];
	for (let at = 0; at < sorted.length; at += BLOCK_TERMS) {
		const held = sorted.slice(at, at + BLOCK_TERMS);
		firsts.push(held[0] as string);
		blocks.push(encodeBlock(held.map((one) => [one, encodePostings([sorted.indexOf(one), 2])])));
	}
	return { blocks, firsts };
}

test("of a segment's terms exactly those asked for are found, in the blocks that may hold them", () => {
	fc.assert(
		fc.property(terms, term, fc.boolean(), (sorted, wanted, asPrefix) => {
			const { blocks, firsts } = blocksOf(sorted);
			const [from, to] = blocksFor(firsts, wanted, asPrefix);
			const found = blocks
				.slice(from, to + 1)
				.flatMap((block) => findInBlock(block, wanted, asPrefix, 7))
				.map(({ term, each }) => {
					let document = -1;
					each((number) => {
						document = number - 7;
					});
					return [term, document];
				});
			const isSo = (one: string) => (asPrefix ? one.startsWith(wanted) : one === wanted);
			expect(found).toEqual(sorted.flatMap((one, index) => (isSo(one) ? [[one, index]] : [])));
		}),
	);
});
