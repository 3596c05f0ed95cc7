import type { ExtensionContext, SessionEntry, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import type { SessionStates } from "../../../projections/states.ts";
import { failCompaction } from "../../commands/checkpoint.ts";
import { CommandError } from "../../commands/command-error.ts";
import { foldsByItself } from "../../commands/commit-tighter.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import type { ReadBack, Slice } from "../../debug/read-back.ts";
import type { Receipt } from "../../debug/receipt.ts";
import type { Decision, NextRequest } from "../../engine/decision.ts";
import type { Engine, MemoryShown } from "../../engine/engine.ts";
import { GuardedLog, type LogHost } from "./guarded-log.ts";
import { type Checkpoint, type CheckpointAsked, makeCheckpoint } from "./live-checkpoint.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveLog } from "./live-log.ts";
import { LiveRequests, type RequestHost } from "./live-requests.ts";
import { originals } from "./originals.ts";
import { isDoneWithin, WRITE_MS } from "./patience.ts";
import type { Refusal } from "./refusals.ts";
import { NoNewFolds } from "./store-trouble.ts";

/** What a live session needs of the host. */
export interface LiveHost extends Omit<LogHost, "onPlaced" | "owed">, RequestHost {}

/**
 * One session of the host as it runs: its log, opened when it is first needed, and what stands in its window.
 * Everything it is asked is done in the order it was asked. Once something went wrong it records nothing more, and
 * the last window it made stays in force with new entries raw; where it was the store that failed, until that can be had
 * again. So it does while the disk does not answer: nothing here
 * waits for that without end, what was to be recorded is once it answers, and what was asked and not begun is not done.
 */
export class LiveSession {
	readonly id: string;
	readonly #host: LiveHost;
	readonly #log: GuardedLog;
	readonly #requests: LiveRequests;
	#owed: MemoryShown[] = [];

	constructor(id: string, host: LiveHost) {
		this.id = id;
		this.#host = host;
		this.#log = new GuardedLog({
			...host,
			onPlaced: (engine) => this.#requests.placed(engine),
			owed: () => this.#owed.splice(0),
		});
		this.#requests = new LiveRequests(this.#log, host);
	}

	/** Why nothing is folded, in words: what went wrong, that the session is open elsewhere, or that the disk does not answer. */
	get trouble(): string | undefined {
		return this.#log.trouble;
	}

	/** Why there is nothing to ask or to change, in words: what went wrong, or that nobody spoke yet. */
	get silence(): string {
		return this.trouble ?? "nothing was said in this session yet";
	}

	/** Has a store that could not be had tried again at once, for the user says something. */
	hasten(): void {
		this.#log.hasten();
	}

	/** Starts a damaged store anew from what of it still verifies: {@link GuardedLog.repair}. */
	repair(session: HostSession): ReturnType<GuardedLog["repair"]> {
		return this.#log.repair(session);
	}

	/** Records what the session holds and the log does not, and what the reply to the last request was billed. */
	async record(session: HostSession, model: ExtensionContext["model"], reply?: string): Promise<void> {
		await this.#log.ask(session, async (log) => {
			await log.decisions.placeLate(session);
			const entry = reply === undefined ? undefined : log.engine.entry(reply);
			if (entry) await log.sent.measure(entry);
			// in time for the next request, and not while it waits
			this.#requests.follow(session, log.engine);
			await log.lookAhead(model);
			log.recall.follow();
		});
	}

	/** Records where the user went in the session tree, if anything was recorded of it yet: a mere look opens no store. */
	async moved(session: HostSession): Promise<void> {
		await this.#log.take(session, async (turn) => {
			if (this.#log.log) await this.#log.within(turn, async () => {});
		});
	}

	/** Has it recorded, before the entry that brings it, that a message about memory enters the window. */
	owe(shown: MemoryShown): void {
		this.#owed.push(shown);
	}

	/** The messages to send instead of the host's: {@link LiveRequests.window}. */
	window(...request: Parameters<LiveRequests["window"]>): ReturnType<LiveRequests["window"]> {
		return this.#requests.window(...request);
	}

	/** Folds what can be folded, for the next request on; `undefined` where nothing can. */
	fold(session: HostSession, model: ExtensionContext["model"]): Promise<Receipt | undefined> {
		return this.#log.ask(session, async (log, turn) => {
			const ready = log.refusal === undefined ? await log.ready(turn, model, this.#host.append) : undefined;
			if (!ready) return undefined;
			const decision = await log.decisions.fold(session, ready.request, this.#host.append);
			const receipt = log.receiptOf(decision ?? ready.late);
			if (turn.isLate) this.#tellOf(receipt);
			return receipt;
		});
	}

	/**
	 * Decides what someone asked of the window; `undefined` where all stands so already. Throws `CommandError` where it may
	 * not happen, {@link NoNewFolds} where this session decides nothing, and an `Error` where it does not before the disk
	 * answers.
	 */
	decide(
		session: HostSession,
		model: ExtensionContext["model"],
		command: WindowCommand,
		by: { readonly actor: "user" | "model"; readonly cause?: string },
	): Promise<Decision | undefined> {
		return this.#decided(session, model, ({ decisions }, request) =>
			decisions.command(session, request, { command, ...by }, this.#host.append),
		);
	}

	/** Folds through one stretch, cut as named, with everything before it. Throws as {@link decide}. */
	foldSpan(
		session: HostSession,
		model: ExtensionContext["model"],
		span: { readonly ids: readonly string[]; readonly brief?: string | undefined },
	): Promise<Decision | undefined> {
		return this.#decided(session, model, ({ decisions }, request) =>
			decisions.foldSpan(session, request, span, this.#host.append),
		);
	}

	/**
	 * Meets a refusal of the last request, so that it can be sent again: `undefined` where nothing is ours to do about it,
	 * else what was done, which is nothing where nothing helps.
	 */
	meet(
		session: HostSession,
		model: ExtensionContext["model"],
		refusal: Refusal,
	): Promise<{ readonly receipt: Receipt | undefined } | undefined> {
		const { append } = this.#host;
		return this.#log.ask(session, async (log, turn) => {
			if (log.refusal !== undefined || !foldsByItself(log.engine.states)) return undefined;
			const { request } = (await log.ready(turn, model, this.#host.append)) ?? {};
			if (!request) return undefined;
			const decision =
				refusal.of === "size"
					? await log.decisions.foldTighter(session, request, refusal.excess, append)
					: await log.decisions.turnReasoning(session, request, refusal, append);
			const receipt = log.receiptOf(decision);
			if (turn.isLate) this.#tellOf(receipt);
			return { receipt };
		});
	}

	/**
	 * The checkpoint to hand to the host, which is about to compact: `undefined` where no boundary is safe, `left` where the
	 * user left the session to the host; nothing is recorded then. Throws an `Error` where there is nothing to ask, or not
	 * before the disk answers.
	 */
	async checkpoint(
		session: HostSession,
		asked: Omit<CheckpointAsked, "session" | "summary">,
		summary: (engine: Engine) => string | undefined,
	): Promise<Checkpoint | "left" | undefined> {
		const made = await this.#log.ask(session, async (log, { isLate }) => {
			if (isLate) return undefined;
			if (log.engine.states.rules.suspended?.mode === "off") return { made: "left" as const };
			return {
				made: await makeCheckpoint(log, { ...asked, session: this.id, summary: summary(log.engine) }),
			};
		});
		if (!made) throw new Error(this.silence);
		return made.made;
	}

	/** Records that the host did not compact; nothing where that is no matter of ours. */
	async compactionFailed(session: HostSession, failed: Parameters<typeof failCompaction>[1]): Promise<void> {
		await this.#log.ask(session, async ({ engine }) => {
			const events = failCompaction(engine.states.compactions, failed);
			if (events.length > 0) await engine.note(events, Date.now(), "host");
		});
	}

	/**
	 * Stops folding by itself, or goes on with it; whether anything changed by that, `undefined` where nothing can be: there
	 * is no log or no store, or the disk does not answer.
	 */
	suspend(session: HostSession, mode: "pause" | "off" | undefined): Promise<boolean | undefined> {
		return this.#log.ask(session, async (log, { isLate }) =>
			isLate || log.refusal !== undefined ? undefined : log.suspend(mode),
		);
	}

	/** Keeps the output behind a result that comes in whole, where the host cut it short. Nobody waits for the copying. */
	async keepOutput(session: HostSession, result: ToolResultEvent): Promise<void> {
		await isDoneWithin(WRITE_MS, this.#log.outputs.seen(session, result), this.#host.clock);
	}

	/**
	 * The originals behind a fold or an entry; `undefined` where nothing of this session has the id. Throws where they are
	 * not stored as they were, which is no trouble of the session's, and where there is nothing to ask.
	 */
	async readBack(
		session: HostSession,
		id: string,
		slice: Slice,
		asked: { readonly call: string; readonly ephemeral: boolean },
	): Promise<ReadBack | undefined> {
		await this.#log.outputs.copied();
		const read = await this.#log.ask(session, async (log, { isLate }) => {
			if (isLate) return undefined;
			try {
				const isUnderway = (entry: SessionEntry) => this.#log.outputs.isUnderway(entry);
				const found = originals(session, log.engine, { id, slice, isUnderway });
				if (found) await log.peeked(found, asked);
				return { found };
			} catch (error) {
				return { error };
			}
		});
		if (!read) throw new Error(this.silence);
		if (read.error !== undefined) throw read.error;
		return read.found;
	}

	/**
	 * Does something with the log beside the window, as recall and memory do; `undefined` where there is none, or not in time.
	 * What `work` throws is a trouble of the session's.
	 */
	withLog<T>(session: HostSession, work: (log: LiveLog) => T | Promise<T>): Promise<T | undefined> {
		return this.#log.ask(session, async (log, { isLate }) => (isLate ? undefined : work(log)));
	}

	/** Whether the host need not compact: {@link LiveRequests.fits}. */
	fits(...request: Parameters<LiveRequests["fits"]>): Promise<boolean> {
		return this.#requests.fits(...request);
	}

	/** Asks something of the states, as they stand before the next request; `undefined` where there are none, or not in time. */
	ask<T>(
		session: HostSession,
		model: ExtensionContext["model"],
		question: (states: SessionStates, request: NextRequest, engine: Engine) => T | Promise<T>,
	): Promise<T | undefined> {
		return this.#log.ask(session, async (log, turn) => {
			const request = await log.next(model);
			return turn.isLate ? undefined : question(log.engine.states, request, log.engine);
		});
	}

	/** The log as it stands at this moment, without a turn; `undefined` where there is none. */
	get log(): LiveLog | undefined {
		return this.#log.log;
	}

	/** Lets go of the store. Twice does no harm. */
	close(): Promise<void> {
		return this.#log.close();
	}

	/** Decides something; a refusal is no trouble of the session's. */
	async #decided(
		session: HostSession,
		model: ExtensionContext["model"],
		decide: (log: LiveLog, request: NextRequest) => Promise<Decision | undefined>,
	): Promise<Decision | undefined> {
		const decided = await this.#log.ask(session, async (log, turn) => {
			if (log.refusal !== undefined) return { error: new NoNewFolds(log.refusal) };
			const ready = await log.ready(turn, model, this.#host.append);
			if (!ready) return undefined;
			this.#tellOf(log.receiptOf(ready.late));
			try {
				const decision = await decide(log, ready.request);
				if (turn.isLate) this.#tellOf(log.receiptOf(decision));
				return { decision };
			} catch (error) {
				if (error instanceof CommandError) return { error };
				throw error;
			}
		});
		if (!decided) throw new Error(this.silence);
		if (decided.error) throw decided.error;
		return decided.decision;
	}

	/** Tells of a commit that came into force and that nobody waits for. */
	#tellOf(receipt: Receipt | undefined): void {
		if (receipt) this.#host.folded(receipt);
	}
}
