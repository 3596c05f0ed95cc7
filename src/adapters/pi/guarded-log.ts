import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { Settings } from "../../../projections/rules.ts";
import type { Repair } from "../../store/repair.ts";
import { KeptOutputs } from "./kept-output.ts";
import type { HostSession } from "./live-entry.ts";
import { LiveLog, type LogRules } from "./live-log.ts";
import { CLOSE_MS, type Clock, DISK_SILENT, OPEN_MS, Patience, WRITE_MS } from "./patience.ts";
import { recordBeside } from "./request-beside.ts";
import { wordsOf } from "./say.ts";
import { SecondTry } from "./second-try.ts";
import type { ModelInUse } from "./settings-in-force.ts";
import type { StoreHolder } from "./store-holders.ts";
import { repaired } from "./store-repair.ts";
import { type StoreTrouble, storeTrouble, troubleSentence } from "./store-trouble.ts";
import { type Turn, Turns } from "./turns.ts";

/** What a session's log needs of the host. */
export interface LogHost {
	/** the rules in force now */
	readonly settings: (model: ModelInUse) => Settings;
	/** the model that answers now */
	readonly model: () => ModelInUse;
	/** told once the log is open, within the turn that needed it */
	readonly opened: (log: LiveLog) => void;
	/** whether the host still runs this session */
	readonly alive: () => boolean;
	/** bytes this session may keep of whole outputs */
	readonly outputCapBytes: number;
	/** told of each decision once its node stands in the session, before the disk has it; must not throw */
	readonly onPlaced: LogRules["onPlaced"];
	/** gives, once, what is about to enter the window and is to be recorded before the entry that brings it */
	readonly owed: LogRules["owed"];
	/** by which the disk is waited for */
	readonly clock: Clock;
	/** told in words, each thing once, when the session goes on without us or its store, or a fold cannot be had */
	readonly tell: (trouble: string) => void;
}

/**
 * A session's log, opened when it is first needed. Everything it is asked is done in the order it was asked, late where
 * the disk does not answer. Where the store cannot be had, or a write to it failed, the session has a log in memory beside
 * it until the store can be had again; once anything else went wrong there is none any more.
 */
export class GuardedLog {
	readonly outputs: KeptOutputs;
	readonly #host: LogHost;
	readonly #told = new Set<string>();
	readonly #turns = new Turns();
	readonly #patience: Patience;
	readonly #secondTry: SecondTry;
	#log: LiveLog | undefined;
	/** why the store cannot be had */
	#missing: StoreTrouble | undefined;
	#trouble: string | undefined;
	#isOver = false;

