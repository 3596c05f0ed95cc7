import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Mode of folders that nobody but the user may look into. */
export const PRIVATE = 0o700;

/**
 * Makes a directory and those above it, each by itself: Node's own way tries for ever where the system answers that
 * the parent is not there although it is, as it does below `/proc`. `mode` holds for those that it makes. Throws what the system says.
 */
export function makeDirectory(path: string, mode = 0o777): void {
	const missing: string[] = [];
	for (let at = resolve(path); !existsSync(at); at = dirname(at)) {
		missing.unshift(at);
		if (dirname(at) === at) break;
	}
	for (const directory of missing) {
		try {
			mkdirSync(directory, { mode });
		} catch (error) {
			// another process may have been quicker
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		}
	}
}
