import type { DomainEvent } from "../../events/catalogue.ts";
import type { CommitObservedEvent } from "../../events/commit.ts";
import type { Actor } from "../../events/envelope.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { Valuation } from "../../events/valuation.ts";
import { type DecisionEvent, isDecision } from "../../projections/plans.ts";
import type { Placed } from "../../projections/projection.ts";
import { reasoningOf, type Settings } from "../../projections/rules.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { planAt } from "../../projections/window-plan.ts";
import {
	commitForReasoning,
	commitIfDue,
	commitNow,
	type Occurring,
	observeIfDue,
	prepareRequest,
	windowFits,
} from "../commands/commit.ts";
import type { RequestCommand } from "../commands/commit-made.ts";
import { commitTighter, type Excess } from "../commands/commit-tighter.ts";
import { type Offer, offerAt } from "../commands/offer.ts";
import { type CommandTools, decideCommand, type WindowCommand } from "../commands/window-command.ts";
import { type ContentParts, Contents } from "./contents.ts";
import { decideAgain } from "./decide-again.ts";
import { type By, type Decision, type Met, type NextRequest, RULE, RUNTIME, USER } from "./decision.ts";
import { type DecisionNode, decisionNode } from "./decision-node.ts";
import { takeInEntry } from "./recording.ts";
import { Scribe } from "./scribe.ts";
import { Stream, type StreamParts } from "./stream.ts";
import type { StretchBrief } from "./stretch-brief.ts";
import { entryFacts, isKeptRaw } from "./weight.ts";
import { WindowChain } from "./window-chain.ts";

/** What an engine needs of the world. */
export interface EngineParts extends ContentParts, StreamParts {
	/**
	 * whether windows are what the host shows once it compacted, as they must be while it runs; a replay leaves this
	 * out, for it asks what would have been without
	 */
	readonly heedsCompactions?: boolean;
}

/** A message of ours about memory that is about to enter the window. */
export interface MemoryShown {
	readonly text: string;
	/** ms since the epoch */
	readonly at: number;
	readonly memory: { readonly records: string[]; readonly head: string };
}

type Prepared = Extract<RequestEvent, { type: "request/prepared" }>;

/** Load, decide, append, publish: one session's stream and what it means. */
export class Engine {
	private readonly parts: EngineParts;
	private readonly chain: WindowChain;
	private readonly contents: Contents;
	private readonly scribe: Scribe;
	private readonly stream: Stream;
	/** what a commit at a leaf would be, until the next event */
	private offered: { leaf: string | null; version: number; offer: Offer | undefined } | undefined;

	constructor(parts: EngineParts) {
		this.parts = parts;
		this.contents = new Contents(parts);
		this.scribe = new Scribe(this.contents, parts.hash);
		this.chain = new WindowChain(this.scribe.hashText);
		this.stream = new Stream(parts, this.contents);
	}

	/** What the stream means so far. */
	get states(): SessionStates {
		return this.stream.states;
	}

	/** Number of events in the stream. */
	get version(): number {
		return this.stream.version;
	}

	/** Begins with states that were kept, and the number of events they cover. */
	restore(states: SessionStates, covers: number): void {
		this.stream.restore(states, covers);
	}

	/** Takes in events that are in the journal already. */
	load(batch: readonly Placed<DomainEvent>[]): void {
		this.stream.load(batch);
	}

	/** Appends events that need no decider. */
	async note(events: readonly DomainEvent[], at: number, actor: Actor): Promise<void> {
		this.stream.absorb(events, at);
		await this.stream.keep(events, at, { actor });
	}

	/** Appends what is remembered in this session, with who said it and when; durable when this resolves. */
	remember(...written: Parameters<Stream["write"]>): Promise<void> {
		return this.stream.write(...written);
	}

	/**
	 * Sets the rules, where they differ from those in force; the first time also the defaults, so that the log says them.
	 */
	async settle(settings: Settings, at: number, actor: Actor): Promise<void> {
		if (sameFields(settings, this.states.rules.settings) && this.states.tree.ruled !== null) return;
		await this.note([{ type: "session/settingsChanged", data: settings }], at, actor);
	}

