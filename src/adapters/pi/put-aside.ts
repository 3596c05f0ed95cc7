import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Databases that repairs put aside in the folders of stores, by path. */
export async function damagedBeside(directories: readonly (string | undefined)[]): Promise<string[]> {
	const found: string[] = [];
	for (const directory of directories) {
		const names = directory === undefined ? [] : await readdir(directory).catch(() => []);
		for (const name of names.sort())
			if (/^(?:damaged-\d+|level\.salvage)$/.test(name)) found.push(join(directory ?? "", name));
	}
	return found;
}
