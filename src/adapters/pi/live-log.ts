import { setTimeout as pause } from "node:timers/promises";
import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { DomainEvent } from "../../../events/catalogue.ts";
import type { Valuation } from "../../../events/valuation.ts";
import type { Rules, Settings } from "../../../projections/rules.ts";
import { nodeOf } from "../../../projections/session-tree.ts";
import { notDueUntil } from "../../commands/commit.ts";
import type { Excess } from "../../commands/commit-tighter.ts";
import { markOver } from "../../commands/recut.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import type { ReadBack } from "../../debug/read-back.ts";
import type { By, Decision, NextRequest } from "../../engine/decision.ts";
import { NODE_TYPE } from "../../engine/decision-node.ts";
import { Engine } from "../../engine/engine.ts";
import { SentWindows } from "../../engine/sent-windows.ts";
import { loadFromStore, storeJournal } from "../../engine/store-journal.ts";
import { mayBePlaced, type UnplacedDecision, unplacedDecision } from "../../engine/unplaced-decision.ts";
import { sha256Node } from "../../store/hash.ts";
import type { StoredContent } from "../../store/store.ts";
import { valuationOfModel } from "../catalogue.ts";
import { decodeEntry } from "../sessions/recorded-session.ts";
import { type CatchUp, catchUp } from "./catch-up.ts";
import { type HostSession, liveEntry, newOnPath, nodeIn } from "./live-entry.ts";
import { beginning } from "./log-beginning.ts";
import { LookAhead } from "./look-ahead.ts";
import { type HeldStore, memorySessionStore, openSessionStore, storeBeside } from "./session-store.ts";
import type { StoreHolder } from "./store-holders.ts";

/** Appends an entry of ours to the session; it becomes the leaf. */
export type Append = (type: string, data: unknown) => void;

/** How long a request waits for the disk to confirm a commit. */
const DURABLE_MS = 250;

/** What a log goes by. */
export interface LogRules {
	/** the rules in force now */
	readonly settings: () => Settings;
	readonly onRefused: CatchUp["onRefused"];
}

/** The log of a running session: its store and what that means. */
export class LiveLog {
	readonly engine: Engine;
	readonly sent: SentWindows;
	readonly #held: HeldStore;
	readonly #rules: LogRules;
	#unplaced: UnplacedDecision | undefined;
	#complete = false;
	readonly #ahead = new LookAhead();
	/** what was in force at the last request, and what the states made of it */
	#settled: { settings: Settings; valuation: Valuation | undefined; rules: Rules } | undefined;
	#warmedAt: number | undefined;
	#late: Promise<Decision | undefined> | undefined;
	#owed: NextRequest["owed"];

	private constructor(
		engine: Engine,
		held: HeldStore,
		rules: LogRules,
		unplaced: UnplacedDecision | undefined,
	) {
		this.engine = engine;
		this.sent = new SentWindows(engine);
		this.#held = held;
		this.#rules = rules;
		this.#unplaced = unplaced;
	}

	/** Why this session makes no new folds, in words: its store is open elsewhere, and it lives by its nodes alone. */
	get refusal(): string | undefined {
		return this.#held.refusal;
	}

	/** Whether whole outputs belong here: in a store on disk that is this session's own. */
	get keepsOutputs(): boolean {
		return this.refusal === undefined && this.directory !== undefined;
	}

	/** Where the store lies; `undefined` in memory. */
	get directory(): string | undefined {
		return this.#held.store.directory;
	}

	/** Stores content that an event to come refers to. Throws what the store throws. */
	keep(contents: readonly StoredContent[]): Promise<void> {
		return this.#held.store.keep(contents);
	}

	/** Opens the log of a session that holds an entry at least. Throws what the store throws, and nothing is held then. */
	static async open(session: HostSession, rules: LogRules, holder: StoreHolder): Promise<LiveLog> {
		const entries = session.getEntries();
		const identity = { sessionId: session.getSessionId(), rootId: entries[0]?.id ?? "" };
		const inFile = session.getSessionFile() !== undefined;
		const held = inFile
			? await openSessionStore(identity, holder).catch((error) => storeBeside(identity, error))
			: memorySessionStore(identity.sessionId);
		try {
			const { store, stream } = held;
			const journal = storeJournal(store, stream);
			const engine = new Engine({
				journal,
				hash: sha256Node,
				decode: decodeEntry,
				driver: "live",
				heedsCompactions: true,
			});
			if (store.head(stream).version > 0) await loadFromStore(engine, store, stream);
			else await engine.note(await beginning(session, entries, rules.settings()), Date.now(), "host");
			return new LiveLog(engine, held, rules, await unplacedDecision(store, stream, engine.states));
		} catch (error) {
			await held.close();
			throw error;
		}
	}

