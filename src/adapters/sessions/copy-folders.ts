import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** What the names of this machine's folders begin with; the id of a process that made one comes next. */
const NAME = `palimpsest-copy-${hostname().replace(/[^\w.]/g, "_")}-`;

let swept: Promise<void> | undefined;

/**
 * Makes a temporary folder for a copy of a store. The first time, those are removed that processes of this user left
 * behind when they were killed. Throws what the system says.
 */
export async function newCopyFolder(): Promise<string> {
	swept ??= removeLeft(tmpdir()).catch(() => {});
	await swept;
	return mkdtemp(join(tmpdir(), `${NAME}${process.pid}-`));
}

/** Removes the folders for copies of which the process is gone: this user's own, and none of another machine's. */
export async function removeLeft(directory: string): Promise<void> {
	for (const name of await readdir(directory)) {
		const [, pid] = name.startsWith(NAME) ? (/^(\d+)-/.exec(name.slice(NAME.length)) ?? []) : [];
		if (pid === undefined || isRunning(Number(pid))) continue;
		const path = join(directory, name);
		const found = await lstat(path).catch(() => undefined);
		if (found?.isDirectory() && found.uid === process.getuid?.())
			await rm(path, { recursive: true, force: true });
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// one that may not be asked is there
		return (error as NodeJS.ErrnoException).code !== "ESRCH";
	}
}
