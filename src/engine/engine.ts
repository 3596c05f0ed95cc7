import type { DomainEvent } from "../../events/catalogue.ts";
import type { CommitObservedEvent } from "../../events/commit.ts";
import type { Actor, Recorded } from "../../events/envelope.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { Valuation } from "../../events/valuation.ts";
import { type DecisionEvent, isDecision } from "../../projections/plans.ts";
import type { Placed } from "../../projections/projection.ts";
import { reasoningOf, type Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import {
	checkpointsOf,
	evolveStates,
	initialStates,
	replayStates,
	type SessionStates,
} from "../../projections/states.ts";
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
import { recordEntry } from "../commands/record-entry.ts";
import { type CommandTools, decideCommand, type WindowCommand } from "../commands/window-command.ts";
import { type ContentParts, Contents } from "./contents.ts";
import { decideAgain } from "./decide-again.ts";
import type { By, Decision, Met, NextRequest } from "./decision.ts";
import { type DecisionNode, decisionNode } from "./decision-node.ts";
import type { Observer } from "./observer.ts";
import { rewriteTexts } from "./rewriting.ts";
import { Scribe } from "./scribe.ts";
import { entryFacts, isKeptRaw } from "./weight.ts";
import { WindowChain } from "./window-chain.ts";

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
	private readonly scribe: Scribe;
	private current: SessionStates = initialStates();
	private next = 0;
	private checkpointed = 0;
	/** what a commit at a leaf would be, until the next event */
	private offered: { readonly leaf: string | null; readonly offer: Offer | undefined } | undefined;

	constructor(parts: EngineParts) {
		this.parts = parts;
		this.contents = new Contents(parts);
		this.scribe = new Scribe(this.contents, parts.hash);
		this.chain = new WindowChain(this.scribe.hashText);
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
		this.offered = undefined;
		this.next = covers;
		this.checkpointed = covers;
	}

	/** Takes in events that are in the journal already. */
	load(batch: readonly Placed<DomainEvent>[]): void {
		this.next += batch.length;
		this.offered = undefined;
		if (this.parts.driver === "live") this.current = evolveStates(this.current, batch);
		else replayStates(this.current, batch);
	}

	/** Appends events that need no decider. */
	async note(events: readonly DomainEvent[], at: number, actor: Actor): Promise<void> {
		const start = this.next;
		this.absorb(events, at);
		await this.hand(events, start, at, { actor }, false);
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
			entryFacts(entry, digest, {
				decision,
				heedsCompactions: this.parts.heedsCompactions,
				keptRaw: isKeptRaw(this.current, entry),
			}),
		);
		const start = this.next;
		const all: DomainEvent[] = [];
		for (const event of events) {
			this.absorb([event], entry.at);
			all.push(event);
			if (event.type !== "mark/set") continue;
			for (const text of this.scribe.textsOf(() => this.current, event.data.id, entry.id)) {
				this.absorb([text], entry.at);
				all.push(text);
			}
		}
		const edit = entry.target === undefined ? undefined : nodeOf(this.current.tree, entry.id);
		const rewriting = edit && rewriteTexts(this.scribe.desk(this.current, entry.id), edit);
		if (rewriting) {
			this.absorb([rewriting], entry.at);
			all.push(rewriting);
		}
		await this.hand(all, start, entry.at, { actor: "host" }, false);
	}

	/** What a commit at a leaf would be; found out once until the next event, for whoever asks. */
	offer(leaf: string | null): Offer | undefined {
		if (this.offered?.leaf !== leaf) this.offered = { leaf, offer: offerAt(this.current, leaf) };
		return this.offered.offer;
	}

	/** A request, and what is known of it already. */
	occurring(request: NextRequest): Occurring {
		return { ...request, offer: () => this.offer(request.leaf) };
	}

	/** Commits where the policy in force asks for it. The decision is durable when this resolves; its node is the caller's. */
	async commitIfDue(request: NextRequest): Promise<Decision | undefined> {
		return this.decide(commitIfDue(this.current, this.command(request)), request.at, "rule");
	}

	/** Whether the window of a request will be within what the model takes, by our estimate. */
	fits(request: NextRequest, mayCommit: boolean): boolean {
		return windowFits(this.current, this.command(request), mayCommit);
	}

	/** Notes a commit that would have been made, where the user wishes to watch only. */
	async observeIfDue(request: NextRequest): Promise<CommitObservedEvent | undefined> {
		const [observed] = observeIfDue(this.current, this.command(request));
		if (observed) await this.note([observed], request.at, "rule");
		return observed;
	}

	/** Commits because the user asked, through one cut where that is named. */
	async commitNow(request: NextRequest, through?: string): Promise<Decision | undefined> {
		return this.decide(commitNow(this.current, this.command(request), through), request.at, "user");
	}

	/** Commits because the provider refused the last request as too large; nothing where that would free nothing. */
	async commitTighter(request: NextRequest, excess: Excess): Promise<Decision | undefined> {
		return this.decide(commitTighter(this.current, this.command(request), excess), request.at, "runtime");
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
		if (!planAt(this.current, request.leaf)?.commit) return undefined;
		const data = { model: request.model, mode, why: why.slice(0, 500) };
		if (reasoningOf(this.current.rules) !== mode)
			await this.note([{ type: "reasoning/changed", data }], request.at, "runtime");
		return this.decide(commitForReasoning(this.current, this.command(request)), request.at, "runtime");
	}

	/**
	 * Decides what someone asked of the window. Nothing where all stands as asked; throws `CommandError` where it may not
	 * happen. The decision is durable when this resolves; its node is the caller's.
	 */
	async decideCommand(
		command: WindowCommand,
		request: NextRequest,
		{ actor, cause }: By,
	): Promise<Decision | undefined> {
		const decided = decideCommand(this.current, command, this.tools(request.leaf));
		return this.decide(decided, request.at, actor, cause);
	}

	/** A brief as text, by the digest of its structured form; empty where it is not stored. */
	briefText(digest: string): string {
		return this.scribe.briefText(this.current, digest);
	}

	/** What was supplied for a fold, by the digest of its brief's structured form. */
	suppliedIn(digest: string): string | undefined {
		return this.scribe.suppliedIn(this.current, digest);
	}

	/** What a commit at a request would be, were one made; nothing is decided, and no digest computed. */
	proposal(request: NextRequest): DomainEvent[] {
		return commitNow(this.current, { ...this.command(request), digest: () => "" });
	}

	/** What a command would come to; nothing is decided. Throws as {@link decideCommand}. */
	wouldDecide(command: WindowCommand, request: NextRequest): DecisionEvent | undefined {
		return decideCommand(this.current, command, { ...this.tools(request.leaf), digest: () => "" })[0];
	}

	/** What the node of a decision says. The decision must be durable. */
	nodeFor(decision: Decision): DecisionNode {
		const hash = this.parts.journal.hash?.(decision.position) ?? "";
		const { event } = decision;
		const supplied = event.type === "brief/supplied" ? this.content(event.data.supplied) : undefined;
		return decisionNode(this.current, decision, hash, {
			hashText: this.scribe.hashText,
			supplied: new TextDecoder().decode(supplied),
		});
	}

	/**
	 * Records an entry that is a decision's node. The decision is in force below it if its event is in this log, or if
	 * the path alone gives the window the node tells of; then it is decided again, and durable when this resolves.
	 */
	async meet(entry: TranscriptEntry, node: DecisionNode): Promise<Met> {
		if (nodeOf(this.current.tree, entry.id)) return "known";
		const { position, hash } = node;
		if (this.current.plans.after.has(position) && this.parts.journal.hash?.(position) === hash) {
			await this.record(entry, position);
			return "known";
		}
		const decision = await this.decide(
			decideAgain(this.current, this.scribe, entry, node, this.next),
			entry.at,
			"runtime",
		);
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
		return this.scribe.command(this.current, this.occurring(request));
	}

	private tools(leaf: string | null): CommandTools {
		return this.scribe.tools(this.current, leaf, this.next);
	}

	private async decide(
		decided: readonly DomainEvent[],
		at: number,
		actor: Actor,
		cause?: string,
	): Promise<Decision | undefined> {
		const [event] = decided;
		if (!event || !isDecision(event)) return undefined;
		const position = this.next;
		const events =
			event.type === "mark/recut"
				? [event, ...this.scribe.textsOfRecut(this.current, event, { at, position })]
				: decided;
		await this.hand(events, position, at, { actor, cause }, true);
		this.absorb(events, at);
		return { id: event.data.id, position, event };
	}

	/** Hands events and all staged content to the journal. */
	private async hand(
		events: readonly DomainEvent[],
		start: number,
		at: number,
		{ actor, cause }: By,
		sync: boolean,
	): Promise<void> {
		const recorded: Recorded<DomainEvent>[] = events.map((event) => ({
			event,
			at,
			actor,
			...(cause !== undefined && { cause }),
		}));
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
