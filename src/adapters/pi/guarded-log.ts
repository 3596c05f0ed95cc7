import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { Settings } from "../../../projections/rules.ts";
import { KeptOutputs } from "./kept-output.ts";
import type { HostSession } from "./live-entry.ts";
import { LiveLog } from "./live-log.ts";
import { wordsOf } from "./say.ts";
import { Turns } from "./turns.ts";

/** What a session's log needs of the host. */
export interface LogHost {
	/** the rules in force now */
	readonly settings: () => Settings;
	/** whether the host still runs this session */
	readonly alive: () => boolean;
	/** bytes this session may keep of whole outputs */
	readonly outputCapBytes: number;
	/** told in words, each thing once, when the session goes on without us or a fold cannot be had */
	readonly tell: (trouble: string) => void;
}

/**
 * A session's log, opened when it is first needed. Everything it is asked is done in the order it was asked, and once
 * something went wrong there is none any more.
 */
export class GuardedLog {
	readonly outputs: KeptOutputs;
	readonly #host: LogHost;
	readonly #told = new Set<string>();
	readonly #turns = new Turns();
	#log: LiveLog | undefined;
	#trouble: string | undefined;
	#isOver = false;

	constructor(host: LogHost) {
		this.#host = host;
		this.outputs = new KeptOutputs({
			cap: host.outputCapBytes,
			log: () => (this.#isOver ? undefined : this.#log),
			onCopied: () => void this.take(() => this.#guarded((log) => this.outputs.settle(log))),
			tell: (trouble) => this.tell(trouble),
		});
	}

	/** The log as it stands, without a turn; `undefined` where it was not opened yet, or there is none any more. */
	get log(): LiveLog | undefined {
		return this.#log;
	}

	/** What went wrong, in words, so that nothing is folded any more; or that the log is open elsewhere. */
	get trouble(): string | undefined {
		return this.#trouble;
	}

	/** Whether there is no log any more. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** Whether nothing is asked of it or under way, and it is not over. */
	get isIdle(): boolean {
		return this.#turns.areOver && !this.#isOver && this.outputs.isDone;
	}

	/** Does something when its turn comes. */
	take<T>(work: () => Promise<T>): Promise<T> {
		return this.#turns.take(work);
	}

	/** Does something with the log when its turn comes. Otherwise as {@link within}. */
	ask<T>(session: HostSession, work: (log: LiveLog) => Promise<T>): Promise<T | undefined> {
		return this.take(() => this.within(session, work));
	}

	/**
	 * Within a turn, does something with the log once it has caught up; `undefined` where nobody spoke yet, or there is no
	 * log any more. What `work` throws is told, and the end of the log.
	 */
	async within<T>(session: HostSession, work: (log: LiveLog) => Promise<T>): Promise<T | undefined> {
		return this.#guarded(
			async (log) => {
				const seen = await log.catchUp(session);
				if (seen.length > 0) this.outputs.met(session, seen);
				await this.outputs.settle(log);
				return work(log);
			},
			async () => (isSpokenIn(session) ? this.#open(session) : undefined),
		);
	}

	/** Does something with the log behind this turn and before the next, which nobody waits for. */
	afterwards(work: (log: LiveLog) => Promise<void>): void {
		this.#turns.afterwards(async () => {
			await this.#guarded(async (log) => {
				// the request goes out first
				await turnOfOthers();
				await log.decisions.settled();
				await work(log);
			});
		});
	}

	/** Tells something in words, once. */
	tell(trouble: string): void {
		if (this.#told.has(trouble)) return;
		this.#told.add(trouble);
		this.#host.tell(trouble);
	}

	/** Lets go of the store. Twice does no harm. */
	close(): Promise<void> {
		return this.take(async () => {
			await this.outputs.finish(this.#log).catch(() => {});
			this.#isOver = true;
			await this.#log?.close();
			this.#log = undefined;
		});
	}

	/** Does something with the log, opened by `open` where it is not; nothing where there is none. */
	async #guarded<T>(
		work: (log: LiveLog) => Promise<T>,
		open?: () => Promise<LiveLog | undefined>,
	): Promise<T | undefined> {
		if (this.#isOver) return undefined;
		try {
			this.#log ??= await open?.();
			return this.#log && (await work(this.#log));
		} catch (error) {
			this.#isOver = true;
			this.outputs.drop();
			this.#trouble = wordsOf(error);
			await this.#log?.close().catch(() => {});
			this.#log = undefined;
			// last, for a host that has dropped the session throws
			this.tell(`${this.#trouble}; this session goes on without new folds`);
			return undefined;
		}
	}

	async #open(session: HostSession): Promise<LiveLog> {
		const { settings, alive } = this.#host;
		const onRefused = (why: string) => this.tell(`a fold of this session cannot be had: ${why}`);
		const log = await LiveLog.open(session, { settings, onRefused }, { alive, close: () => this.close() });
		this.#trouble = log.refusal;
		if (log.refusal) this.tell(`${log.refusal}; its folds stand, and no new ones are made`);
		return log;
	}
}

/** The host, too, makes no file of a session before someone spoke. */
function isSpokenIn(session: HostSession): boolean {
	return session
		.getEntries()
		.some((entry) => entry.type === "message" && ["user", "assistant"].includes(entry.message.role));
}