	/**
	 * Records what the session holds and the log does not: at first anywhere in its tree, then on the path to the leaf.
	 * Gives what it looked at: at first everything, then what it recorded.
	 */
	async catchUp(session: HostSession): Promise<readonly SessionEntry[]> {
		if (this.#complete && this.engine.states.tree.leaf === session.getLeafId()) return [];
		const isKnown = (id: string) => nodeOf(this.engine.states.tree, id) !== undefined;
		const seen = this.#complete ? newOnPath(session, isKnown) : session.getEntries();
		const entries = seen.filter(({ id }) => !isKnown(id));
		const { settings, onRefused } = this.#rules;
		await catchUp(this.engine, entries, { settings: settings(), onRefused });
		this.#complete = true;
		for (const entry of seen) this.#warmedAt = warmedBy(entry) ?? this.#warmedAt;
		if (entries.some((entry) => this.#isNodeOfUnplaced(entry))) this.#unplaced = undefined;
		const leaf = session.getLeafId();
		if (this.engine.states.tree.leaf !== leaf)
			await this.engine.note([{ type: "session/leafMoved", data: { leaf } }], Date.now(), "user");
		return seen;
	}

	/**
	 * Sees to a decision whose node was not written, since the process ended or the host went on: it gets its node, by `append`, while nothing
	 * the model reads has come behind it; otherwise it never takes effect, and that is told. The log must have caught up
	 * with the session. Without `append` only the latter is done.
	 */
	async placeLate(session: HostSession, append?: Append): Promise<Decision | undefined> {
		const late = this.#unplaced;
		if (!late) return undefined;
		const inTime = mayBePlaced(this.engine.states.tree, session.getLeafId(), late);
		if (inTime && !append) return undefined;
		this.#unplaced = undefined;
		if (append && inTime) return this.#place(session, late, append);
		this.#rules.onRefused("the session went on before it took effect; /fold decides anew");
		return undefined;
	}

	/** The request that would go out now. The rules and prices in force are brought up to date. */
	async next(session: HostSession, model: ExtensionContext["model"]): Promise<NextRequest> {
		const at = Date.now();
		const settings = this.#rules.settings();
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
			leaf: session.getLeafId(),
			model: valuation?.model ?? "unknown",
			warmedAt: this.#warmedAt,
		};
	}

	/**
	 * Finds out, in time for the next request and not while it waits, what would be done before it; mostly nothing, and
	 * then `quietly` says so at once. The log must have caught up with the session.
	 */
	async lookAhead(session: HostSession, model: ExtensionContext["model"]): Promise<void> {
		this.#ahead.forget();
		if (this.#unplaced || this.#late || this.#owed) return;
		const request = await this.next(session, model);
		const around = { leaf: request.leaf, model, settings: this.#rules.settings() };
		this.#ahead.find(this.engine, request, around, this.refusal !== undefined);
	}

	/** The request that goes out now, where nothing is to be done before it, as was found by `lookAhead`. */
	quietly(session: HostSession, model: ExtensionContext["model"]): NextRequest | undefined {
		const around = { leaf: session.getLeafId(), model, settings: this.#rules.settings() };
		return this.#ahead.request(this.engine, around);
	}

	/** Whether the window of that request will be within what the model takes, by what the policy does at it. */
	fits(request: NextRequest): boolean {
		return this.engine.fits(request, this.refusal === undefined);
	}

	/**
	 * Folds what can be folded, because the user asked: first the event, durably, then the node, by `append`, at the
	 * leaf. `undefined` where nothing can. The log must have caught up with the session.
	 */
	async fold(session: HostSession, request: NextRequest, append: Append): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.engine.commitNow(request), append);
	}

	/**
	 * Folds through one stretch, cut as named and with a brief where one is given: up to three decisions, each with its
	 * node. Everything before it is folded too. Throws `CommandError`.
	 */
	async foldSpan(
		session: HostSession,
		request: NextRequest,
		{ ids, brief }: { readonly ids: readonly string[]; readonly brief?: string | undefined },
		append: Append,
	): Promise<Decision | undefined> {
		const here = () => ({ ...request, leaf: session.getLeafId() });
		const by = { actor: "user" } as const;
		await this.command(session, here(), { command: { do: "recut", ids }, ...by }, append);
		const mark = markOver(this.engine.states, session.getLeafId(), ids)?.id;
		if (brief !== undefined && mark !== undefined)
			await this.command(
				session,
				here(),
				{ command: { do: "brief", fold: mark, text: brief }, ...by },
				append,
			);
		return this.#apply(session, here(), await this.engine.commitNow(here(), mark), append);
	}

	/** As {@link fold}, for anything else that may be asked of the window. Throws `CommandError`. */
	async command(
		session: HostSession,
		request: NextRequest,
		{ command, ...by }: { readonly command: WindowCommand } & By,
		append: Append,
	): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.engine.decideCommand(command, request, by), append);
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

	/** Folds and clips because the provider refused the last request as too large. */
	async foldTighter(
		session: HostSession,
		request: NextRequest,
		excess: Excess,
		append: Append,
	): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.engine.commitTighter(request, excess), append);
	}

