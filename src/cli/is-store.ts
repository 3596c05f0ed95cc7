import { statSync } from "node:fs";
import { join } from "node:path";

/** Whether something is a store's folder, also one whose repair was cut short. Throws where the system will not say. */
export function isStore(directory: string): boolean {
	return ["level", "witness", "damaged-1"].some((name) => isThere(join(directory, name)));
}

/** Whether something stands at a path. Unlike `existsSync` it does not take a closed folder for an empty one. */
export function isThere(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EACCES") throw error;
		return false;
	}
}
