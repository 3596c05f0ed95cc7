import type { KeyValue } from "../../src/store/key-value.ts";
import type * as Level from "../../src/store/level-key-value.ts";
import { unusable } from "../../src/store/system-refusal.ts";

/** A disk that takes no more while it is full: nothing written there then is there later. */
class FullDisk {
	isFull = false;

	/** LevelDB on this disk. */
	around(level: typeof Level): typeof Level {
		const openLevel: typeof Level.openLevel = async (directory, options) => {
			if (this.isFull) throw full(directory);
			return this.#around(await level.openLevel(directory, options), directory);
		};
		return { ...level, openLevel };
	}

	#around(kv: KeyValue, directory: string): KeyValue {
		const batch = () => {
			const made = kv.batch();
			const write = async (sync: boolean) => {
				if (this.isFull) throw full(directory);
				await made.write(sync);
			};
			return { ...made, write };
		};
		return { ...kv, batch };
	}
}

function full(directory: string): Error {
	const cause = new Error(`IO error: ${directory}/000007.log: No space left on device`);
	return unusable(`${directory} cannot be written`, cause);
}

/** The disk of the tests in a file; to be put under it by mocking `level-key-value.ts`. */
export const disk = new FullDisk();
