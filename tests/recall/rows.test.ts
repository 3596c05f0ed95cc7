import fc from "fast-check";
import { expect, test } from "vitest";
import {
	BLOCK_TERMS,
	BlockWriter,
	blocksFor,
	findInBlock,
	soughtOf,
} from "../../projections/recall/blocks.ts";
import { PostingList } from "../../projections/recall/posting-list.ts";
import { decodePostings, encodePostings, POSTING_BYTES } from "../../projections/recall/postings.ts";

type Pairs = readonly (readonly [document: number, times: number])[];

function listOf(pairs: Pairs): PostingList {
	const list = new PostingList();
	for (const [document, times] of pairs) list.add(document, times);
	return list;
}

function pairsOf({ documents, times, length }: PostingList): Pairs {
	return Array.from({ length }, (_, at) => [documents[at] as number, times[at] as number]);
}

const postings = fc
	.uniqueArray(fc.nat(1_000_000), { maxLength: 50 })
	.chain((documents) =>
		fc.tuple(
			...documents
				.sort((a, b) => a - b)
				.map((document) => fc.tuple(fc.constant(document), fc.integer({ min: 1, max: 70_000 }))),
		),
	);

test("postings come back as they went in, counted from the segment's first document, behind what a list held", () => {
	fc.assert(
		fc.property(postings, fc.nat(1_000_000), fc.nat(3), (pairs, first, at) => {
			const bytes = new Uint8Array(at + pairs.length * POSTING_BYTES);
			const end = encodePostings(listOf(pairs), bytes, at);
			const back = listOf([[7, 7]]);
			decodePostings(bytes, first, back, at, end);
			expect(pairsOf(back)).toEqual([[7, 7], ...pairs.map(([document, times]) => [first + document, times])]);
		}),
	);
});

test.each([[[0x80]], [[0x01]], [[0x01, 0x80]]])(
	"postings that end within a number are refused: %j",
	(bytes) => {
		expect(() => decodePostings(Uint8Array.from(bytes), 0, new PostingList())).toThrow(RangeError);
	},
);

const term = fc.string({ unit: fc.constantFrom(..."ab0é漢𠀀Ａ/._-"), minLength: 1, maxLength: 12 });
const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 200 }).map((list) => list.sort());

/** What a segment's rows hold of terms: blocks, and the first term of each. */
function blocksOf(sorted: readonly string[]) {
	const blocks: Uint8Array[] = [];
	const firsts: string[] = [];
	const writer = new BlockWriter();
	for (let at = 0; at < sorted.length; at += BLOCK_TERMS) {
		const held = sorted.slice(at, at + BLOCK_TERMS);
		firsts.push(held[0] as string);
		for (const one of held) writer.add(one, listOf([[sorted.indexOf(one), 2]]));
		blocks.push(writer.take());
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
				.flatMap((block) => findInBlock(block, soughtOf(wanted, asPrefix), 7))
				.map(({ term, addTo }) => {
					const list = new PostingList();
					addTo(list);
					return [term, pairsOf(list)];
				});
			const isSo = (one: string) => (asPrefix ? one.startsWith(wanted) : one === wanted);
			expect(found).toEqual(sorted.flatMap((one, index) => (isSo(one) ? [[one, [[index + 7, 2]]]] : [])));
		}),
	);
});
