import type { Dice } from "./dice.ts";
import { type Asks, type Group, NEIGHBOURS } from "./groups.ts";
import { lengthsOf, textOf } from "./text.ts";
import type { Forms, Vocabulary } from "./words.ts";

/** Needles of one vocabulary. */
export interface WordGroups {
	readonly vocabulary: Vocabulary;
	/** how many are asked for by the words they hold, and how many by other forms of these */
	readonly plain: { readonly asks: Asks; readonly count: number };
	readonly inflected?: { readonly asks: Asks; readonly count: number };
	/** first part of their ids */
	readonly prefix: string;
}

/** The two of three words that are asked for, in turn, and the third. */
const PAIRS = [
	[0, 1, 2],
	[1, 2, 0],
	[0, 2, 1],
] as const;

type Three = readonly [string, string, string];

/**
 * Needles that name a thing, a deed and a place, asked for by two of these. Each neighbour shares two with its needle. Asked for
 * as they are, both stand in no other text: a neighbour that has one of them as it is has the other in another form. Asked
 * for in other forms than the needle has, no other text holds both in any form, while neighbours hold one just as it is
 * asked for. A needle's thing and place stand in no text but its own and its neighbours'; what is done is common.
 */
export function wordGroups(dice: Dice, { vocabulary, plain, inflected, prefix }: WordGroups): Group[] {
	const count = plain.count + (inflected?.count ?? 0);
	const { things, deeds, places, filler, space, sentence } = vocabulary;
	const lists = [dice.shuffled(things), dice.shuffled(deeds), dice.shuffled(places)] as const;
	const groups: Group[] = [];
	for (let n = 0; n < count; n++) {
		const own = [lists[0][n], lists[1][n], lists[2][n]] as readonly [Forms, Forms, Forms];
		const [one, two, third] = PAIRS[n % 3] as (typeof PAIRS)[number];
		const isInflected = n >= plain.count;
		const heldOf = (forms: Forms) => (isInflected && n % 2 === 1 ? dice.pick(forms.slice(1)) : forms[0]);
		const held: Three = [heldOf(own[0]), heldOf(own[1]), heldOf(own[2])];
		const asked = own.map((forms, slot) =>
			isInflected ? dice.pick(forms.filter((form) => form !== held[slot])) : forms[0],
		);
		const otherWord = (slot: number) => dice.pick((lists[slot] as readonly Forms[]).slice(count));
		const deedsAround = lists[1].filter((forms) => forms !== own[1]).flat();
		const around = [...Array.from({ length: 8 }, () => filler).flat(), ...deedsAround];
		const text = (id: string, words: Three, isNeedle: boolean, beside: number) => {
			const lengths = lengthsOf(n, beside);
			const again = isNeedle || beside % 2 === 0 ? "" : [...words, ...words].join(space);
			const length = isNeedle ? lengths.own : lengths.other;
			return textOf(dice, { id, length, says: sentence(...words), again, filler: around, space });
		};
		const id = `planted-${prefix}-${n}`;
		const neighbours = Array.from({ length: NEIGHBOURS }, (_, beside) => {
			const words: [string, string, string] = [...held];
			const kept = beside % 2 === 0 ? one : two;
			const left = kept === one ? two : one;
			if (isInflected || beside % 3 !== 0) {
				words[left] = dice.pick(otherWord(left));
				words[kept] = asked[kept] as string;
			} else {
				words[left] = dice.pick(own[left].slice(1));
				words[third] = dice.pick(otherWord(third));
			}
			return text(`${id}-${beside}`, words, false, beside);
		});
		const query = [asked[one] as string, asked[two] as string] as const;
		// run together, as one may where no spaces are written
		const isRun = vocabulary.space !== " " && n % 2 === 1;
		const question = ([a, b]: readonly [string, string]) =>
			n % 2 === 1 && vocabulary.question ? vocabulary.question(a, b) : [a, b].join(isRun ? "" : " ");
		groups.push({
			asks: (isInflected ? inflected : plain)?.asks ?? plain.asks,
			query: question(n % 4 < 2 ? query : [query[1], query[0]]),
			needle: text(id, held, true, 0),
			neighbours,
		});
	}
	return groups;
}
