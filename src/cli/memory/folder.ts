import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { keyringPath } from "../../engine/memory/keyring.ts";
import { Keys } from "../../engine/memory/keys.ts";
import { WorkspaceReader } from "../../engine/memory/workspace-reader.ts";
import { agentDirectory, homeDirectory, workspaceDirectory } from "../../store/identity.ts";
import type { Store } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";
import { isStore } from "../is-store.ts";
import { openForReading } from "../place.ts";
import { foundSomethingWrong, note } from "../terminal.ts";

/** A folder whose memory is meant, and where that lies. */
export interface MemoryFolder {
	/** its absolute path */
	readonly cwd: string;
	/** the folder of the store, which need not be there */
	readonly directory: string;
	/** whether a store is there */
	readonly exists: boolean;
}

/** A memory as it was read. */
export interface ReadMemory extends MemoryFolder {
	readonly store: Store;
	readonly reader: WorkspaceReader;
	readonly keys: Keys;
}

/**
 * The folder a user means, the current one unless it is named; it need not be there any more. A memory belongs to a path
 * as Pi was told it: where none does, links in the path are followed. Throws `CLI_USAGE` for an empty name.
 */
export function folderMeant(named: string | undefined, flag = "--cwd"): MemoryFolder {
	if (named === "") throw new CliError("CLI_USAGE", `${flag} is an empty text`);
	const typed = at(resolve(named ?? "."));
	if (typed.exists) return typed;
	return at(withoutLinks(typed.cwd));
}

/** Keys of the user who runs the command. */
export function ownKeys(): Keys {
	return new Keys(keyringPath(agentDirectory()));
}

/**
 * Runs work on what is remembered for a folder; what keeps some of it from being known is told. A store that is open
 * elsewhere is read from a copy. Throws `CLI_NO_MEMORY` where there is none, and as `openForReading` does.
 */
export async function withMemory<T>(
	folder: MemoryFolder,
	work: (memory: ReadMemory) => Promise<T>,
): Promise<T> {
	const { cwd, directory, exists } = folder;
	if (!exists) throw noMemory(cwd);
	const { store, close } = await openForReading(directory);
	try {
		const keys = ownKeys();
		const reader = new WorkspaceReader(cwd, directory, keys);
		await reader.readNew(store);
		for (const { what } of store.damage) note(`damaged: ${what}`);
		if (store.damage.length > 0) foundSomethingWrong();
		else if (reader.refusal) note(reader.refusal.message);
		const exposure = keys.takeExposure();
		if (exposure !== undefined) note(exposure);
		if (keys.trouble) note(`nothing can be proved to be yours: ${keys.trouble.message}`);
		return await work({ ...folder, store, reader, keys });
	} finally {
		await close();
	}
}

/** That nothing is remembered for a folder. */
export function noMemory(cwd: string): CliError {
	return new CliError("CLI_NO_MEMORY", `nothing is remembered for ${cwd}`);
}

function at(cwd: string): MemoryFolder {
	const directory = workspaceDirectory(homeDirectory(), cwd);
	return { cwd, directory, exists: isStore(directory) };
}

/** A path with its links followed as far as it is there. */
function withoutLinks(path: string): string {
	if (existsSync(path)) return realpathSync(path);
	const parent = dirname(path);
	return parent === path ? path : join(withoutLinks(parent), basename(path));
}
