import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { DomainEvent } from "../../../events/catalogue.ts";
import type { Valuation } from "../../../events/valuation.ts";
import type { Rules, Settings } from "../../../projections/rules.ts";
import { nodeOf } from "../../../projections/session-tree.ts";
import type { ReadBack } from "../../debug/read-back.ts";
import { type Receipt, receiptAt } from "../../debug/receipt.ts";
import type { Decision, NextRequest } from "../../engine/decision.ts";
import { Engine, type MemoryShown } from "../../engine/engine.ts";
import type { Journal } from "../../engine/journal.ts";
import type { SessionLog } from "../../engine/memory/session-memory.ts";
import { SentWindows } from "../../engine/sent-windows.ts";
import { loadFromStore, storeJournal } from "../../engine/store-journal.ts";
import { type UnplacedDecision, unplacedDecisions } from "../../engine/unplaced-decision.ts";
import { sha256Node } from "../../store/hash.ts";
import type { StoredContent } from "../../store/store.ts";
import { valuationOfModel } from "../catalogue.ts";
import { decodeEntry } from "../sessions/recorded-session.ts";
import { type CatchUp, catchUp } from "./catch-up.ts";
import { type Append, LiveDecisions } from "./live-decisions.ts";
import { type HostSession, newOnPath, warmedBy } from "./live-entry.ts";
import { LiveRecall } from "./live-recall.ts";
import { beginning } from "./log-beginning.ts";
import { LookAhead } from "./look-ahead.ts";
import { type Clock, type Patience, SHRED_MS, WRITE_MS } from "./patience.ts";
import { type HeldStore, memorySessionStore, openSessionStore } from "./session-store.ts";
import type { ModelInUse } from "./settings-in-force.ts";
import { settleCompactions } from "./settled-compactions.ts";
import { type StandingHead, standingHead } from "./standing-head.ts";
import type { StoreHolder } from "./store-holders.ts";
import { metIn } from "./store-trouble.ts";
import type { Turn } from "./turns.ts";

/** What a log goes by. */
export interface LogRules {
	/** the rules in force now */
	readonly settings: (model: ModelInUse) => Settings;
	/** the model that answers now */
	readonly model: () => ModelInUse;
	readonly onRefused: CatchUp["onRefused"];
	/** told of each decision once its node stands in the session, before the disk has it; must not throw */
	readonly onPlaced: (engine: Engine) => void;
	/** gives, once, what is about to enter the window and is to be recorded before the entry that brings it */
	readonly owed: () => readonly MemoryShown[];
	/** told of what a catch-up looked at: at first everything, then what it recorded */
	readonly onMet: (session: HostSession, entries: readonly SessionEntry[]) => void;
	/** how far the disk is waited for, and by which clock */
	readonly patience: Patience;
	readonly clock: Clock;
}

/** A request that went out while the disk did not answer. */
interface LateRequest {
	/** ms since the epoch */
	readonly at: number;
	readonly leaf: string | null;
	/** what stood in it */
	readonly standing: StandingHead | undefined;
}

/** The log of a running session: its store and what that means. */
export class LiveLog {
	readonly engine: Engine;
	readonly sent: SentWindows;
	readonly decisions: LiveDecisions;
	readonly recall: LiveRecall;
	/** what this session's own memory is kept in */
	readonly memory: SessionLog;
	readonly #held: HeldStore;
	readonly #rules: LogRules;
	#refusal: string | undefined;
	#complete = false;
	readonly #ahead = new LookAhead();
	/** what was in force at the last request, and what the states made of it */
	#settled: { settings: Settings; valuation: Valuation | undefined; rules: Rules } | undefined;
	#warmedAt: number | undefined;

	private constructor(
		engine: Engine,
		held: HeldStore,
		rules: LogRules,
		unplaced: readonly UnplacedDecision[],
		refusal: string | undefined,
	) {
		this.engine = engine;
		this.#refusal = refusal;
		this.sent = new SentWindows(engine);
		this.#held = held;
		this.#rules = rules;
		this.recall = new LiveRecall(engine, held, rules.patience);
		this.memory = { engine, ...held, unindexed: (work) => this.recall.anew(work) };
		this.decisions = new LiveDecisions(engine, unplaced, {
			onRefused: rules.onRefused,
			onPlaced: () => rules.onPlaced(engine),
			clock: rules.clock,
			catchUp: (session) =>
				this.catchUp({ session, leaf: session.getLeafId(), entries: Number.POSITIVE_INFINITY }),
		});
	}

