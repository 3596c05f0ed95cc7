import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** What a rename fails with while a virus scanner or an indexer has a file open, on Windows above all. */
const PASSING: ReadonlySet<string | undefined> = new Set(["EPERM", "EBUSY", "EACCES"]);
const ATTEMPTS = 10;

/**
 * Renames a file or folder, and tries again while something holds it: ten times within a second and a half, then the
 * last error stands. `move` stands in for the file system's rename in tests.
 */
export async function renamePatiently(from: string, to: string, move: typeof rename = rename): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await move(from, to);
		} catch (error) {
			if (attempt === ATTEMPTS || !PASSING.has((error as NodeJS.ErrnoException).code)) throw error;
			await sleep(attempt * 30);
		}
	}
}
