/**
 * Work that may go on side by side, and work that changes what the other looks at. Whoever changes waits until nobody looks;
 * whoever looks waits only while something is being changed.
 */
export class SharedOrAlone {
	#shared = 0;
	#alone: Promise<unknown> | undefined;
	#whenIdle: (() => void)[] = [];

	/** Does something while nothing is changed. */
	async shared<T>(work: () => T | Promise<T>): Promise<T> {
		while (this.#alone !== undefined) await this.#alone;
		this.#shared += 1;
		try {
			return await work();
		} finally {
			this.#shared -= 1;
			if (this.#shared === 0) for (const go of this.#whenIdle.splice(0)) go();
		}
	}

	/** Does something once nobody looks, and before anybody looks again. */
	async alone<T>(work: () => Promise<T>): Promise<T> {
		while (this.#alone !== undefined || this.#shared > 0) {
			await (this.#alone ?? new Promise<void>((resolve) => this.#whenIdle.push(resolve)));
		}
		const done = work();
		this.#alone = done.then(
			() => {},
			() => {},
		);
		try {
			return await done;
		} finally {
			this.#alone = undefined;
		}
	}
}
