import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseSessionEntries, type SessionEntry, SessionManager } from "@earendil-works/pi-coding-agent";
import { nodesOn } from "./outside.ts";
import { Host, type HostOptions, type Sandbox, type Sent } from "./sandbox.ts";

const CHILD = fileURLToPath(new URL("killed-host.ts", import.meta.url));

/** A request a killed host sent. */
interface Last {
	readonly sent: Sent;
	/** nodes of decisions on the path */
	readonly nodes: number;
}

/** What a host left that was killed, or that lived to its end. */
export interface Left {
	readonly directory: string;
	readonly file: string;
	readonly wasKilled: boolean;
	/** names of the places it passed, in order */
	readonly points: readonly string[];
	readonly requests: readonly Last[];
	/** versions and hashes of the log the store had said it holds */
	readonly acknowledged: readonly { readonly version: number; readonly hash: string }[];
	/** the entries in its session file */
	readonly entries: readonly SessionEntry[];
}

/** A session in a sandbox, for hosts to go on with and be killed, each on a copy of it. */
export class Killed {
	readonly #sandbox: Sandbox;
	readonly #original: Host;
	readonly #fold: string;
	readonly #known: number;
	#copies = 0;

	/** `original` has quit. `fold` stands in it. */
	constructor(sandbox: Sandbox, original: Host, fold: string) {
		this.#sandbox = sandbox;
		this.#original = original;
		this.#fold = fold;
		this.#known = entriesIn(original.file).length;
		// where the host puts the outputs it cuts short, so that they go with the sandbox
		process.env.TMPDIR = join(sandbox.dir, "tmp");
		mkdirSync(process.env.TMPDIR);
	}

	/** What the host before all sent last. */
	get last(): Last {
		const { sent = [], path = [] } = this.#original.asked.at(-1) ?? {};
		return { sent, nodes: nodesOn(path).length };
	}

	/** Goes on in a process of its own, killed where it passes a place for the `point`th time; never where that is 0. */
	async run(point: number, { withStore = true } = {}): Promise<Left> {
		const directory = mkdtempSync(join(this.#sandbox.dir, "killed-"));
		const file = join(directory, "session.jsonl");
		cpSync(this.#original.file, file);
		if (withStore) cpSync(this.#sandbox.home, join(directory, "home"), { recursive: true });
		const env = { ...process.env, PALIMPSEST_HOME: join(directory, "home"), FOLD: this.#fold };
		const args = [CHILD, this.#sandbox.dir, directory, file, String(point)];
		const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
		let words = "";
		child.stderr.setEncoding("utf8").on("data", (text) => {
			words += text;
		});
		const [code, signal] = await once(child, "close");
		if (signal !== "SIGKILL" && code !== 0) throw new Error(`the host ended with ${code}: ${words}`);
		return {
			directory,
			file,
			wasKilled: signal === "SIGKILL",
			points: linesIn(join(directory, "points")),
			requests: linesIn(join(directory, "requests")).map((line) => JSON.parse(line)),
			acknowledged: linesIn(join(directory, "acknowledged")).map((line) => JSON.parse(line)),
			entries: entriesIn(file),
		};
	}

	/** Where the copy of a reopened host lies. */
	directoryOf(host: Host): string {
		return dirname(host.file);
	}

	/** Opens again what was reopened, and quit. */
	reopenAgain(host: Host, options: HostOptions): Promise<Host> {
		return Host.open(this.#sandbox.dir, SessionManager.open(host.file), options);
	}

	/** Removes what a host left. */
	forget({ directory }: Left): void {
		rmSync(directory, { recursive: true, force: true });
	}

	/** Opens a copy of what a host left, without its store where that is said. */
	async reopen(left: Left, options: HostOptions, { withStore = true } = {}): Promise<Host> {
		const directory = join(left.directory, `copy-${++this.#copies}`);
		mkdirSync(directory);
		const file = join(directory, "session.jsonl");
		cpSync(left.file, file);
		const home = join(left.directory, "home");
		if (withStore && existsSync(home)) cpSync(home, join(directory, "home"), { recursive: true });
		process.env.PALIMPSEST_HOME = join(directory, "home");
		return Host.open(this.#sandbox.dir, SessionManager.open(file), options);
	}

	/** Messages as they are in every run: new entries by their place, and no times. */
	alike(messages: readonly string[], entries: readonly SessionEntry[]): string[] {
		const places = new Map(entries.slice(this.#known).map(({ id }, n) => [id, `new-${n}`]));
		return messages.map((message) => {
			const { timestamp: _at, usage: _usage, api: _api, durationMs: _took, ...rest } = JSON.parse(message);
			return JSON.stringify(rest)
				.replaceAll(/\b[0-9a-f]{8}\b/g, (id) => places.get(id) ?? id)
				.replaceAll(/pi-bash-[0-9a-f]+/g, "pi-bash");
		});
	}
}

/** The entries in a session file, whole lines alone. */
function entriesIn(file: string): SessionEntry[] {
	return parseSessionEntries(readFileSync(file, "utf8")).filter((entry) => entry.type !== "session");
}

function linesIn(file: string): string[] {
	return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}
