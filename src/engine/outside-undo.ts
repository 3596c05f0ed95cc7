import type { DomainEvent } from "../../events/catalogue.ts";
import type { CommitEvent } from "../../events/commit.ts";
import type { Placed } from "../../projections/projection.ts";
import { evolveStates, type SessionStates } from "../../projections/states.ts";
import { undoDecisions } from "../commands/undo.ts";
import { sha256Node } from "../store/hash.ts";
import type { Head } from "../store/head.ts";
import type { Store } from "../store/store.ts";
import { type ContentParts, Contents } from "./contents.ts";
import type { Decision } from "./decision.ts";
import { Engine } from "./engine.ts";
import { replayNode } from "./replay.ts";
import { Scribe } from "./scribe.ts";
import { loadFromStore, storeJournal } from "./store-journal.ts";
import { FROM_OUTSIDE, mayBePlaced, type UnplacedDecision, unplacedDecisions } from "./unplaced-decision.ts";

/** A session's stream in a store that nobody else has open, and how its entries are read. */
export interface OutsideParts {
	readonly store: Store;
	readonly stream: string;
	readonly decode: ContentParts["decode"];
}

/** That decisions are taken back. */
export type Undoing = Extract<CommitEvent, { type: "commit/undone" }>;

/**
 * Takes decisions of a session back while it does not run, at the leaf its log ends on. In the log of a replay that gets
 * its node at once, as the replay would have given it one. In that of a live session the node is the host's to write:
 * the session takes it up when it is opened next, and until then only what is taken back here builds on it.
 */
export class OutsideUndo {
	/** what the stream means, with what waits for its node in force */
	readonly states: SessionStates;
	/** whether the stream is that of a session of the host's */
	readonly isLive: boolean;
	/** what was taken back from outside and waits for its nodes, oldest first */
	readonly waiting: readonly UnplacedDecision[];
	readonly #parts: OutsideParts;
	readonly #leaf: string | null;

	private constructor(
		parts: OutsideParts,
		recorded: SessionStates,
		waiting: readonly UnplacedDecision[],
		isLive: boolean,
	) {
		this.#parts = parts;
		this.waiting = waiting;
		this.isLive = isLive;
		this.#leaf = recorded.tree.leaf;
		this.states = evolveStates(recorded, nodesInMind(waiting, this.#leaf));
	}

	/** Reads the stream up to its head. Throws what the store throws, and `EventError` for events of a newer release. */
	static async open(parts: OutsideParts): Promise<OutsideUndo> {
		const { store, stream } = parts;
		const { states } = await loaded(parts);
		const opened = store.event(stream, 0)?.data as { readonly format?: string } | undefined;
		const isLive = opened?.format === "live";
		const waiting = isLive ? await unplacedDecisions(store, stream, states) : [];
		const [first] = waiting;
		// one that a process did not live to place is not taken up before something else is said
		const willBe =
			waiting.every(({ isFromOutside }) => isFromOutside) &&
			first !== undefined &&
			mayBePlaced(states.tree, states.tree.leaf, first);
		return new OutsideUndo(parts, states, willBe ? waiting : [], isLive);
	}

	/** Where the stream stands. */
	get head(): Head {
		return this.#parts.store.head(this.#parts.stream);
	}

	/** The leaf, below all that waits. */
	get leaf(): string | null {
		return this.states.tree.leaf;
	}

	/** What taking decisions back comes to; nothing is written. Throws `CommandError`. */
	would(ids: readonly string[]): Undoing {
		return this.#decided(ids).event;
	}

	/**
	 * Takes decisions back in the name of the user; that is durable when this resolves. Throws `CommandError`, and what
	 * `Store.append` throws.
	 * @param at ms since the epoch
	 */
	async undo(ids: readonly string[], at: number): Promise<Decision> {
		const { event, contents } = this.#decided(ids);
		const { store, stream } = this.#parts;
		const position = this.head.version;
		const options = { sync: true, contents: contents.unstage() };
		await storeJournal(store, stream).append(
			[{ event, at, actor: "user", cause: FROM_OUTSIDE }],
			position,
			options,
		);
		const decision = { id: event.data.id, position, event };
		if (!this.isLive) {
			const engine = await loaded(this.#parts);
			await engine.record(replayNode(decision, this.#leaf, at), position);
		}
		return decision;
	}

	#decided(ids: readonly string[]): { readonly event: Undoing; readonly contents: Contents } {
		const { store, stream, decode } = this.#parts;
		const contents = new Contents({ journal: storeJournal(store, stream), hash: sha256Node, decode });
		const scribe = new Scribe(contents, sha256Node);
		const tools = scribe.tools(this.states, this.leaf, this.head.version);
		const [event] = undoDecisions(this.states, { ...tools, ids });
		if (!event) throw new TypeError("an undo is one event");
		// the nodes of those that wait are nowhere yet: this is decided at the same leaf as they were
		return { event: { ...event, data: { ...event.data, parent: this.#leaf } }, contents };
	}
}

async function loaded({ store, stream, decode }: OutsideParts): Promise<Engine> {
	const journal = storeJournal(store, stream);
	const engine = new Engine({ journal, hash: sha256Node, decode, driver: "replay" });
	await loadFromStore(engine, store, stream);
	return engine;
}

/** The nodes that decisions will have at a leaf, as far as the states need them; they are recorded nowhere. */
function nodesInMind(waiting: readonly UnplacedDecision[], leaf: string | null): Placed<DomainEvent>[] {
	const bare = { kind: "custom", at: 0, digest: "", bytes: 0, chars: 0, thinking: 0, images: 0 };
	let parent = leaf;
	return waiting.map(({ position }) => {
		const data = { ...bare, id: `waiting-${position}`, parent, decision: position };
		parent = data.id;
		return { event: { type: "entry/recorded", data }, position, at: 0 };
	});
}
