import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { openSession, type SessionFile } from "./session.ts";
import { SessionError } from "./session-error.ts";

/** Where the host keeps its session files, as its environment says. */
function sessionsDirectory(environment: Readonly<Record<string, string | undefined>> = process.env): string {
	if (environment.PI_CODING_AGENT_SESSION_DIR) return environment.PI_CODING_AGENT_SESSION_DIR;
	return join(environment.PI_CODING_AGENT_DIR || join(homedir(), ".pi", "agent"), "sessions");
}

/** The sessions that the host recorded in a working directory, the one written to last first. */
export async function sessionsOf(cwd: string, directory = sessionsDirectory()): Promise<SessionFile[]> {
	const found: { readonly file: SessionFile; readonly changed: number }[] = [];
	for (const path of sessionFiles(directory)) {
		const file = await opened(path);
		if (file?.header?.cwd !== cwd) continue;
		found.push({ file, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 });
	}
	return found.sort((a, b) => b.changed - a.changed).map(({ file }) => file);
}

/** Session files in a folder and in the folders right below it: the host makes one for each working directory. */
function sessionFiles(directory: string): string[] {
	if (!existsSync(directory)) return [];
	const entries = readdirSync(directory, { withFileTypes: true });
	const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
	const filesIn = (folder: string) =>
		readdirSync(folder)
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => join(folder, name));
	return [directory, ...below].flatMap(filesIn).sort();
}

/** A session file; nothing of a file that is none. */
async function opened(path: string): Promise<SessionFile | undefined> {
	try {
		return await openSession(path);
	} catch (error) {
		if (error instanceof SessionError) return undefined;
		throw error;
	}
}
