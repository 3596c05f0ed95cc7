import type { DomainEvent } from "../../events/catalogue.ts";
import type { CommitEvent } from "../../events/commit.ts";
import type { Actor, Recorded } from "../../events/envelope.ts";
import type { FoldEvent } from "../../events/fold.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { Valuation } from "../../events/valuation.ts";
import { cutOf, levelsEndingAt, partsOf } from "../../projections/forest.ts";
import type { Placed } from "../../projections/projection.ts";
import type { Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import {
	checkpointsOf,
	evolveStates,
	initialStates,
	replayStates,
	type SessionStates,
} from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Item } from "../../projections/window-plan.ts";
import {
	commitAgain,
	commitIfDue,
	commitNow,
	prepareRequest,
	type RequestCommand,
} from "../commands/commit.ts";
import { recordEntry } from "../commands/record-entry.ts";
import { type ContentParts, Contents } from "./contents.ts";
import type { Decision, Met, NextRequest } from "./decision.ts";
import { type DecisionNode, decisionNode } from "./decision-node.ts";
import type { Observer } from "./observer.ts";
import { rendererOf } from "./renderer.ts";
import { clipText, type Desk, writeCut, writeGroup } from "./texts.ts";
import { entryFacts } from "./weight.ts";
import { digestOf, proofOf, WindowChain } from "./window-chain.ts";

/** What an engine needs of the world. */
export interface EngineParts extends ContentParts {
	/** `live` keeps every earlier state intact; `replay` changes one state in place, for long histories */
	readonly driver: "live" | "replay";
	/**
	 * whether windows are what the host shows once it compacted, as they must be while it runs; a replay leaves this
	 * out, for it asks what would have been without
	 */
	readonly heedsCompactions?: boolean;
	/** told of everything from the start, to check it */
	readonly observer?: Observer;
	/** events between two checkpoints of the states at least; 10,000 by default */
	readonly checkpointEvery?: number;
}

type Prepared = Extract<RequestEvent, { type: "request/prepared" }>;

/** Events between two checkpoints at least; and at least two for each entry, or checkpoints would outweigh the events. */
const CHECKPOINT_EVERY = 10_000;

/** Load, decide, append, publish: one session's stream and what it means. */
export class Engine {
	private readonly parts: EngineParts;
	private readonly chain: WindowChain;
	private readonly contents: Contents;
	private current: SessionStates = initialStates();
	private next = 0;
	private checkpointed = 0;

	constructor(parts: EngineParts) {
		this.parts = parts;
		this.contents = new Contents(parts);
		this.chain = new WindowChain((text) => this.hashText(text));
	}

	/** What the stream means so far. */
	get states(): SessionStates {
		return this.current;
	}

	/** Number of events in the stream. */
	get version(): number {
		return this.next;
	}

	/** Begins with states that were kept, and the number of events they cover. */
	restore(states: SessionStates, covers: number): void {
		this.current = states;
		this.next = covers;
		this.checkpointed = covers;
	}

	/** Takes in events that are in the journal already. */
	load(batch: readonly Placed<DomainEvent>[]): void {
		this.next += batch.length;
		if (this.parts.driver === "live") this.current = evolveStates(this.current, batch);
		else replayStates(this.current, batch);
	}

	/** Appends events that need no decider. */
	async note(events: readonly DomainEvent[], at: number, actor: Actor): Promise<void> {
		const start = this.next;
		this.absorb(events, at);
		await this.hand(events, start, at, actor, false);
	}

	/** Sets the rules, where they differ from those in force; the first time also the defaults, so that the log says them. */
	async settle(settings: Settings, at: number, actor: Actor): Promise<void> {
		if (sameFields(settings, this.current.rules.settings) && this.next > 1) return;
		await this.note([{ type: "session/settingsChanged", data: settings }], at, actor);
	}

	/** Sets the prices, where they differ from those in force. */
	async value(valuation: Valuation, at: number): Promise<void> {
		const known = this.current.rules.valuation;
		if (known && sameFields(known, valuation)) return;
		await this.note([{ type: "valuation/changed", data: valuation }], at, "host");
	}

	/** Records an entry, marks what it closes and writes the texts that may come to stand for it. Known ones are passed over. */
	async record(entry: TranscriptEntry, decision?: number): Promise<void> {
		if (nodeOf(this.current.tree, entry.id)) return;
		const { digest } = this.contents.keepEntry(entry);
		this.parts.observer?.entry(entry);
		const events: DomainEvent[] = recordEntry(
			this.current,
			entryFacts(entry, digest, { decision, heedsCompactions: this.parts.heedsCompactions }),
		);
		const start = this.next;
		const all: DomainEvent[] = [];
		for (const event of events) {
			this.absorb([event], entry.at);
			all.push(event);
			if (event.type === "mark/set") all.push(...this.write(event.data.id, entry.at));
		}
		await this.hand(all, start, entry.at, "host", false);
	}

	/** Commits where the policy in force asks for it. The decision is durable when this resolves; its node is the caller's. */
	async commitIfDue(request: NextRequest): Promise<Decision | undefined> {
		return this.decide(commitIfDue(this.current, this.command(request)), request.at, "rule");
	}

	/** Commits because the user asked. */
	async commitNow(request: NextRequest): Promise<Decision | undefined> {
		return this.decide(commitNow(this.current, this.command(request)), request.at, "user");
	}

