import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Quote } from "../../../events/commit.ts";
import type { Receipt } from "../../debug/receipt.ts";
import type { NextRequest } from "../../engine/decision.ts";
import type { Engine } from "../../engine/engine.ts";
import type { GuardedLog } from "./guarded-log.ts";
import type { HostMessage } from "./host-messages.ts";
import type { Append } from "./live-decisions.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveLog } from "./live-log.ts";
import { RequestWindow } from "./request-window.ts";
import { wordsOf } from "./say.ts";
import type { StandingHead } from "./standing-head.ts";
import type { Turn } from "./turns.ts";

/** What requests need of the host. */
export interface RequestHost {
	readonly append: Append;
	/** told of each commit that comes into force and that nobody asked for just now */
	readonly folded: (receipt: Receipt) => void;
	/** told of each commit the policy would have made, where the user wishes to watch only */
	readonly observed: (quote: Quote) => void;
}

/** The requests of a running session: what is done before each, what goes out, and that it is recorded. */
export class LiveRequests {
	readonly #log: GuardedLog;
	readonly #host: RequestHost;
	readonly #window = new RequestWindow();

	constructor(log: GuardedLog, host: RequestHost) {
		this.#log = log;
		this.#host = host;
	}

	/** Takes in what stands and what came, in time for the next request, and not while it waits. */
	follow(session: HostSession, engine: Engine): void {
		this.#window.stand(engine);
		this.#window.follow(session);
	}

	/** Has the next window show a decision at once: the disk need not have its node for that. */
	placed(engine: Engine): void {
		try {
			this.#window.stand(engine);
		} catch {
			// found again where a window is made
		}
	}

	/**
	 * The messages to send instead of the host's; `undefined` where no fold is in force at the leaf. The policy may
	 * commit first. What goes out is recorded, and the request does not wait for that; nor for a turn of its own, where
	 * the last one left nothing to do. While the disk does not answer what stood last stands, and the rest goes out raw.
	 */
	window(
		session: HostSession,
		messages: readonly HostMessage[],
		model: ExtensionContext["model"],
	): Promise<HostMessage[] | undefined> | HostMessage[] | undefined {
		const quiet = this.#quietly(session, model);
		return quiet ? this.#messagesFor(session, messages, quiet) : this.#windowInTurn(session, messages, model);
	}

	async #windowInTurn(
		session: HostSession,
		messages: readonly HostMessage[],
		model: ExtensionContext["model"],
	): Promise<HostMessage[] | undefined> {
		let sent: { at: number; standing: StandingHead | undefined } | undefined;
		const inTurn = async (turn: Turn) => {
			const request = await this.#log.within(turn, async (log) => {
				const request = await this.#decide(log, turn, model);
				if (sent) await log.recordLate({ ...sent, leaf: turn.leaf }, model);
				return request;
			});
			return sent ? undefined : this.#messagesFor(session, messages, request);
		};
		return this.#log.take(session, inTurn, () => {
			sent = { at: Date.now(), standing: this.#window.standingBelow(session) };
			return this.#messagesFor(session, messages, undefined, false);
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
		hasLog = this.#log.log !== undefined,
	): HostMessage[] | undefined {
		try {
			const window = this.#window.of(session, messages, hasLog);
			if (request) this.#log.afterwards((log) => log.sent.prepare(request));
			return window;
		} catch (error) {
			this.#log.tell(`the window could not be folded: ${wordsOf(error)}`);
			this.#log.afterwards(async () => {});
			return this.#window.continued(messages);
		}
	}

	/** Whether the next request will be within the budget, so that the host need not compact; never where nothing is folded. */
	async fits(session: HostSession, model: ExtensionContext["model"]): Promise<boolean> {
		const fitsWithoutLog = () => this.#window.fitsWithoutLog(session, model);
		const fits = await this.#log.take<boolean>(
			session,
			async (turn) => {
				const fits = await this.#log.within(turn, async (log) => log.fits(await log.next(model)));
				return fits ?? fitsWithoutLog();
			},
			fitsWithoutLog,
		);
		return fits === true;
	}

	/** Sees to decisions before a request, and to what stands at it; `undefined` where it went out meanwhile. */
	async #decide(
		log: LiveLog,
		turn: Turn,
		model: ExtensionContext["model"],
	): Promise<NextRequest | undefined> {
		const { late, request } = (await log.ready(turn, model, this.#host.append)) ?? {};
		if (!request) return undefined;
		const mayFold = log.refusal === undefined;
		const { append, observed, folded } = this.#host;
		const decision = mayFold ? await log.decisions.foldIfDue(turn.session, request, append) : undefined;
		const watched = mayFold ? await log.engine.observeIfDue(request) : undefined;
		if (watched) observed(watched.data.quote);
		this.#window.stand(log.engine);
		const receipt = log.receiptOf(decision ?? late);
		if (receipt) folded(receipt);
		return { ...request, leaf: log.engine.states.tree.leaf };
	}
}
