import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { ExtensionContext, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import type { Quote } from "../../../events/commit.ts";
import type { Settings } from "../../../projections/rules.ts";
import type { SessionStates } from "../../../projections/states.ts";
import { CommandError } from "../../commands/command-error.ts";
import { foldsByItself } from "../../commands/commit-tighter.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import { type ProjectionCandidate, projectionCandidates } from "../../debug/projection-candidates.ts";
import { type ReadBack, readBack, type Slice } from "../../debug/read-back.ts";
import { type Receipt, receiptAt } from "../../debug/receipt.ts";
import type { Decision, NextRequest } from "../../engine/decision.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HostMessage } from "./host-messages.ts";
import { KeptOutputs } from "./kept-output.ts";
import { LastWindow } from "./last-window.ts";
import type { HostSession } from "./live-entry.ts";
import { type Append, LiveLog } from "./live-log.ts";
import { missingOutput } from "./output-words.ts";
import type { Refusal } from "./refusals.ts";
import { type StandingHead, standingHead } from "./standing-head.ts";
import { Turns } from "./turns.ts";
import { WindowMessages } from "./window-messages.ts";

/** What a live session needs of the host. */
export interface LiveHost {
	/** the rules in force now */
	readonly settings: () => Settings;
	/** whether the host still runs this session */
	readonly alive: () => boolean;
	readonly append: Append;
	/** bytes this session may keep of whole outputs */
	readonly outputCapBytes: number;
	/** told in words, each thing once, when the session goes on without us or a fold cannot be had */
	readonly tell: (trouble: string) => void;
	/** told of each commit the policy made */
	readonly folded: (receipt: Receipt) => void;
	/** told of each commit the policy would have made, where the user wishes to watch only */
	readonly observed: (quote: Quote) => void;
}

/**
 * One session of the host as it runs: its log, opened when it is first needed, and what stands in its window.
 * Everything it is asked is done in the order it was asked. Once something went wrong it records nothing more, and
 * the last window it made stays in force with new entries raw.
 */
export class LiveSession {
	readonly id: string;
	readonly #host: LiveHost;
	readonly #told = new Set<string>();
	readonly #turns = new Turns();
	readonly #last = new LastWindow();
	#messages = new WindowMessages();
	readonly #outputs: KeptOutputs;
	#log: LiveLog | undefined;
	#standing: StandingHead | undefined;
	#trouble: string | undefined;
	#over = false;

	constructor(id: string, host: LiveHost) {
		this.id = id;
		this.#host = host;
		this.#outputs = new KeptOutputs({
			cap: host.outputCapBytes,
			log: () => (this.#over ? undefined : this.#log),
			onCopied: () => void this.#turns.take(() => this.#guarded((log) => this.#outputs.settle(log))),
			tell: (trouble) => this.#tell(trouble),
		});
	}

	/** What went wrong, in words, so that nothing is folded any more. */
	get trouble(): string | undefined {
		return this.#trouble;
	}

	/** Records what the session holds and the log does not, and what the reply to the last request was billed. */
	record(session: HostSession, model: ExtensionContext["model"], reply?: string): Promise<void> {
		return this.#turns.take(async () => {
			await this.#withLog(session, async (log) => {
				await log.placeLate(session);
				const entry = reply === undefined ? undefined : log.engine.entry(reply);
				if (entry) await log.sent.measure(entry);
				// in time for the next request, and not while it waits
				this.#standing = standingHead(log.engine, session.getLeafId(), this.#standing);
				if (this.#standing) this.#messages.follow(session, this.#standing);
				await log.lookAhead(session, model);
			});
		});
	}

	/** Records where the user went in the session tree, if anything was recorded of it yet: a mere look opens no store. */
	moved(session: HostSession): Promise<void> {
		return this.#turns.take(async () => {
			if (this.#log) await this.#withLog(session, async () => {});
		});
	}

	/**
	 * The messages to send instead of the host's; `undefined` where no fold is in force at the leaf. The policy may
	 * commit first. What goes out is recorded, and the request does not wait for that; nor for a turn of its own, where
	 * the last one left nothing to do.
	 */
	window(
		session: HostSession,
		messages: readonly HostMessage[],
		model: ExtensionContext["model"],
	): Promise<HostMessage[] | undefined> | HostMessage[] | undefined {
		const quiet = this.#quietly(session, model);
		if (quiet) {
			const window = this.#messagesFor(session, messages, quiet);
			void this.#turns.take(async () => {});
			return window;
		}
		return this.#turns.take(async () => {
			const { request, receipt } =
				(await this.#withLog(session, (log) => this.#decide(log, session, model))) ?? {};
			if (receipt) this.#host.folded(receipt);
			return this.#messagesFor(session, messages, request);
		});
	}

	/** The request, where the last turn found that nothing is to be done before it. */
	#quietly(session: HostSession, model: ExtensionContext["model"]): NextRequest | undefined {
		if (!this.#turns.areOver || this.#over || !this.#outputs.isDone) return undefined;
		try {
			return this.#log?.quietly(session, model);
		} catch {
			// what is wrong is found again in a turn, and told there
			return undefined;
		}
	}

	#messagesFor(
		session: HostSession,
		messages: readonly HostMessage[],
		request: NextRequest | undefined,
	): HostMessage[] | undefined {
		try {
			const standing = this.#standingAt(session);
			const window = standing && this.#messages.of(session, standing, messages);
			this.#last.keep(messages, window);
			if (request) this.#afterwards((log) => log.sent.prepare(request));
			return window;
		} catch (error) {
			this.#tell(`the window could not be folded: ${wordsOf(error)}`);
			this.#messages = new WindowMessages();
			this.#afterwards(async () => {});
			return this.#last.continued(messages);
		}
	}

	/** Folds what can be folded, for the next request on; `undefined` where nothing can. */
	fold(session: HostSession, model: ExtensionContext["model"]): Promise<Receipt | undefined> {
		const { append } = this.#host;
		return this.#turns.take(() =>
			this.#withLog(session, async (log) => {
				if (log.refusal !== undefined) return undefined;
				const late = await log.placeLate(session, append);
				const decision = (await log.fold(session, await log.next(session, model), append)) ?? late;
				return decision && receiptAt(log.engine.states, session.getLeafId());
			}),
		);
	}

	/**
	 * Decides what someone asked of the window; `undefined` where all stands so already. Throws `CommandError` where it may
	 * not happen, and an `Error` where this session decides nothing.
	 */
	decide(
		session: HostSession,
		model: ExtensionContext["model"],
		command: WindowCommand,
		by: { readonly actor: "user" | "model"; readonly cause?: string },
	): Promise<Decision | undefined> {
		const { append } = this.#host;
		return this.#decided(session, async (log) =>
			log.command(session, await log.next(session, model), { command, ...by }, append),
		);
	}

	/** Folds through one stretch, cut as named, with everything before it. Throws as {@link decide}. */
	foldSpan(
		session: HostSession,
		model: ExtensionContext["model"],
		span: { readonly ids: readonly string[]; readonly brief?: string | undefined },
	): Promise<Decision | undefined> {
		const { append } = this.#host;
		return this.#decided(session, async (log) =>
			log.foldSpan(session, await log.next(session, model), span, append),
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
		return this.#turns.take(() =>
			this.#withLog(session, async (log) => {
				if (log.refusal !== undefined || !foldsByItself(log.engine.states)) return undefined;
				await log.placeLate(session, append);
				const request = await log.next(session, model);
				const decision =
					refusal.of === "size"
						? await log.foldTighter(session, request, refusal.excess, append)
						: await log.turnReasoning(session, request, refusal, append);
				return { receipt: decision && receiptAt(log.engine.states, session.getLeafId()) };
			}),
		);
	}

	/** Stops folding by itself, or goes on with it; whether anything changed by that, `undefined` where there is no log. */
	suspend(session: HostSession, mode: "pause" | "off" | undefined): Promise<boolean | undefined> {
		return this.#turns.take(() => this.#withLog(session, (log) => log.suspend(mode)));
	}

	/** Keeps the output behind a result that comes in whole, where the host cut it short. Nobody waits for the copying. */
	async keepOutput(session: HostSession, result: ToolResultEvent): Promise<void> {
		await this.#outputs.seen(session, result);
	}

	/**
	 * The originals behind a fold or an entry; `undefined` where nothing of this session has the id. Throws where they are
	 * not stored as they were, which is no trouble of the session's.
	 */
	async readBack(
		session: HostSession,
		id: string,
		slice: Slice,
		asked: { readonly call: string; readonly ephemeral: boolean },
	): Promise<ReadBack | undefined> {
		await this.#outputs.copied();
		const read = await this.#turns.take(() =>
			this.#withLog(session, async (log) => {
				try {
					const found = this.#readBack(session, log, id, slice);
					if (found) await log.peeked(found, asked);
					return { found };
				} catch (error) {
					return { error };
				}
			}),
		);
		if (read?.error !== undefined) throw read.error;
		return read?.found;
	}

	/** Whether the next request will be within the budget, so that the host need not compact; never where nothing is folded. */
	fits(session: HostSession, model: ExtensionContext["model"]): Promise<boolean> {
		return this.#turns.take(async () => {
			const fits = await this.#withLog(session, async (log) => {
				return log.fits(await log.next(session, model));
			});
			return fits ?? this.#fitsAsItStands(session, model);
		});
	}

	/** Whether the last window there was, with what came since, is within what the model takes, at three characters a token. */
	#fitsAsItStands(session: HostSession, model: ExtensionContext["model"]): boolean {
		const standing = this.#standingAt(session);
		if (!standing || !this.#over || !model) return false;
		const { messages } = session.buildSessionProjection();
		const window = this.#messages.of(session, standing, messages);
		let chars = 0;
		for (const message of window) chars += JSON.stringify(message).length;
		return chars / 3 <= model.contextWindow * 0.9;
	}

	/** Asks something of the states, as they stand before the next request; `undefined` where there are none. */
	ask<T>(
		session: HostSession,
		model: ExtensionContext["model"],
		question: (states: SessionStates, request: NextRequest, engine: Engine) => T | Promise<T>,
	): Promise<T | undefined> {
		return this.#turns.take(() =>
			this.#withLog(session, async (log) => {
				const request = await log.next(session, model);
				return question(log.engine.states, request, log.engine);
			}),
		);
	}

	/** The folds in the window, as far as is known at this moment. */
	candidates(session: HostSession): ProjectionCandidate[] {
		return this.#log ? projectionCandidates(this.#log.engine.states, session.getLeafId()) : [];
	}

	/** Lets go of the store. Twice does no harm. */
	close(): Promise<void> {
		return this.#turns.take(async () => {
			await this.#outputs.finish(this.#log).catch(() => {});
			this.#over = true;
			await this.#log?.close();
			this.#log = undefined;
		});
	}

	/** Decides something; a refusal is no trouble of the session's. */
	async #decided(
		session: HostSession,
		decide: (log: LiveLog) => Promise<Decision | undefined>,
	): Promise<Decision | undefined> {
		const decided = await this.#turns.take(() =>
			this.#withLog(session, async (log) => {
				if (log.refusal !== undefined) return { error: new Error(log.refusal) };
				await log.placeLate(session, this.#host.append);
				try {
					return { decision: await decide(log) };
				} catch (error) {
					if (error instanceof CommandError) return { error };
					throw error;
				}
			}),
		);
		if (!decided) throw new Error(this.#trouble ?? "nothing was said in this session yet");
		if (decided.error) throw decided.error;
		return decided.decision;
	}

	/** Does something with the log behind this turn and before the next, which nobody waits for. */
	#afterwards(work: (log: LiveLog) => Promise<void>): void {
		this.#turns.afterwards(async () => {
			await this.#guarded(async (log) => {
				// the request goes out first
				await turnOfOthers();
				await log.settled();
				await work(log);
			});
		});
	}

	/** Does something with the log once it has caught up; nothing where nobody spoke yet, or there is no log any more. */
	async #withLog<T>(session: HostSession, work: (log: LiveLog) => Promise<T>): Promise<T | undefined> {
		return this.#guarded(
			async (log) => {
				const seen = await log.catchUp(session);
				if (seen.length > 0) this.#outputs.met(session, seen);
				await this.#outputs.settle(log);
				return work(log);
			},
			async () => (isSpokenIn(session) ? this.#open(session) : undefined),
		);
	}

	/** Does something with the log, opened by `open` where it is not; nothing where there is none. */
	async #guarded<T>(
		work: (log: LiveLog) => Promise<T>,
		open?: () => Promise<LiveLog | undefined>,
	): Promise<T | undefined> {
		if (this.#over) return undefined;
		try {
			this.#log ??= await open?.();
			return this.#log && (await work(this.#log));
		} catch (error) {
			this.#over = true;
			this.#outputs.drop();
			this.#trouble = wordsOf(error);
			await this.#log?.close().catch(() => {});
			this.#log = undefined;
			// last, for a host that has dropped the session throws
			this.#tell(`${this.#trouble}; this session goes on without new folds`);
			return undefined;
		}
	}

	async #open(session: HostSession): Promise<LiveLog> {
		const { settings, alive } = this.#host;
		const onRefused = (why: string) => this.#tell(`a fold of this session cannot be had: ${why}`);
		const log = await LiveLog.open(session, { settings, onRefused }, { alive, close: () => this.close() });
		this.#trouble = log.refusal;
		if (log.refusal) this.#tell(`${log.refusal}; this session keeps its folds and makes no new ones`);
		return log;
	}

	#readBack(session: HostSession, { engine }: LiveLog, id: string, slice: Slice): ReadBack | undefined {
		const found = readBack(engine.states, (digest) => engine.content(digest), id, slice);
		const entry = found?.entry === undefined ? undefined : session.getEntry(found.entry);
		if (!found || !entry || found.output || found.edited.length > 0) return found;
		const missing = missingOutput(engine.states.outputs, entry, this.#outputs.isUnderway(entry));
		return { ...found, ...(missing !== undefined && { missing }) };
	}

	/** Sees to decisions before a request, and to what stands at it. */
	async #decide(
		log: LiveLog,
		session: HostSession,
		model: ExtensionContext["model"],
	): Promise<{ request: NextRequest; receipt: Receipt | undefined }> {
		const { append } = this.#host;
		await log.placeLate(session, append);
		const request = await log.next(session, model);
		const decision = log.refusal === undefined ? await log.foldIfDue(session, request, append) : undefined;
		const observed = log.refusal === undefined ? await log.engine.observeIfDue(request) : undefined;
		if (observed) this.#host.observed(observed.data.quote);
		const leaf = session.getLeafId();
		this.#standing = standingHead(log.engine, leaf, this.#standing);
		return { request: { ...request, leaf }, receipt: decision && receiptAt(log.engine.states, leaf) };
	}

	/** What stands at the leaf: as the log has it, or where there is none any more, as it was last. */
	#standingAt(session: HostSession): StandingHead | undefined {
		const standing = this.#standing;
		if (!standing || !this.#over) return standing;
		return this.#messages.isOnPath(session, standing.node) ? standing : undefined;
	}

	#tell(trouble: string): void {
		if (this.#told.has(trouble)) return;
		this.#told.add(trouble);
		this.#host.tell(trouble);
	}
}

/** The host, too, makes no file of a session before someone spoke. */
function isSpokenIn(session: HostSession): boolean {
	return session
		.getEntries()
		.some((entry) => entry.type === "message" && ["user", "assistant"].includes(entry.message.role));
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
