/** Chance that falls the same way every time. */
export class Dice {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** A whole number from 0 up to, not including, `most`. */
	below(most: number): number {
		this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((this.#state / 2 ** 32) * most);
	}

	/** A whole number from `low` to `high`, both included. */
	between(low: number, high: number): number {
		return low + this.below(high - low + 1);
	}

	/** One of a list that is not empty. */
	pick<T>(items: readonly T[]): T {
		return items[this.below(items.length)] as T;
	}

	/** The items in another order. */
	shuffled<T>(items: readonly T[]): T[] {
		const shuffled = [...items];
		for (let at = shuffled.length - 1; at > 0; at--) {
			const to = this.below(at + 1);
			[shuffled[at], shuffled[to]] = [shuffled[to] as T, shuffled[at] as T];
		}
		return shuffled;
	}
}
