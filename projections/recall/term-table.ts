/**
 * Terms of a segment that is being gathered, and where they stand. Postings of all of them lie in one list, each telling
 * where the one before it of its term is: a list for each term would keep the collector of memory busy for too long.
 */
export class TermTable {
	/** numbers of the terms, by their first code unit */
	readonly #initials = new Map<number, Map<string, number>>();
	/** by number of a term: the place of its last posting */
	#last = new Int32Array(1024);
	/** by place: document, how often, the place of the posting before or -1 */
	#postings = new Int32Array(3 * 4096);
	#terms = 0;
	/** end of the postings */
	#end = 0;

	/** Notes that a document holds a term once more; the last document noted, or one behind it. False for a new term. */
	note(term: string, document: number): boolean {
		const number = this.#initials.get(term.charCodeAt(0))?.get(term);
		if (number === undefined) return false;
		const last = this.#last[number] as number;
		if (this.#postings[last] === document) (this.#postings[last + 1] as number)++;
		else this.#last[number] = this.#put(document, last);
		return true;
	}

	/** Begins a term with the document that holds it first. */
	begin(term: string, document: number): void {
		const initial = term.charCodeAt(0);
		let terms = this.#initials.get(initial);
		if (terms === undefined) {
			terms = new Map();
			this.#initials.set(initial, terms);
		}
		if (this.#terms === this.#last.length) this.#last = grown(this.#last);
		terms.set(term, this.#terms);
		this.#last[this.#terms++] = this.#put(document, -1);
	}

	/** Postings of a term as `document, times, …`. */
	postings(term: string): readonly number[] | undefined {
		const number = this.#initials.get(term.charCodeAt(0))?.get(term);
		if (number === undefined) return undefined;
		const postings = this.#postings;
		const pairs: number[] = [];
		for (let at = this.#last[number] as number; at !== -1; at = postings[at + 2] as number)
			pairs.push(postings[at + 1] as number, postings[at] as number);
		return pairs.reverse();
	}

	/** Terms that begin so, in the order they came. */
	*termsFrom(prefix: string): Generator<string> {
		for (const term of this.#initials.get(prefix.charCodeAt(0))?.keys() ?? [])
			if (term.startsWith(prefix)) yield term;
	}

	/** All terms by their code units, in runs of those whose first two are the same. */
	*inOrder(): Generator<string[]> {
		for (const [, terms] of inOrderOfKeys(this.#initials)) {
			const seconds = new Map<number, string[]>();
			for (const term of terms.keys()) {
				const second = term.length > 1 ? term.charCodeAt(1) : -1;
				const run = seconds.get(second);
				if (run) run.push(term);
				else seconds.set(second, [term]);
			}
			for (const [, run] of inOrderOfKeys(seconds)) yield run.sort();
		}
	}

	#put(document: number, before: number): number {
		const at = this.#end;
		if (at === this.#postings.length) this.#postings = grown(this.#postings);
		this.#postings[at] = document;
		this.#postings[at + 1] = 1;
		this.#postings[at + 2] = before;
		this.#end = at + 3;
		return at;
	}
}

function inOrderOfKeys<T>(map: ReadonlyMap<number, T>): (readonly [number, T])[] {
	return [...map].sort(([a], [b]) => a - b);
}

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
	const larger = new Int32Array(2 * list.length);
	larger.set(list);
	return larger;
}
