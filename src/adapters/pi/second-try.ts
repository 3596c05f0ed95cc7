import type { Clock } from "./patience.ts";

/** How long a store that could not be had is left alone, in ms, while the user asks for nothing. */
const AGAIN_MS = 30_000;

/** When a store that could not be had is tried again: as soon as the user says something, or some time later. */
export class SecondTry {
	readonly #clock: Clock;
	#due = Number.POSITIVE_INFINITY;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Whether it is time to try. */
	get isDue(): boolean {
		return this.#due <= this.#clock.now();
	}

	/** Has it tried at once. */
	hasten(): void {
		this.#due = Number.NEGATIVE_INFINITY;
	}

	/** Has it tried some time later, for it could not be had just now. */
	putOff(): void {
		this.#due = this.#clock.now() + AGAIN_MS;
	}
}
