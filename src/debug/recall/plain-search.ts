import type { RecallDocument } from "../../../projections/recall/document.ts";
import { rarityOf } from "./rarity.ts";

/** BM25's usual constants. */
const K1 = 1.2;
const B = 0.75;

/**
 * What a search is measured against: BM25 over the words of texts as they stand, in lower case, and nothing else. No forms,
 * no beginnings, no paths, and nothing for a text that holds more of the words.
 */
export class PlainSearch {
	readonly #documents: { readonly id: string; readonly length: number }[] = [];
	readonly #postings = new Map<string, { readonly document: number; readonly times: number }[]>();
	#words = 0;

	constructor(documents: readonly RecallDocument[]) {
		for (const { id, text } of documents) {
			const words = wordsOf(text);
			const times = new Map<string, number>();
			for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
			for (const [word, count] of times) {
				const postings = this.#postings.get(word) ?? [];
				if (postings.length === 0) this.#postings.set(word, postings);
				postings.push({ document: this.#documents.length, times: count });
			}
			this.#documents.push({ id, length: words.length });
			this.#words += words.length;
		}
	}

	/** Ids of the first hits, the best first, newer ones before older ones that are as good. */
	first(query: string, limit: number, allows: (id: string) => boolean = () => true): string[] {
		const scores = new Map<number, number>();
		const average = this.#words / Math.max(1, this.#documents.length);
		for (const word of new Set(wordsOf(query))) {
			const postings = this.#postings.get(word) ?? [];
			const rarity = rarityOf(postings.length, this.#documents.length);
			for (const { document, times } of postings) {
				const { length } = this.#documents[document] as { length: number };
				const value = (times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / average));
				scores.set(document, (scores.get(document) ?? 0) + rarity * value);
			}
		}
		const ranked = [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
		const ids = ranked.map(([document]) => (this.#documents[document] as { id: string }).id);
		return ids.filter(allows).slice(0, limit);
	}
}

/** Words as a program without a notion of names and scripts takes them: of scripts without spaces, single characters. */
function wordsOf(text: string): string[] {
	return (
		text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? []
	);
}
