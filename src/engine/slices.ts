import { performance } from "node:perf_hooks";
import { setImmediate as turnOfOthers } from "node:timers/promises";

/** Longest stretch in ms after which others get their turn; a step in it may take another ms or so. */
const SLICE_MS = 2;

/** Long work in short stretches: whoever else the process serves gets its turn in between. */
export class Slices {
	#since = performance.now();

	/** Whether the stretch was long enough: to be asked where waiting for nothing would cost more than what is done. */
	get isOver(): boolean {
		return performance.now() - this.#since >= SLICE_MS;
	}

	/** Waits for the turn of others where the stretch was long enough; nothing otherwise. */
	async pause(): Promise<void> {
		if (!this.isOver) return;
		await turnOfOthers();
		this.#since = performance.now();
	}
}