	/** Records that a text of ours is about to enter the window, by what it tells of memory. */
	async show({ text, at, memory }: MemoryShown): Promise<void> {
		const { digest } = this.contents.keep(new TextEncoder().encode(text));
		const data = { what: "memory" as const, text: digest, chars: text.length, memory };
		await this.note([{ type: "shown/appended", data }], at, "runtime");
	}

	/** Sets the prices, where they differ from those in force. */
	async value(valuation: Valuation, at: number): Promise<void> {
		const known = this.states.rules.valuation;
		if (known && sameFields(known, valuation)) return;
		await this.note([{ type: "valuation/changed", data: valuation }], at, "host");
	}

	/**
	 * Records an entry, marks what it closes and writes the texts that may come to stand for it. Known ones are passed
	 * over.
	 */
	async record(entry: TranscriptEntry, decision?: number): Promise<void> {
		if (nodeOf(this.states.tree, entry.id)) return;
		const { digest } = this.contents.keepEntry(entry);
		this.parts.observer?.entry(entry);
		const facts = entryFacts(entry, digest, {
			decision,
			heedsCompactions: this.parts.heedsCompactions,
			keptRaw: isKeptRaw(this.states, entry),
		});
		const events = takeInEntry(this.stream, this.scribe, facts);
		await this.stream.keep(events, entry.at, { actor: "host" });
	}

	/** What a commit at a leaf would be; found out once until the next event, for whoever asks. */
	offer(leaf: string | null): Offer | undefined {
		const { version } = this;
		if (this.offered?.leaf !== leaf || this.offered.version !== version)
			this.offered = { leaf, version, offer: offerAt(this.states, leaf) };
		return this.offered.offer;
	}

	/** A request, and what is known of it already. */
	occurring(request: NextRequest): Occurring {
		return { ...request, offer: () => this.offer(request.leaf) };
	}

	/**
	 * Commits where the policy in force asks for it. The decision is durable when this resolves; its node is the caller's.
	 */
	async commitIfDue(request: NextRequest): Promise<Decision | undefined> {
		return this.decide(commitIfDue(this.states, this.command(request)), request.at, RULE);
	}

	/** Whether the window of a request will be within what the model takes, by our estimate. */
	fits(request: NextRequest, mayCommit: boolean): boolean {
		return windowFits(this.states, this.command(request), mayCommit);
	}

	/** Notes a commit that would have been made, where the user wishes to watch only. */
	async observeIfDue(request: NextRequest): Promise<CommitObservedEvent | undefined> {
		const [observed] = observeIfDue(this.states, this.command(request));
		if (observed) await this.note([observed], request.at, "rule");
		return observed;
	}

	/** Commits because the user asked, through one cut where that is named. */
	async commitNow(request: NextRequest, through?: string): Promise<Decision | undefined> {
		return this.decide(commitNow(this.states, this.command(request), through), request.at, USER);
	}

	/** Commits because the provider refused the last request as too large; nothing where that would free nothing. */
	async commitTighter(request: NextRequest, excess: Excess): Promise<Decision | undefined> {
		return this.decide(commitTighter(this.states, this.command(request), excess), request.at, RUNTIME);
	}

	/**
	 * Has commits treat a model's thinking one way from here on, and the one in force with them, because its provider
	 * refused it. Nothing where no commit is in force, or that would change nothing.
	 */
	async changeReasoning(
		request: NextRequest,
		mode: "keep" | "strip",
		why: string,
	): Promise<Decision | undefined> {
		if (!planAt(this.states, request.leaf)?.commit) return undefined;
		const data = { model: request.model, mode, why: why.slice(0, 500) };
		if (reasoningOf(this.states.rules) !== mode)
			await this.note([{ type: "reasoning/changed", data }], request.at, "runtime");
		return this.decide(commitForReasoning(this.states, this.command(request)), request.at, RUNTIME);
	}