	/** Why this session makes no new folds, in words: its own store cannot be had, and it lives by its nodes alone. */
	get refusal(): string | undefined {
		return this.#refusal;
	}

	/** Takes in why that is now. */
	refuse(why: string): void {
		this.#refusal = why;
	}

	/** Whether whole outputs belong here: in a store on disk that is this session's own. */
	get keepsOutputs(): boolean {
		return this.refusal === undefined && this.directory !== undefined;
	}

	/** Where the store lies; `undefined` in memory. */
	get directory(): string | undefined {
		return this.#held.store.directory;
	}

	/** Hex SHA-256 of an event of this log as it is stored; `undefined` where there is none at the position. */
	hashAt(position: number): string | undefined {
		return this.#held.store.event(this.#held.stream, position)?.hash;
	}

	/** Stores content that an event to come refers to. Throws what the store throws. */
	keep(contents: readonly StoredContent[]): Promise<void> {
		return this.#held.store.keep(contents);
	}

	/** Opens the log of a session that holds an entry at least. Throws what the store throws, and nothing is held then. */
	static async open(session: HostSession, rules: LogRules, holder: StoreHolder): Promise<LiveLog> {
		const sessionId = session.getSessionId();
		if (session.getSessionFile() === undefined)
			return LiveLog.#on(memorySessionStore(sessionId), session, rules);
		const identity = { sessionId, rootId: session.getEntries()[0]?.id ?? "" };
		return LiveLog.#on(await openSessionStore(identity, holder), session, rules);
	}

	/** A log in memory while the store cannot be had, for a reason in words; the session's nodes give it the folds as they stand. */
	static beside(session: HostSession, rules: LogRules, refusal: string): Promise<LiveLog> {
		return LiveLog.#on(memorySessionStore(session.getSessionId()), session, rules, refusal);
	}

