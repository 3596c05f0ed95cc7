import type { DomainEvent } from "../../events/catalogue.ts";
import type { Actor } from "../../events/envelope.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { SessionEvent } from "../../events/session.ts";
import type { Valuation } from "../../events/valuation.ts";
import { type Calibration, calibration } from "../../projections/calibration.ts";
import { type DecisionEvent, isDecision } from "../../projections/plans.ts";
import { replayInto } from "../../projections/projection.ts";
import type { Settings } from "../../projections/rules.ts";
import { initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import { StoreError } from "../store/errors.ts";
import type { RawEvent } from "../store/event-codec.ts";
import type { Head } from "../store/head.ts";
import type { Store, StoredEvent } from "../store/store.ts";
import { EventTable } from "./event-table.ts";
import { type PastSizes, sizesNow } from "./past-sizes.ts";

/** What a history needs of a store. */
export type StoredStream = Pick<Store, "event" | "readRuns">;

/** A request as the log tells of it. */
export interface PastRequest {
	/** place of the request in the stream */
	readonly position: number;
	readonly prepared: Extract<RequestEvent, { type: "request/prepared" }>["data"];
	/** what the provider said of it; absent where it never did */
	readonly measured?: Extract<RequestEvent, { type: "request/measured" }>["data"];
	/**
	 * whether `measured` tells of another window than this: a replay prepares windows that nobody sent, and keeps what
	 * the recorded host was billed for its own
	 */
	readonly isReplayed: boolean;
	/** in force when it was sent */
	readonly valuation: Valuation | undefined;
	readonly settings: Settings;
	/** by which its tokens were estimated */
	readonly sizes: PastSizes;
}

/** A decision about the window, or what the host did to it, as the log tells of it. */
export interface PastStep<E extends DomainEvent = DomainEvent> {
	readonly event: E;
	readonly position: number;
	/** ms since the epoch */
	readonly at: number;
	readonly actor: Actor;
	/** the tool call or command behind it */
	readonly cause?: string;
	/** requests sent before it */
	readonly after: number;
}

/** An event that is no decision of ours, and yet changes what the model sees or what that costs. */
type Turn = Extract<
	DomainEvent,
	{
		type:
			| `compaction/${string}`
			| `engine/${string}`
			| "session/leafMoved"
			| "session/forked"
			| "commit/observed";
	}
>;

/** An event this release cannot read, without what it says. */
export type UnreadableEvent = Pick<RawEvent, "position" | "type" | "v" | "at" | "actor" | "cause">;

/** A turn with its place. */
export type PastTurn = PastStep<Turn>;

/**
 * A stream read once, from its first event to its head, and ready to be asked of any moment. A window depends on the
 * path to its leaf and on what was decided on it, and neither changes afterwards; so the states of the head answer
 * for every request before it, and a past request costs no second reading. What depends on the moment instead (prices,
 * settings, what was billed) is kept by request.
 */
export class History {
	readonly stream: string;
	/** events this release cannot read, passed over, by their places */
	readonly unreadable: Map<number, UnreadableEvent> = new Map();
	/** every event by its type and time */
	readonly events = new EventTable();
	readonly #states = initialStates();
	readonly #requests: PastRequest[] = [];
	readonly #decisions: PastStep<DecisionEvent>[] = [];
	readonly #turns: PastTurn[] = [];
	readonly #calibration: Calibration = calibration.initial();
	#settings: Settings;
	#valuation: Valuation | undefined;
	#opened: Extract<SessionEvent, { type: "session/opened" }>["data"] | undefined;
	#entries = 0;
	#head: Head = { version: 0, hash: "" };

	private constructor(stream: string) {
		this.stream = stream;
		this.#settings = this.#states.rules.settings;
	}

	/**
	 * Reads a stream up to its head. Throws `STORE_CHAIN_BROKEN` where it is not what it was.
	 * @param onProgress told now and then how many events are read
	 */
	static async read(
		store: StoredStream,
		stream: string,
		onProgress?: (done: number) => void,
	): Promise<History> {
		const history = History.empty(stream);
		await history.grow(store, onProgress);
		return history;
	}

	/** A history of which nothing is read yet, to be grown: where the reading stops at damage, it holds what came before. */
	static empty(stream: string): History {
		return new History(stream);
	}

	/** What the stream means at its head. Changed in place when it grows. */
	get states(): SessionStates {
		return this.#states;
	}

	/** Where the stream stands, as far as it was read. */
	get head(): Head {
		return this.#head;
	}

	/** Which session it is and where its entries come from; `undefined` where the log does not say. */
	get opened(): Extract<SessionEvent, { type: "session/opened" }>["data"] | undefined {
		return this.#opened;
	}

	/** How many entries the host has told of, without those that are the nodes of our own decisions. */
	get entries(): number {
		return this.#entries;
	}

	/** Every request, in order. */
	get requests(): readonly PastRequest[] {
		return this.#requests;
	}

	/** Every decision about the window, on whatever branch, in order. */
	get decisions(): readonly PastStep<DecisionEvent>[] {
		return this.#decisions;
	}

	/** What else befell the window, in order: compactions, moves of the leaf, forks, pauses, commits only watched. */
	get turns(): readonly PastTurn[] {
		return this.#turns;
	}

	/** A request by its number, from 1. */
	request(number: number): PastRequest | undefined {
		const there = this.#requests[number - 1];
		if (there?.prepared.request === number) return there;
		return this.#requests.find(({ prepared }) => prepared.request === number);
	}

	/**
	 * Takes in the events behind those read, from the same store or from a newer copy of it. Throws `STORE_CHAIN_BROKEN`
	 * where that no longer holds what was read, as after a repair, or is not whole; what is whole was taken in then.
	 */
	async grow(store: StoredStream, onProgress?: (done: number) => void): Promise<void> {
		const from = this.#head.version;
		const last = from === 0 ? undefined : store.event(this.stream, from - 1);
		if (from > 0 && last?.hash !== this.#head.hash) {
			throw new StoreError(
				"STORE_CHAIN_BROKEN",
				`event ${from - 1} of ${this.stream} is another than before`,
			);
		}
		const onUnreadable = (raw: RawEvent) => {
			const { position, type, v, at, actor, cause } = raw;
			this.unreadable.set(position, { position, type, v, at, actor, ...(cause !== undefined && { cause }) });
			this.events.add(raw);
		};
		for await (const run of store.readRuns(this.stream, { from, onUnreadable })) {
			this.#take(run);
			onProgress?.(this.#head.version);
		}
	}

	#take(run: readonly StoredEvent[]): void {
		const last = run.at(-1);
		if (!last) return;
		const placed = run.map(({ type, data, position, at }) => ({
			event: { type, data } as DomainEvent,
			position,
			at,
		}));
		for (const [index, { event }] of placed.entries()) this.#note(event, run[index] as StoredEvent);
		replayStates(this.#states, placed);
		this.#head = { version: last.position + 1, hash: last.hash };
	}

	#note(event: DomainEvent, stored: StoredEvent): void {
		const { position } = stored;
		this.events.add(stored);
		switch (event.type) {
			case "session/opened":
				this.#opened ??= event.data;
				return;
			case "entry/recorded":
				if (event.data.decision === undefined) this.#entries += 1;
				return;
			case "session/settingsChanged":
				this.#settings = event.data;
				return;
			case "valuation/changed":
				this.#valuation = event.data;
				replayInto(calibration, this.#calibration, [{ event, position, at: stored.at }]);
				return;
			case "request/prepared":
				this.#requests.push({
					position,
					prepared: event.data,
					isReplayed: this.#opened !== undefined && this.#opened.format !== "live",
					valuation: this.#valuation,
					settings: this.#settings,
					sizes: sizesNow(this.#calibration),
				});
				return;
			case "request/measured":
				this.#measure(event.data);
				replayInto(calibration, this.#calibration, [{ event, position, at: stored.at }]);
				return;
			case "compaction/intercepted":
			case "compaction/checkpointed":
			case "compaction/summarised":
			case "compaction/failed":
			case "engine/suspended":
			case "engine/resumed":
			case "session/leafMoved":
			case "session/forked":
			case "commit/observed":
				this.#turns.push(this.#step(event, stored));
				return;
			default:
				if (isDecision(event)) this.#decisions.push(this.#step(event, stored));
		}
	}

	#measure(measured: NonNullable<PastRequest["measured"]>): void {
		const index = this.#requests.findLastIndex(({ prepared }) => prepared.request === measured.request);
		const request = this.#requests[index];
		if (request) this.#requests[index] = { ...request, measured };
	}

	#step<E extends DomainEvent>(event: E, { position, at, actor, cause }: StoredEvent): PastStep<E> {
		const after = this.#requests.length;
		return { event, position, at, actor, after, ...(cause !== undefined && { cause }) };
	}
}
