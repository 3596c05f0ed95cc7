import type { ExtensionContext, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import type { Quote } from "../../../events/commit.ts";
import type { SessionStates } from "../../../projections/states.ts";
import { CommandError } from "../../commands/command-error.ts";
import { foldsByItself } from "../../commands/commit-tighter.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import { type ProjectionCandidate, projectionCandidates } from "../../debug/projection-candidates.ts";
import { type ReadBack, readBack, type Slice } from "../../debug/read-back.ts";
import { type Receipt, receiptAt } from "../../debug/receipt.ts";
import type { Decision, NextRequest } from "../../engine/decision.ts";
import type { Engine } from "../../engine/engine.ts";
import { GuardedLog, type LogHost } from "./guarded-log.ts";
import type { HostMessage } from "./host-messages.ts";
import type { Append } from "./live-decisions.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveLog } from "./live-log.ts";
import { missingOutput } from "./output-words.ts";
import type { Refusal } from "./refusals.ts";
import { RequestWindow } from "./request-window.ts";
import { wordsOf } from "./say.ts";

/** What a live session needs of the host. */
export interface LiveHost extends LogHost {
	readonly append: Append;
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
	readonly #log: GuardedLog;
	readonly #window = new RequestWindow();

	constructor(id: string, host: LiveHost) {
		this.id = id;
		this.#host = host;
		this.#log = new GuardedLog(host);
	}

	/** What went wrong, in words, so that nothing is folded any more; or that the session is open elsewhere. */
	get trouble(): string | undefined {
		return this.#log.trouble;
	}

	/** Why there is nothing to ask or to change, in words: what went wrong, or that nobody spoke yet. */
	get silence(): string {
		return this.trouble ?? "nothing was said in this session yet";
	}

	/** Records what the session holds and the log does not, and what the reply to the last request was billed. */
	async record(session: HostSession, model: ExtensionContext["model"], reply?: string): Promise<void> {
		await this.#log.ask(session, async (log) => {
			await log.decisions.placeLate(session);
			const entry = reply === undefined ? undefined : log.engine.entry(reply);
			if (entry) await log.sent.measure(entry);
			// in time for the next request, and not while it waits
			this.#window.stand(log.engine, session.getLeafId());
			this.#window.follow(session);
			await log.lookAhead(session, model);
		});
	}

	/** Records where the user went in the session tree, if anything was recorded of it yet: a mere look opens no store. */
	moved(session: HostSession): Promise<void> {
		return this.#log.take(async () => {
			if (this.#log.log) await this.#log.within(session, async () => {});
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
			void this.#log.take(async () => {});
			return window;
		}
		return this.#log.take(async () => {
			const { request, receipt } =
				(await this.#log.within(session, (log) => this.#decide(log, session, model))) ?? {};
			if (receipt) this.#host.folded(receipt);
			return this.#messagesFor(session, messages, request);
		});
	}

	/** The request, where the last turn found that nothing is to be done before it. */
	#quietly(session: HostSession, model: ExtensionContext["model"]): NextRequest | undefined {
		if (!this.#log.isIdle) return undefined;
		try {
			return this.#log.log?.quietly(session, model);
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
			const window = this.#window.of(session, messages, !this.#log.isOver);
			if (request) this.#log.afterwards((log) => log.sent.prepare(request));
			return window;
		} catch (error) {
			this.#log.tell(`the window could not be folded: ${wordsOf(error)}`);
			this.#log.afterwards(async () => {});
			return this.#window.continued(messages);
		}
	}

	/** Folds what can be folded, for the next request on; `undefined` where nothing can. */
	fold(session: HostSession, model: ExtensionContext["model"]): Promise<Receipt | undefined> {
		const { append } = this.#host;
		return this.#log.ask(session, async (log) => {
			if (log.refusal !== undefined) return undefined;
			const late = await log.decisions.placeLate(session, append);
			const decision = (await log.decisions.fold(session, await log.next(session, model), append)) ?? late;
			return decision && receiptAt(log.engine.states, session.getLeafId());
		});
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
			log.decisions.command(session, await log.next(session, model), { command, ...by }, append),
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
			log.decisions.foldSpan(session, await log.next(session, model), span, append),
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
		return this.#log.ask(session, async (log) => {
			if (log.refusal !== undefined || !foldsByItself(log.engine.states)) return undefined;
			await log.decisions.placeLate(session, append);
			const request = await log.next(session, model);
			const decision =
				refusal.of === "size"
					? await log.decisions.foldTighter(session, request, refusal.excess, append)
					: await log.decisions.turnReasoning(session, request, refusal, append);
			return { receipt: decision && receiptAt(log.engine.states, session.getLeafId()) };
		});
	}

	/** Stops folding by itself, or goes on with it; whether anything changed by that, `undefined` where there is no log. */
	suspend(session: HostSession, mode: "pause" | "off" | undefined): Promise<boolean | undefined> {
		return this.#log.ask(session, (log) => log.suspend(mode));
	}

	/** Keeps the output behind a result that comes in whole, where the host cut it short. Nobody waits for the copying. */
	async keepOutput(session: HostSession, result: ToolResultEvent): Promise<void> {
		await this.#log.outputs.seen(session, result);
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
		const read = await this.#log.ask(session, async (log) => {
			try {
				const found = this.#readBack(session, log, id, slice);
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

	/** Whether the next request will be within the budget, so that the host need not compact; never where nothing is folded. */
	fits(session: HostSession, model: ExtensionContext["model"]): Promise<boolean> {
		return this.#log.take(async () => {
			const fits = await this.#log.within(session, async (log) => log.fits(await log.next(session, model)));
			return fits ?? (this.#log.isOver && this.#window.fitsWithoutLog(session, model));
		});
	}

	/** Asks something of the states, as they stand before the next request; `undefined` where there are none. */
	ask<T>(
		session: HostSession,
		model: ExtensionContext["model"],
		question: (states: SessionStates, request: NextRequest, engine: Engine) => T | Promise<T>,
	): Promise<T | undefined> {
		return this.#log.ask(session, async (log) => {
			const request = await log.next(session, model);
			return question(log.engine.states, request, log.engine);
		});
	}

	/** The folds in the window, as far as is known at this moment. */
	candidates(session: HostSession): ProjectionCandidate[] {
		const { log } = this.#log;
		return log ? projectionCandidates(log.engine.states, session.getLeafId()) : [];
	}

	/** Lets go of the store. Twice does no harm. */
	close(): Promise<void> {
		return this.#log.close();
	}

	/** Decides something; a refusal is no trouble of the session's. */
	async #decided(
		session: HostSession,
		decide: (log: LiveLog) => Promise<Decision | undefined>,
	): Promise<Decision | undefined> {
		const decided = await this.#log.ask(session, async (log) => {
			if (log.refusal !== undefined) return { error: new Error(log.refusal) };
			await log.decisions.placeLate(session, this.#host.append);
			try {
				return { decision: await decide(log) };
			} catch (error) {
				if (error instanceof CommandError) return { error };
				throw error;
			}
		});
		if (!decided) throw new Error(this.silence);
		if (decided.error) throw decided.error;
		return decided.decision;
	}

	#readBack(session: HostSession, { engine }: LiveLog, id: string, slice: Slice): ReadBack | undefined {
		const found = readBack(engine.states, (digest) => engine.content(digest), id, slice);
		const entry = found?.entry === undefined ? undefined : session.getEntry(found.entry);
		if (!found || !entry || found.output || found.edited.length > 0) return found;
		const missing = missingOutput(engine.states.outputs, entry, this.#log.outputs.isUnderway(entry));
		return { ...found, ...(missing !== undefined && { missing }) };
	}

	/** Sees to decisions before a request, and to what stands at it. */
	async #decide(
		log: LiveLog,
		session: HostSession,
		model: ExtensionContext["model"],
	): Promise<{ request: NextRequest; receipt: Receipt | undefined }> {
		const { append } = this.#host;
		await log.decisions.placeLate(session, append);
		const request = await log.next(session, model);
		const mayFold = log.refusal === undefined;
		const decision = mayFold ? await log.decisions.foldIfDue(session, request, append) : undefined;
		const observed = mayFold ? await log.engine.observeIfDue(request) : undefined;
		if (observed) this.#host.observed(observed.data.quote);
		const leaf = session.getLeafId();
		this.#window.stand(log.engine, leaf);
		return { request: { ...request, leaf }, receipt: decision && receiptAt(log.engine.states, leaf) };
	}
}
