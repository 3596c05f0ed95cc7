import type { RecallDocument } from "../../../../projections/recall/document.ts";
import { Dice } from "./dice.ts";
import type { Asks, Group } from "./groups.ts";
import { pathGroups } from "./path-groups.ts";
import { wordGroups } from "./word-groups.ts";
import { CHINESE, ENGLISH, GERMAN } from "./words.ts";

/** A question about a text that was planted, and the one document that answers it. */
interface PlantedQuery {
	readonly asks: Asks;
	readonly query: string;
	/** id of the document that answers it */
	readonly needle: string;
}

/** Texts to be put among others, and what is asked of them. */
export interface Planted {
	readonly documents: readonly RecallDocument[];
	readonly queries: readonly PlantedQuery[];
}

/**
 * Texts to be planted in a session, the same whenever the seed is, and in an order that has nothing to do with what they say. Beside each
 * needle stand 21 that share most of it. The right answer is the one text that holds all that is asked for:
 * both words, as they are asked for where any text has them so, and else in any form; or a path that ends as asked.
 */
export function planted(seed = 20_260_101): Planted {
	const dice = new Dice(seed);
	const groups: readonly Group[] = [
		...wordGroups(dice, {
			prefix: "english",
			vocabulary: ENGLISH,
			plain: { asks: "two of three words", count: 14 },
			inflected: { asks: "another inflection", count: 14 },
		}),
		...wordGroups(dice, {
			prefix: "german",
			vocabulary: GERMAN,
			plain: { asks: "two of three in German", count: 6 },
			inflected: { asks: "another inflection in German", count: 6 },
		}),
		...wordGroups(dice, {
			prefix: "chinese",
			vocabulary: CHINESE,
			plain: { asks: "two of three in Chinese", count: 10 },
		}),
		...pathGroups(dice, 12),
	];
	return {
		documents: dice.shuffled(groups.flatMap(({ needle, neighbours }) => [needle, ...neighbours])),
		queries: groups.map(({ asks, query, needle }) => ({ asks, query, needle: needle.id })),
	};
}
