import { statSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { goesAtExit } from "../leftovers.ts";
import { BundleError } from "./bundle-error.ts";

/** Where pieces go, and how. */
export interface WholeFile {
	readonly file: string;
	/** put it in the place of a file that stands there */
	readonly force?: boolean;
	/** told after each piece how many bytes were written */
	readonly onProgress?: (bytes: number) => void;
}

/**
 * Writes pieces to a file that is there whole, or as it was before; gives its bytes. Throws `BUNDLE_EXISTS` where something
 * stands there, with `force` something other than a file; what the pieces throw, and what the system says.
 */
export async function writeWholeFile(
	pieces: AsyncIterable<Uint8Array>,
	{ file, force = false, onProgress = () => {} }: WholeFile,
): Promise<number> {
	assertFree(file, { force });
	const fresh = `${file}.${process.pid}.tmp`;
	let bytes = 0;
	const handle = await open(fresh, "wx", 0o600);
	const gone = goesAtExit(fresh);
	try {
		try {
			for await (const piece of pieces) {
				await handle.writeFile(piece);
				bytes += piece.length;
				onProgress(bytes);
			}
			await handle.datasync();
		} finally {
			await handle.close();
		}
		if (force) await rename(fresh, file);
		else await publish(fresh, file);
		return bytes;
	} finally {
		await rm(fresh, { force: true });
		gone();
	}
}

/** Gives a file its name where nothing has it; also where something took it meanwhile. */
async function publish(fresh: string, file: string): Promise<void> {
	try {
		await link(fresh, file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") assertFree(file);
		// a file system without hard links
		assertFree(file);
		await rename(fresh, file);
	}
}

/** Throws `BUNDLE_EXISTS` where something stands; with `force`, where that is a folder, a device or a pipe. */
export function assertFree(file: string, { force = false }: Pick<WholeFile, "force"> = {}): void {
	const there = statSync(file, { throwIfNoEntry: false });
	if (!there) return;
	if (!there.isFile())
		throw new BundleError(
			"BUNDLE_EXISTS",
			`${file} is ${there.isDirectory() ? "a folder" : "no regular file"}: name another place`,
		);
	if (!force)
		throw new BundleError("BUNDLE_EXISTS", `${file} exists already; --force puts the bundle in its place`);
}
