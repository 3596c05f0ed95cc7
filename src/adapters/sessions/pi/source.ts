import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Source } from "./pieces.ts";
import { SessionError } from "./session-error.ts";

/**
 * Opens a session file for reading; the caller closes `handle`. How much is read is settled here, so a file that is
 * being appended to is read as it stands now. Throws `SESSION_NOT_FOUND`, `SESSION_NOT_A_FILE`,
 * `SESSION_UNREADABLE`, `SESSION_EMPTY`.
 */
export async function openSource(path: string, maxPieceBytes: number): Promise<Source> {
	let handle: FileHandle | undefined;
	try {
		// A pipe would block the opening, so what the path names is asked first.
		if (!(await stat(path)).isFile()) {
			throw new SessionError("SESSION_NOT_A_FILE", path, `${path}: is no regular file`);
		}
		handle = await open(path, constants.O_RDONLY);
		const { size } = await handle.stat();
		if (size === 0) throw new SessionError("SESSION_EMPTY", path, `${path}: is empty`);
		return { path, handle, size, maxPieceBytes };
	} catch (cause) {
		await handle?.close();
		if (cause instanceof SessionError) throw cause;
		const code = (cause as NodeJS.ErrnoException).code;
		if (code === "ENOENT" || code === "ENOTDIR") {
			throw new SessionError("SESSION_NOT_FOUND", path, `${path}: there is no such file`, { cause });
		}
		throw new SessionError("SESSION_UNREADABLE", path, `${path}: cannot be opened (${code})`, { cause });
	}
}