	/** What a commit at a request would be, were one made; nothing is decided, and no digest computed. */
	proposal(request: NextRequest): (CommitEvent | FoldEvent)[] {
		return commitNow(this.current, { ...this.command(request), digest: () => "" });
	}

	/** What the node of a decision says. The decision must be durable. */
	nodeFor(decision: Decision): DecisionNode {
		const hash = this.parts.journal.hash?.(decision.position) ?? "";
		return decisionNode(this.current, decision, hash, (text) => this.hashText(text));
	}

	/**
	 * Records an entry that is a decision's node. The decision is in force below it if its event is in this log, or if
	 * the path alone gives the window the node tells of; then it is decided again, and durable when this resolves.
	 */
	async meet(entry: TranscriptEntry, node: DecisionNode): Promise<Met> {
		if (nodeOf(this.current.tree, entry.id)) return "known";
		const { position, hash, cut, window, rules } = node;
		if (this.current.commits.inForce.has(position) && this.parts.journal.hash?.(position) === hash) {
			await this.record(entry, position);
			return "known";
		}
		const request = { at: entry.at, leaf: entry.parent, model: this.current.rules.valuation?.model ?? "" };
		const proof = (items: readonly Item[]) => proofOf(items, (text) => this.hashText(text));
		const events = commitAgain(this.current, this.command(request), { cut, window, ...rules }, proof);
		const decision = await this.decide(events, entry.at, "runtime");
		await this.record(entry, decision?.position);
		return decision ? "rebuilt" : "refused";
	}

	/** Records the window that goes out. */
	async prepare(request: NextRequest): Promise<Prepared["data"]> {
		const { last } = this.current.ledger;
		if (last) this.chain.resume(this.current, last.leaf);
		const { digest, items, change, fresh } = this.chain.follow(this.current, request.leaf);
		this.parts.observer?.window({ leaf: request.leaf, ...fresh });
		const prepared = prepareRequest(this.current, {
			...this.command(request),
			window: digest,
			items,
			change,
		});
		await this.note([prepared], request.at, "runtime");
		return prepared.data;
	}

	/** Records what the provider billed. */
	async measure(
		measured: Extract<RequestEvent, { type: "request/measured" }>["data"],
		at: number,
	): Promise<void> {
		await this.note([{ type: "request/measured", data: measured }], at, "host");
	}

	/** An entry by its id, decoded. */
	entry(id: string): TranscriptEntry | undefined {
		return this.contents.entry(nodeOf(this.current.tree, id));
	}

	/** Content by its digest: entries, briefs, texts. */
	content(digest: string): Uint8Array | undefined {
		return this.contents.content(digest);
	}

	private command(request: NextRequest): RequestCommand {
		return {
			...request,
			clip: (node) => {
				const entry = this.entry(node.id);
				const text = entry && clipText(entry);
				if (text === undefined || text.length >= node.weight.chars) return undefined;
				return { text: this.contents.keep(new TextEncoder().encode(text)).digest, chars: text.length };
			},
			digest: (items) => digestOf(items, (text) => this.hashText(text)),
		};
	}

	private hashText(text: string): string {
		return this.parts.hash(new TextEncoder().encode(text));
	}

	private async decide(
		events: readonly DomainEvent[],
		at: number,
		actor: Actor,
	): Promise<Decision | undefined> {
		const first = events[0];
		if (first?.type !== "commit/applied") return undefined;
		const position = this.next;
		await this.hand(events, position, at, actor, true);
		this.absorb(events, at);
		const { id, trigger, quote } = first.data;
		return { commit: id, position, trigger, quote };
	}

	private write(cutId: string, at: number): DomainEvent[] {
		const events: DomainEvent[] = [];
		const cut = cutOf(this.current.forest, cutId);
		if (!cut) return events;
		const absorbed = (event: DomainEvent) => {
			this.absorb([event], at);
			events.push(event);
		};
		absorbed(writeCut(this.desk(), cut));
		for (let level = 1; level <= levelsEndingAt(this.current.forest, cut); level++) {
			const last = cutOf(this.current.forest, cutId) ?? cut;
			if (partsOf(this.current.forest, last, level).length === 0) break;
			absorbed(writeGroup(this.desk(), last, level));
		}
		return events;
	}

	private desk(): Desk {
		return {
			states: this.current,
			renderer: rendererOf(this.current.rules.settings.briefs),
			entry: (id) => this.entry(id),
			content: (digest) => this.content(digest),
			keep: (bytes) => this.contents.keep(bytes),
		};
	}

	/** Hands events and all staged content to the journal. */
	private async hand(
		events: readonly DomainEvent[],
		start: number,
		at: number,
		actor: Actor,
		sync: boolean,
	): Promise<void> {
		const recorded: Recorded<DomainEvent>[] = events.map((event) => ({ event, at, actor }));
		const contents = this.contents.unstage();
		const least = Math.max(this.parts.checkpointEvery ?? CHECKPOINT_EVERY, 2 * this.current.tree.count);
		const due = this.next - this.checkpointed >= least;
		const covered = due && start + events.length === this.next;
		if (covered) this.checkpointed = this.next;
		const checkpoints = covered ? checkpointsOf(this.current) : [];
		await this.parts.journal.append(recorded, start, { sync, contents, checkpoints });
	}

	private absorb(events: readonly DomainEvent[], at: number): void {
		for (const [index, event] of events.entries()) this.parts.observer?.event(event, this.next + index);
		this.load(events.map((event, index) => ({ event, at, position: this.next + index })));
	}
}

function sameFields(a: object, b: object): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
