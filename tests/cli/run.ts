import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How a command of ours ended. */
export interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: Buffer;
	readonly text: string;
	readonly stderr: string;
}

/** Where a command runs. */
export interface Surroundings {
	/** the folder of all stores */
	readonly home: string;
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** whom it runs as, by number */
	readonly uid?: number;
}

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** Starts the real command line in a process of its own. */
export function start(args: readonly string[], { home, cwd, env, uid }: Surroundings): ChildProcess {
	return spawn(process.execPath, [CLI, ...args], {
		env: { ...process.env, ...env, PALIMPSEST_HOME: home, NODE_OPTIONS: "" },
		stdio: ["ignore", "pipe", "pipe"],
		...(cwd !== undefined && { cwd }),
		...(uid !== undefined && { uid }),
	});
}

/** Runs the real command line to its end. */
export function palimpsest(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
	return ended(start(args, surroundings));
}

/** How a started command ends. */
export function ended(child: ChildProcess): Promise<Ended> {
	const out: Buffer[] = [];
	const err: Buffer[] = [];
	child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
	child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			const stdout = Buffer.concat(out);
			resolve({ code, signal, stdout, text: stdout.toString(), stderr: Buffer.concat(err).toString() });
		});
	});
}