	constructor(host: LogHost) {
		this.#host = host;
		this.#patience = new Patience(host.clock);
		this.#secondTry = new SecondTry(host.clock);
		this.outputs = new KeptOutputs({
			cap: host.outputCapBytes,
			clock: host.clock,
			log: () => (this.#isOver ? undefined : this.#log),
			onCopied: () => void this.#turns.take(() => this.#guarded((log) => this.outputs.settle(log))),
			tell: (trouble) => this.tell(trouble),
		});
	}

	/** The log as it stands, without a turn; `undefined` where it was not opened yet, or there is none just now or any more. */
	get log(): LiveLog | undefined {
		return this.#log;
	}

	/** Why nothing is folded, in words: what went wrong, that the log is open elsewhere, or that the disk does not answer. */
	get trouble(): string | undefined {
		return this.#trouble ?? (this.#patience.isOut ? DISK_SILENT : undefined);
	}

	/** Whether nothing is asked of it or under way or due, and it is not over. */
	get isIdle(): boolean {
		return this.#turns.areOver && !this.#isOver && this.outputs.isDone && !this.#isTryDue;
	}

	/** Has a store that could not be had tried again at the next turn, for the user says something. */
	hasten(): void {
		this.#secondTry.hasten();
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
	 * log any more. What `work` throws is told: it ends the log, or where it came of the store, has the next turn go on
	 * beside that.
	 */
	async within<T>(turn: Turn, work: (log: LiveLog) => Promise<T>): Promise<T | undefined> {
		return this.#guarded(async (log) => {
			do {
				await log.catchUp(turn);
				await this.outputs.settle(log);
			} while (log.engine.states.tree.leaf !== turn.leaf);
			return work(log);
		}, turn);
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

	/**
	 * Starts a damaged store anew from what of it still verifies, and goes on with it; `undefined` where it needs no repair.
	 * Throws an `Error` where that cannot be.
	 */
	repair(session: HostSession): Promise<Repair | undefined> {
		return this.take(session, async (turn) => {
			const damaged = this.#log?.refusal === undefined ? undefined : this.#missing?.damaged;
			const done = damaged === undefined ? undefined : await repaired(damaged, session.getSessionId());
			this.hasten();
			await this.within(turn, async () => {});
			return done;
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

	/** Does something with the log, opened for a turn where it is not; nothing where there is none. */
	async #guarded<T>(work: (log: LiveLog) => Promise<T>, turn?: Turn): Promise<T | undefined> {
		if (this.#isOver) return undefined;
		try {
			if (turn && !this.#log && isSpokenIn(turn.session)) this.#log = await this.#open(turn.session);
			if (turn && this.#isTryDue) await this.#openAgain(turn);
			return this.#log && (await work(this.#log));
		} catch (error) {
			const log = this.#log;
			this.#log = undefined;
			this.outputs.drop();
			// a log in memory has no store to miss
			this.#missing = log?.refusal === undefined ? storeTrouble(error) : undefined;
			this.#isOver = this.#missing === undefined;
			this.#trouble = this.#missing?.words ?? wordsOf(error);
			this.#secondTry.putOff();
			await this.#patience.of(WRITE_MS, async () => log?.close()).catch(() => {});
			this.tell(
				this.#missing
					? troubleSentence(this.#missing)
					: `${this.#trouble}; this session goes on without new folds`,
			);
			return undefined;
		}
	}

	/** Opens the session's store, or a log beside it where it cannot be had. */
	async #open(session: HostSession): Promise<LiveLog> {
		let log: LiveLog | undefined;
		if (!this.#missing) {
			log = await this.#openStore(session).catch((error) => {
				this.#missing = storeTrouble(error);
				if (!this.#missing) throw error;
				return undefined;
			});
			this.#secondTry.putOff();
		}
		this.#trouble = this.#missing?.words;
		log ??= await LiveLog.beside(session, this.#rules, this.#trouble ?? "");
		if (this.#missing) this.tell(troubleSentence(this.#missing));
		this.#host.opened(log);
		return log;
	}

	/** Whether there is a log beside the store, which is to be tried again. */
	get #isTryDue(): boolean {
		return this.#log?.refusal !== undefined && this.#secondTry.isDue;
	}

	/** Opens the store in place of the log beside it, if it can be had by now and takes what came meanwhile. */
	async #openAgain(turn: Turn): Promise<void> {
		const beside = this.#log;
		let log: LiveLog | undefined;
		try {
			log = await this.#openStore(turn.session);
			this.#log = log;
			this.outputs.resume();
			await log.catchUp(turn);
			if (beside) await recordBeside(log, beside);
		} catch (error) {
			this.#log = beside;
			this.outputs.drop();
			await this.#patience.of(WRITE_MS, async () => log?.close()).catch(() => {});
			this.#missing = storeTrouble(error) ?? this.#missing;
			this.#trouble = storeTrouble(error)?.words ?? wordsOf(error);
			beside?.refuse(this.#trouble);
			return;
		} finally {
			this.#secondTry.putOff();
		}
		// the next trouble with it is another one
		for (const told of this.#told) if (/^(STORE|EVENT)_/.test(told)) this.#told.delete(told);
		this.#missing = undefined;
		this.#trouble = undefined;
		await beside?.close();
		this.#host.opened(log);
		this.#host.tell("the store of this session can be used again, and folding goes on as before");
	}

	#openStore(session: HostSession): Promise<LiveLog> {
		const holder: StoreHolder = { alive: this.#host.alive, close: () => this.#closed() };
		return this.#patience.of(OPEN_MS, () => LiveLog.open(session, this.#rules, holder));
	}

	get #rules(): LogRules {
		const { settings, model, onPlaced, owed } = this.#host;
		const onRefused = (why: string) => this.tell(`a fold of this session cannot be had: ${why}`);
		return {
			settings,
			model,
			onRefused,
			onPlaced,
			owed,
			onMet: (...entries) => this.outputs.met(...entries),
			patience: this.#patience,
			clock: this.#host.clock,
		};
	}
}

/** The host, too, makes no file of a session before someone spoke. */
function isSpokenIn(session: HostSession): boolean {
	return session
		.getEntries()
		.some((entry) => entry.type === "message" && ["user", "assistant"].includes(entry.message.role));
}
