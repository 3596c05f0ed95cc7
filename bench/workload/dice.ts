/** Numbers that look random and depend on nothing but a seed (mulberry32). */
export class Dice {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** A fraction from 0 up to but not including 1. */
	fraction(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let x = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
		return ((x ^ (x >>> 14)) >>> 0) / 0x1_0000_0000;
	}

	/** A whole number from `low` to `high`, both included. */
	between(low: number, high: number): number {
		return low + Math.floor(this.fraction() * (high - low + 1));
	}

	pick<T>(from: readonly [T, ...T[]]): T {
		return from[this.between(0, from.length - 1)] ?? from[0];
	}

	/** `most` different members of a list, in the list's order. */
	sample<T>(from: readonly T[], most: number): T[] {
		const left = [...from.keys()];
		while (left.length > most) left.splice(this.between(0, left.length - 1), 1);
		return left.flatMap((i) => from.slice(i, i + 1));
	}

	/** A whole number, log-normal with this mean and coefficient of variation: how sizes of source files are spread. */
	size(mean: number, variation: number): number {
		const sigma2 = Math.log(1 + variation ** 2);
		const normal = Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
		return Math.round(Math.exp(Math.log(mean) - sigma2 / 2 + Math.sqrt(sigma2) * normal));
	}
}