	/**
	 * Decides what someone asked of the window. Nothing where all stands as asked; throws `CommandError` where it may not
	 * happen. The decision is durable when this resolves; its node is the caller's.
	 */
	async decideCommand(command: WindowCommand, request: NextRequest, by: By): Promise<Decision | undefined> {
		const decided = decideCommand(this.states, command, this.tools(request.leaf));
		return this.decide(decided, request.at, by);
	}

	/** A brief as text, by the digest of its structured form; empty where it is not stored. */
	briefText(digest: string): string {
		return this.scribe.briefText(this.states, digest);
	}

	/** What would be told of a stretch of the path to the leaf now; `undefined` where no model was sent anything of it. */
	briefOf(stretch: readonly EntryNode[]): StretchBrief | undefined {
		return this.scribe.briefOf(this.states, stretch);
	}

	/** What was supplied for a fold, by the digest of its brief's structured form. */
	suppliedIn(digest: string): string | undefined {
		return this.scribe.suppliedIn(this.states, digest);
	}

	/** What a commit at a request would be, were one made; nothing is decided, and no digest computed. */
	proposal(request: NextRequest): DomainEvent[] {
		return commitNow(this.states, { ...this.command(request), digest: () => "" });
	}

	/** What a command would come to; nothing is decided. Throws as {@link decideCommand}. */
	wouldDecide(command: WindowCommand, request: NextRequest): DecisionEvent | undefined {
		return decideCommand(this.states, command, { ...this.tools(request.leaf), digest: () => "" })[0];
	}

	/** What the node of a decision says. The decision must be durable. */
	nodeFor(decision: Decision): DecisionNode {
		const hash = this.parts.journal.hash?.(decision.position) ?? "";
		const { event } = decision;
		const supplied = event.type === "brief/supplied" ? this.content(event.data.supplied) : undefined;
		return decisionNode(this.states, decision, hash, {
			hashText: this.scribe.hashText,
			supplied: new TextDecoder().decode(supplied),
		});
	}

	/**
	 * Records an entry that is a decision's node. The decision is in force below it if its event is in this log, or if
	 * the path alone gives the window the node tells of; then it is decided again, and durable when this resolves.
	 */
	async meet(entry: TranscriptEntry, node: DecisionNode): Promise<Met> {
		if (nodeOf(this.states.tree, entry.id)) return "known";
		const { position, hash } = node;
		if (this.states.plans.after.has(position) && this.parts.journal.hash?.(position) === hash) {
			await this.record(entry, position);
			return "known";
		}
		const decision = await this.decide(
			decideAgain(this.states, this.scribe, entry, node, this.version),
			entry.at,
			RUNTIME,
		);
		await this.record(entry, decision?.position);
		return decision ? "rebuilt" : "refused";
	}

	/** Records the window that goes out. */
	async prepare(request: NextRequest): Promise<Prepared["data"]> {
		const { last } = this.states.ledger;
		if (last) this.chain.resume(this.states, last.leaf);
		const { digest, items, change, fresh } = this.chain.follow(this.states, request.leaf);
		this.parts.observer?.window({ leaf: request.leaf, ...fresh });
		const prepared = prepareRequest(this.states, {
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
		return this.contents.entry(nodeOf(this.states.tree, id));
	}

	/** Content by its digest: entries, briefs, texts. */
	content(digest: string): Uint8Array | undefined {
		return this.contents.content(digest);
	}

	private command(request: NextRequest): RequestCommand {
		return this.scribe.command(this.states, this.occurring(request));
	}

	private tools(leaf: string | null): CommandTools {
		return this.scribe.tools(this.states, leaf, this.version);
	}

	private async decide(decided: readonly DomainEvent[], at: number, by: By): Promise<Decision | undefined> {
		const [event] = decided;
		if (!event || !isDecision(event)) return undefined;
		const place = { at, position: this.version };
		const texts = event.type === "mark/recut" ? this.scribe.textsOfRecut(this.states, event, place) : [];
		const position = await this.stream.decide([...decided, ...texts], at, by);
		return { id: event.data.id, position, event };
	}
}

function sameFields(a: object, b: object): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