	/** Has thinking treated one way from here on, in what stands too, because the provider refused it. */
	async turnReasoning(
		session: HostSession,
		request: NextRequest,
		{ wants, why }: { readonly wants: "keep" | "strip"; readonly why: string },
		append: Append,
	): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.engine.changeReasoning(request, wants, why), append);
	}

	/**
	 * Folds before a request where the policy asks. What the disk does not confirm in time is not applied, and comes at
	 * the next request instead; until `settled`, nothing else may be asked of the log.
	 */
	async foldIfDue(session: HostSession, request: NextRequest, append: Append): Promise<Decision | undefined> {
		const command = { ...request, owed: this.#owed };
		if (notDueUntil(this.engine.states, this.engine.occurring(command)) !== undefined) return undefined;
		const deciding = this.engine.commitIfDue(command);
		this.#owed = undefined;
		if (!(await isDoneWithin(DURABLE_MS, deciding))) {
			this.#late = deciding;
			return undefined;
		}
		return this.#apply(session, request, await deciding, append);
	}

	/** Waits for a decision that came too late, if there is one. */
	async settled(): Promise<void> {
		const late = await this.#late;
		this.#late = undefined;
		this.#owed = (late?.event.type === "commit/applied" ? late.event.data.trigger : undefined) ?? this.#owed;
	}

	/** Lets go of the store. Twice does no harm. */
	close(): Promise<void> {
		return this.#held.close();
	}

	async #apply(
		session: HostSession,
		{ leaf }: NextRequest,
		decision: Decision | undefined,
		append: Append,
	): Promise<Decision | undefined> {
		if (!decision) return undefined;
		if (session.getLeafId() === leaf) return this.#place(session, decision, append);
		// the host went on while the disk was waited for
		this.#unplaced = { ...decision, parent: leaf, hash: this.engine.nodeFor(decision).hash };
		await this.catchUp(session);
		return this.placeLate(session, append);
	}

	async #place(session: HostSession, decision: Decision, append: Append): Promise<Decision> {
		append(NODE_TYPE, this.engine.nodeFor(decision));
		const node = session.getLeafEntry();
		if (!node || !nodeIn(node)) throw new Error("the host did not append the decision's entry");
		await this.engine.record(liveEntry(node), decision.position);
		return decision;
	}

	#isNodeOfUnplaced(entry: SessionEntry): boolean {
		const node = nodeIn(entry);
		return typeof node === "object" && node.hash === this.#unplaced?.hash;
	}
}

async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
	const timer = new AbortController();
	const waited = pause(ms, false, { signal: timer.signal, ref: false }).catch(() => false);
	const isDone = await Promise.race([work.then(() => true), waited]);
	timer.abort();
	return isDone;
}

/** When the host kept the cache warm, ms since the epoch, if an entry tells of that. */
function warmedBy(entry: SessionEntry): number | undefined {
	return entry.type === "usage" && entry.kind === "cache_warm" ? Date.parse(entry.timestamp) : undefined;
}