	static async #on(
		held: HeldStore,
		session: HostSession,
		rules: LogRules,
		refusal?: string,
	): Promise<LiveLog> {
		try {
			const { store, stream } = held;
			const journal = storeJournal(store, stream);
			const append: Journal["append"] = (...events) =>
				rules.patience.of(events[2].shred?.length ? SHRED_MS : WRITE_MS, () => journal.append(...events));
			const engine = new Engine({
				journal: { ...journal, append },
				hash: sha256Node,
				decode: decodeEntry,
				driver: "live",
				heedsCompactions: true,
			});
			if (store.head(stream).version > 0) await loadFromStore(engine, store, stream);
			else {
				const begun = await beginning(session, session.getEntries(), rules.settings(rules.model()));
				await engine.note(begun, Date.now(), "host");
			}
			return new LiveLog(engine, held, rules, await unplacedDecisions(store, stream, engine.states), refusal);
		} catch (error) {
			await held.close();
			throw metIn(held.store.directory, error);
		}
	}

	/**
	 * Records what the session holds and the log does not: at first anywhere in its tree, but nothing that came behind a
	 * late turn; then on the path to the turn's leaf, where the log stands then.
	 */
	async catchUp(turn: Pick<Turn, "session" | "leaf" | "entries">): Promise<void> {
		const { session, leaf } = turn;
		for (const shown of this.#rules.owed()) await this.engine.show(shown);
		if (this.#complete && this.engine.states.tree.leaf === leaf) return;
		const isKnown = (id: string) => nodeOf(this.engine.states.tree, id) !== undefined;
		const seen = this.#complete
			? newOnPath(session, leaf, isKnown)
			: session.getEntries().slice(0, turn.entries);
		const entries = seen.filter(({ id }) => !isKnown(id));
		const { settings, model, onRefused, onMet } = this.#rules;
		const using = model();
		const valuation = using && valuationOfModel(using);
		await catchUp(this.engine, entries, { settings: settings(using), valuation, onRefused });
		const isFirst = !this.#complete;
		this.#complete = true;
		await settleCompactions(this.engine, seen, { hashAt: (position) => this.hashAt(position), isFirst });
		for (const entry of seen) this.#warmedAt = warmedBy(entry) ?? this.#warmedAt;
		this.decisions.met(entries);
		if (this.engine.states.tree.leaf !== leaf)
			await this.engine.note([{ type: "session/leafMoved", data: { leaf } }], Date.now(), "user");
		if (seen.length > 0) onMet(session, seen);
	}

	/** The request that would go out now, where the log stands. The rules and prices in force are brought up to date. */
	async next(model: ExtensionContext["model"]): Promise<NextRequest> {
		const at = Date.now();
		const settings = this.#rules.settings(model);
		const valuation = model && valuationOfModel(model);
		const { engine } = this;
		const isAsBefore = settings === this.#settled?.settings && valuation === this.#settled.valuation;
		if (!isAsBefore || engine.states.rules !== this.#settled?.rules) {
			await engine.settle(settings, at, "host");
			if (valuation) await engine.value(valuation, at);
			this.#settled = { settings, valuation, rules: engine.states.rules };
		}
		return {
			at,
			leaf: engine.states.tree.leaf,
			model: valuation?.model ?? "unknown",
			warmedAt: this.#warmedAt,
		};
	}

	/** Sees to what is to be done before something is decided in a turn; `undefined` where it is too late for that. */
	async ready(
		turn: Turn,
		model: ExtensionContext["model"],
		append: Append,
	): Promise<{ readonly late: Decision | undefined; readonly request: NextRequest } | undefined> {
		if (turn.isLate) return undefined;
		const late = await this.decisions.placeLate(turn.session, append);
		const request = await this.next(model);
		return turn.isLate ? undefined : { late, request };
	}

	/** What a decision that was just taken comes to, where it is a commit. */
	receiptOf(decision: Decision | undefined): Receipt | undefined {
		const { states } = this.engine;
		return decision?.event.type === "commit/applied" ? receiptAt(states, states.tree.leaf) : undefined;
	}

	/**
	 * Finds out, in time for the next request and not while it waits, what would be done before it; mostly nothing, and
	 * then `quietly` says so at once. The log must have caught up with the session.
	 */
	async lookAhead(model: ExtensionContext["model"]): Promise<void> {
		this.#ahead.forget();
		if (!this.decisions.areSeenTo) return;
		const request = await this.next(model);
		const around = { leaf: request.leaf, model, settings: this.#rules.settings(model) };
		this.#ahead.find(this.engine, request, around, this.refusal !== undefined);
	}

	/** The request that goes out now, where nothing is to be done before it, as was found by `lookAhead`. */
	quietly(session: HostSession, model: ExtensionContext["model"]): NextRequest | undefined {
		const around = { leaf: session.getLeafId(), model, settings: this.#rules.settings(model) };
		return this.#ahead.request(this.engine, around);
	}

	/**
	 * Records a request that went out while the disk did not answer. One that showed something else than the log has at its
	 * leaf, as where the log could not even be opened, is passed over: nothing in the log gives what was sent.
	 */
	async recordLate({ at, leaf, standing }: LateRequest, model: ExtensionContext["model"]): Promise<void> {
		await this.decisions.settled();
		if (standingHead(this.engine, leaf, standing) !== standing) return;
		await this.sent.prepare({ ...(await this.next(model)), at, leaf });
	}

	/** Whether the window of that request will be within what the model takes, by what the policy does at it. */
	fits(request: NextRequest): boolean {
		return this.engine.fits(request, this.refusal === undefined);
	}

	/** Stops folding by itself, or goes on with it; whether that changed anything. */
	async suspend(mode: "pause" | "off" | undefined): Promise<boolean> {
		const { suspended } = this.engine.states.rules;
		if (suspended?.mode === mode) return false;
		const event: DomainEvent =
			mode === undefined
				? { type: "engine/resumed", data: {} }
				: { type: "engine/suspended", data: { mode, why: "you asked for it" } };
		await this.engine.note([event], Date.now(), "user");
		return true;
	}

	/** Records that the model read originals back. */
	async peeked(
		{ id, offset, text }: ReadBack,
		{ call, ephemeral }: { readonly call: string; readonly ephemeral: boolean },
	): Promise<void> {
		const bytes = Buffer.byteLength(text);
		const data = { id, call, offset, bytes, ephemeral };
		await this.engine.note([{ type: "fold/peeked", data }], Date.now(), "model");
	}

	/** Lets go of the store. Twice does no harm. */
	async close(): Promise<void> {
		await this.recall.close();
		await this.#held.close();
	}
}
