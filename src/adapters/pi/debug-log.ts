import { appendFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory, PRIVATE } from "../../store/make-directory.ts";
import { hashText } from "./hash-text.ts";
import type { Measure } from "./measures.ts";

/** Bytes at which a file is put aside as `.1`, where it takes the place of the one before: both take twice that. */
const LARGEST = 4_000_000;

/** Lines that wait for the disk; beyond these what is measured is counted, and not kept. */
const MOST_WAITING = 1_000;

/** Digits of a session's digest. */
const DIGITS = 12;

/**
 * A file of what is measured, a line of JSON each: `at` (ISO 8601), `pid`, `session` (a digest of its id), and the measure.
 * The owner alone may read it. What the disk does not take is lost, and nobody waits for it.
 */
export class DebugLog {
	readonly path: string;
	/** what stands for a session in its lines */
	readonly session: string;
	readonly #most: number;
	#waiting: object[] = [];
	/** lines that were not kept since one last told of such */
	#lost = 0;
	#writing: Promise<void> | undefined;

	constructor(path: string, sessionId: string, most = LARGEST) {
		this.path = path;
		this.session = hashText(sessionId).slice(0, DIGITS);
		this.#most = most;
	}

	/** Has a measure written. Never fails. */
	write(measure: Measure): void {
		if (this.#waiting.length >= MOST_WAITING) {
			this.#lost += 1;
			return;
		}
		const at = new Date().toISOString();
		this.#waiting.push({ at, pid: process.pid, session: this.session, ...measure });
		this.#writing ??= this.#write().finally(() => {
			this.#writing = undefined;
		});
	}

	/** Resolves when all is written that can be. */
	async written(): Promise<void> {
		await this.#writing;
	}

	async #write(): Promise<void> {
		while (this.#waiting.length > 0) {
			const [first, ...rest] = this.#waiting;
			const lost = this.#lost;
			const lines = [lost === 0 ? first : { ...first, lost }, ...rest].map((line) => JSON.stringify(line));
			this.#waiting = [];
			this.#lost = 0;
			try {
				makeDirectory(dirname(this.path), PRIVATE);
				const size = await stat(this.path).then(
					(stats) => stats.size,
					() => 0,
				);
				if (size >= this.#most) await rename(this.path, `${this.path}.1`);
				await appendFile(this.path, `${lines.join("\n")}\n`, { mode: 0o600 });
			} catch {
				this.#lost += lost + lines.length;
			}
		}
	}
}
