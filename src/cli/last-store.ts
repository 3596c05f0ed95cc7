import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sessionsOf } from "../adapters/sessions/pi/session-files.ts";
import { liveDirectoryOf, replaysDirectory } from "../adapters/sessions/replay-places.ts";
import { isReplaced } from "../adapters/sessions/replay-store.ts";
import { levelDirectory } from "../store/open-store.ts";
import { CliError } from "./cli-error.ts";
import { isStore, isThere } from "./is-store.ts";

/** A store, and when it was written to, ms since the epoch. */
interface Written {
	readonly directory: string;
	readonly at: number;
}

/**
 * The folder of the store that was written to last: that of a replay, or of the session that ran last in a working
 * directory. Throws `CLI_NO_STORE` where there is neither, and what session files and `open` throw.
 */
export async function lastStore(
	home: string,
	cwd: string,
	open: Parameters<typeof liveDirectoryOf>[2],
): Promise<string> {
	const found = [await lastReplay(home), await lastSession(home, cwd, open)].filter(
		(one) => one !== undefined,
	);
	const [last] = found.sort((a, b) => b.at - a.at);
	if (last) return last.directory;
	throw new CliError(
		"CLI_NO_STORE",
		`nothing was replayed yet, and no session ran with the engine in ${cwd}: name the file or id of one that did, or replay one`,
	);
}

async function lastReplay(home: string): Promise<Written | undefined> {
	const replays = replaysDirectory(home);
	const names = isThere(replays) ? await readdir(replays) : [];
	let last: Written | undefined;
	for (const name of names.filter((found) => !isReplaced(found)).sort()) {
		const directory = join(replays, name);
		if (!isStore(directory)) continue;
		const { mtimeMs: at } = await stat(directory);
		if (!last || at > last.at) last = { directory, at };
	}
	return last;
}

async function lastSession(
	home: string,
	cwd: string,
	open: Parameters<typeof liveDirectoryOf>[2],
): Promise<Written | undefined> {
	for (const file of await sessionsOf(cwd)) {
		const directory = await liveDirectoryOf(home, file, open);
		if (!isStore(directory)) continue;
		return { directory, at: await writtenAt(levelDirectory(directory)) };
	}
	return undefined;
}

/** When a file in a folder was changed last. One that has gone meanwhile is passed over: the store may be at work. */
async function writtenAt(folder: string): Promise<number> {
	let last = 0;
	for (const name of isThere(folder) ? await readdir(folder) : []) {
		const found = await stat(join(folder, name)).catch(() => undefined);
		last = Math.max(last, found?.mtimeMs ?? 0);
	}
	return last;
}
