import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { Settings } from "../../../projections/rules.ts";
import { KeptOutputs } from "./kept-output.ts";
import type { HostSession } from "./live-entry.ts";
import { LiveLog, type LogRules } from "./live-log.ts";
import { CLOSE_MS, type Clock, DISK_SILENT, OPEN_MS, Patience, WRITE_MS } from "./patience.ts";
import { wordsOf } from "./say.ts";
import type { ModelInUse } from "./settings-in-force.ts";
import { type Turn, Turns } from "./turns.ts";

/** What a session's log needs of the host. */
export interface LogHost {
	/** the rules in force now */
	readonly settings: () => Settings;
	/** the model that answers now */
	readonly model: () => ModelInUse;
	/** told once the log is open, within the turn that needed it */
	readonly opened: () => void;
	/** whether the host still runs this session */
	readonly alive: () => boolean;
	/** bytes this session may keep of whole outputs */
	readonly outputCapBytes: number;
	/** told of each decision once its node stands in the session, before the disk has it; must not throw */
	readonly onPlaced: LogRules["onPlaced"];
	/** by which the disk is waited for */
	readonly clock: Clock;
	/** told in words, each thing once, when the session goes on without us or a fold cannot be had */
	readonly tell: (trouble: string) => void;
}

/**
 * A session's log, opened when it is first needed. Everything it is asked is done in the order it was asked, late where
 * the disk does not answer, and once something went wrong there is none any more.
 */
export class GuardedLog {
	readonly outputs: KeptOutputs;
	readonly #host: LogHost;
	readonly #told = new Set<string>();
	readonly #turns = new Turns();
	readonly #patience: Patience;
	#log: LiveLog | undefined;
	#trouble: string | undefined;
	#isOver = false;

	constructor(host: LogHost) {
		this.#host = host;
		this.#patience = new Patience(host.clock);
		this.outputs = new KeptOutputs({
			cap: host.outputCapBytes,
			clock: host.clock,
			log: () => (this.#isOver ? undefined : this.#log),
			onCopied: () => void this.#turns.take(() => this.#guarded((log) => this.outputs.settle(log))),
			tell: (trouble) => this.tell(trouble),
		});
	}

	/** The log as it stands, without a turn; `undefined` where it was not opened yet, or there is none any more. */
	get log(): LiveLog | undefined {
		return this.#log;
	}

	/** Why nothing is folded, in words: what went wrong, that the log is open elsewhere, or that the disk does not answer. */
	get trouble(): string | undefined {
		return this.#trouble ?? (this.#patience.isOut ? DISK_SILENT : undefined);
	}

	/** Whether there is no log any more. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** Whether nothing is asked of it or under way, and it is not over. */
	get isIdle(): boolean {
		return this.#turns.areOver && !this.#isOver && this.outputs.isDone;
	}

	/**
	 * Does something when its turn comes. Where the disk does not answer meanwhile that is told, and `instead` gives what it
	 * comes to, or nothing; the turn is still taken then, late, once the disk answers.
	 */
	async take<T>(
		session: HostSession,
		work: (turn: Turn) => Promise<T>,
		instead?: () => T,
	): Promise<T | undefined> {
		let late: Pick<Turn, "leaf" | "entries"> | undefined;
		const turn = {
			session,
			get leaf() {
				return late ? late.leaf : session.getLeafId();
			},
			get entries() {
				return late ? late.entries : Number.POSITIVE_INFINITY;
			},
			get isLate() {
				return late !== undefined;
			},
		};
		const done = this.#turns.take(() => work(turn));
		if (await this.#patience.lasts(done)) {
			// the next silence is another one
			this.#told.delete(DISK_SILENT);
			return done;
		}
		late = { leaf: session.getLeafId(), entries: session.getEntries().length };
		this.tell(DISK_SILENT);
		return instead?.();
	}

	/** Takes a turn with the log: {@link take} and {@link within} in one. */
	ask<T>(session: HostSession, work: (log: LiveLog, turn: Turn) => Promise<T>): Promise<T | undefined> {
		return this.take(session, (turn) => this.within(turn, (log) => work(log, turn)));
	}

	/**
	 * Within a turn, does something with the log once it has caught up; `undefined` where nobody spoke yet, or there is no
	 * log any more. What `work` throws is told, and the end of the log.
	 */
	async within<T>(turn: Turn, work: (log: LiveLog) => Promise<T>): Promise<T | undefined> {
		return this.#guarded(
			async (log) => {
				do {
					await log.catchUp(turn);
					await this.outputs.settle(log);
				} while (log.engine.states.tree.leaf !== turn.leaf);
				return work(log);
			},
			async () => (isSpokenIn(turn.session) ? this.#open(turn.session) : undefined),
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

	/** Lets go of the store; where the disk does not answer, once it does. Twice does no harm. */
	async close(): Promise<void> {
		await this.#patience.lasts(this.#closed());
	}

	#closed(): Promise<void> {
		return this.#turns.take(() =>
			this.#patience.of(CLOSE_MS, async () => {
				await this.outputs.finish(this.#log).catch(() => {});
				this.#isOver = true;
				await this.#log?.close();
				this.#log = undefined;
			}),
		);
	}

	/** Does something with the log, opened by `open` where it is not; nothing where there is none. */
	async #guarded<T>(
		work: (log: LiveLog) => Promise<T>,
		open?: () => Promise<LiveLog | undefined>,
	): Promise<T | undefined> {
		if (this.#isOver) return undefined;
		try {
			this.#log ??= open && (await this.#patience.of(OPEN_MS, open));
			return this.#log && (await work(this.#log));
		} catch (error) {
			this.#isOver = true;
			this.outputs.drop();
			this.#trouble = wordsOf(error);
			await this.#patience.of(WRITE_MS, async () => this.#log?.close()).catch(() => {});
			this.#log = undefined;
			this.tell(`${this.#trouble}; this session goes on without new folds`);
			return undefined;
		}
	}

	async #open(session: HostSession): Promise<LiveLog> {
		const { settings, model, alive } = this.#host;
		const onRefused = (why: string) => this.tell(`a fold of this session cannot be had: ${why}`);
		const rules: LogRules = {
			settings,
			model,
			onRefused,
			onPlaced: this.#host.onPlaced,
			onMet: (...entries) => this.outputs.met(...entries),
			patience: this.#patience,
			clock: this.#host.clock,
		};
		const log = await LiveLog.open(session, rules, { alive, close: () => this.#closed() });
		this.#trouble = log.refusal;
		if (log.refusal) this.tell(`${log.refusal}; its folds stand, and no new ones are made`);
		this.#host.opened();
		return log;
	}
}

/** The host, too, makes no file of a session before someone spoke. */
function isSpokenIn(session: HostSession): boolean {
	return session
		.getEntries()
		.some((entry) => entry.type === "message" && ["user", "assistant"].includes(entry.message.role));
}
