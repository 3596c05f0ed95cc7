import { join } from "node:path";
import { escapeName } from "../../store/identity.ts";

/** Where the stores of replays lie. */
export function replaysDirectory(home: string): string {
	return join(home, "replays");
}

/** Where the store of a session's replay lies, unless the caller names another place. */
export function replayDirectory(home: string, session: string): string {
	return join(replaysDirectory(home), escapeName(session));
}

/** Where the stores of live sessions and workspaces lie. A replay keeps out of them. */
export function liveDirectories(home: string): readonly string[] {
	return [join(home, "sessions"), join(home, "workspaces")];
}

/** Where the store of a live session lies, unless another session of the same id was there first. */
export function liveDirectory(home: string, session: string): string {
	return join(home, "sessions", escapeName(session));
}
