import type { DomainEvent } from "../../events/catalogue.ts";
import type { EntryEvent } from "../../events/entry.ts";
import type { Valuation } from "../../events/valuation.ts";
import { refreshesBetween } from "../../projections/host-warming.ts";
import type { Settings } from "../../projections/rules.ts";
import { initialStates, replayStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Decision } from "../engine/decision.ts";
import { Engine } from "../engine/engine.ts";
import { replayNode } from "../engine/replay.ts";
import { sha256Node } from "../store/hash.ts";
import type { StoredEvent } from "../store/store.ts";
import type { Content } from "./content.ts";
import { entryBySize } from "./entry-by-size.ts";
import { ForkedLog } from "./forked-log.ts";
import { History, type StoredStream } from "./history.ts";

/** What is otherwise from a request on. */
export interface Otherwise {
	/** the first request that is decided otherwise, from 1 */
	readonly from: number;
	/** put in the place of what the session's settings say */
	readonly settings: Partial<Settings>;
	/** prices and model instead of the recorded ones */
	readonly valuation?: Valuation | undefined;
	/** whether the host keeps idle caches warm */
	readonly warms: boolean;
	readonly onProgress?: ((done: number) => void) | undefined;
}

/** How a session went on otherwise. */
export interface OtherHistory {
	readonly history: History;
	readonly content: Content;
	/** the reply each request got, by entry id; both histories have the same */
	readonly replies: ReadonlyMap<number, string>;
	/** decisions of the recorded session that were not taken over, by who took them */
	readonly dropped: { readonly rule: number; readonly others: number };
	/** entries of which no content is left, counted by their recorded sizes */
	readonly gone: number;
}

/**
 * Lets a session's own events happen again in memory, with an engine that decides by other rules from a request on.
 * What happened before that stands, decisions too; behind it entries, prices and measurements come as they were recorded,
 * and decisions and their nodes do not. Nothing is asked of a model, and nothing is written. O(events), and what
 * deciding takes.
 */
export async function runOtherwise(
	history: History,
	source: StoredStream,
	content: Content,
	otherwise: Otherwise,
): Promise<OtherHistory> {
	const run = new Run(history, content, otherwise);
	const { stream } = history;
	for await (const events of source.readRuns(stream, { onUnreadable: () => {} })) {
		for (const event of events) await run.take(event);
		otherwise.onProgress?.((events.at(-1)?.position ?? 0) + 1);
	}
	return run.end();
}

/** Events that tell of a decision, or of what one came with; an engine makes its own. */
const DECIDED = /^(commit|fold|pin)\/|^mark\/(withdrawn|recut)$|^brief\/supplied$/;

/** Events an engine makes when it records an entry. */
const MADE = new Set(["mark/set", "brief/written", "brief/rewritten"]);

class Run {
	readonly #otherwise: Otherwise;
	readonly #content: Content;
	readonly #log: ForkedLog;
	readonly #engine: Engine;
	readonly #stream: string;
	/** where the fork begins: right behind the request before */
	readonly #forkedAt: number;
	readonly #replies = new Map<number, string>();
	readonly #synthetic = new Map<string, TranscriptEntry>();
	/** entries that are not there, by what stands in their place */
	readonly #instead = new Map<string, string | null>();
	/** the node of a decision made at a leaf, until something comes below that leaf */
	#placed: { readonly leaf: string | null; readonly node: string } | undefined;
	#sent: { readonly at: number; readonly tokens: number; readonly valuation: Valuation } | undefined;
	#begun = false;
	#request = 0;
	#dropped = { rule: 0, others: 0 };
	#gone = 0;
	#prefix: StoredEvent[] = [];

	constructor(history: History, content: Content, otherwise: Otherwise) {
		this.#otherwise = otherwise;
		this.#content = content;
		this.#stream = history.stream;
		const before = history.request(otherwise.from - 1);
		this.#forkedAt = before ? before.position + 1 : 0;
		this.#log = new ForkedLog(history.stream, content);
		this.#engine = new Engine({
			journal: this.#log.journal(),
			hash: sha256Node,
			decode: (bytes, node) => this.#synthetic.get(node.id) ?? content.decode(bytes, node),
			driver: "replay",
			heedsCompactions: history.opened?.format === "live",
		});
		if (before) {
			const { at, tokens } = before.prepared;
			this.#sent = before.valuation && { at, tokens, valuation: before.valuation };
		}
	}

	async take(event: StoredEvent): Promise<void> {
		const { type, data } = event as StoredEvent & DomainEvent;
		if (type === "request/prepared") this.#request = data.request;
		if (type === "entry/recorded" && data.role === "assistant" && !this.#replies.has(this.#request))
			this.#replies.set(this.#request, data.id);
		if (event.position < this.#forkedAt) {
			this.#log.take(event);
			this.#prefix.push(event);
			return;
		}
		if (!this.#begun) await this.#begin(event.at);
		await this.#follow({ type, data } as DomainEvent, event);
	}

	async end(): Promise<OtherHistory> {
		if (!this.#begun) await this.#begin(0);
		const content: Content = Object.assign((digest: string) => this.#log.content(digest), {
			decode: (bytes: Uint8Array, node: Parameters<Content["decode"]>[1]) =>
				this.#synthetic.get(node.id) ?? this.#content.decode(bytes, node),
		});
		return {
			history: await History.read(this.#log, this.#stream),
			content,
			replies: this.#replies,
			dropped: this.#dropped,
			gone: this.#gone,
		};
	}

	async #begin(at: number): Promise<void> {
		this.#begun = true;
		const states = initialStates();
		replayStates(
			states,
			this.#prefix.map(({ type, data, position, at }) => ({
				event: { type, data } as DomainEvent,
				position,
				at,
			})),
		);
		this.#engine.restore(states, this.#forkedAt);
		this.#prefix = [];
		if (this.#forkedAt === 0) return;
		const { settings, valuation } = this.#otherwise;
		await this.#engine.settle({ ...states.rules.settings, ...settings }, at, "user");
		if (valuation) await this.#engine.value(valuation, at);
	}

	async #follow(event: DomainEvent, { at, actor }: StoredEvent): Promise<void> {
		const engine = this.#engine;
		if (MADE.has(event.type)) return;
		if (event.type !== "fold/peeked" && DECIDED.test(event.type)) {
			const isDecision = "on" in event.data;
			if (isDecision && actor === "rule") this.#dropped.rule += 1;
			else if (isDecision) this.#dropped.others += 1;
			return;
		}
		switch (event.type) {
			case "entry/recorded":
				return this.#record(event.data);
			case "request/prepared":
				return this.#prepare(event.data);
			case "request/measured": {
				const { model = event.data.model } = this.#otherwise.valuation ?? {};
				return engine.measure({ ...event.data, model }, at);
			}
			case "valuation/changed":
				return engine.value(this.#otherwise.valuation ?? event.data, at);
			case "session/settingsChanged": {
				const data = { ...event.data, ...this.#otherwise.settings };
				return engine.note([{ type: event.type, data }], at, actor);
			}
			case "session/leafMoved":
				return engine.note([{ type: event.type, data: { leaf: this.#place(event.data.leaf) } }], at, actor);
			case "shown/appended":
				return event.data.decision === undefined ? engine.note([event], at, actor) : undefined;
			default:
				return engine.note([event], at, actor);
		}
	}

	/** Decides and sends where a request was sent. */
	async #prepare({
		at,
		leaf,
		model,
	}: Extract<DomainEvent, { type: "request/prepared" }>["data"]): Promise<void> {
		const engine = this.#engine;
		const valuation = this.#otherwise.valuation ?? engine.states.rules.valuation ?? undefined;
		const sent = this.#sent;
		const warmedAt =
			sent && this.#otherwise.warms
				? refreshesBetween(sent.valuation, sent.tokens, sent.at, at).at(-1)
				: undefined;
		const request = {
			at,
			leaf: this.#leaf(leaf),
			model: this.#otherwise.valuation?.model ?? model,
			warmedAt,
		};
		const decision = await engine.commitIfDue(request);
		if (decision) request.leaf = await this.#putNode(decision, request.leaf, leaf, at);
		else await engine.observeIfDue(request);
		const { tokens } = await engine.prepare(request);
		this.#sent = valuation && { at, tokens, valuation };
	}

	/** Puts a decision's node on the path; what was recorded below the leaf comes below the node. */
	async #putNode(
		decision: Decision,
		leaf: string | null,
		recorded: string | null,
		at: number,
	): Promise<string> {
		const node = replayNode(decision, leaf, at);
		this.#synthetic.set(node.id, node);
		await this.#engine.record(node, decision.position);
		if (recorded !== null && this.#instead.has(recorded)) this.#instead.set(recorded, node.id);
		else this.#placed = { leaf: recorded, node: node.id };
		return node.id;
	}

	async #record(data: EntryEvent["data"]): Promise<void> {
		const parent = this.#leaf(data.parent);
		// the node of a decision that was not taken over
		if (data.decision !== undefined && data.decision >= this.#forkedAt) {
			this.#instead.set(data.id, parent);
			return;
		}
		if (this.#placed?.leaf === data.parent) this.#placed = undefined;
		const { firstKept, target, memory } = data;
		const entry: TranscriptEntry = {
			...this.#decoded(data),
			id: data.id,
			parent,
			at: data.at,
			...(firstKept && { firstKept: this.#place(firstKept) ?? firstKept }),
			...(target !== undefined && { target }),
			...(memory && { memory }),
		};
		await this.#engine.record(entry, data.decision);
	}

	#decoded(data: EntryEvent["data"]): TranscriptEntry {
		const bytes = this.#content(data.digest);
		if (bytes) return this.#content.decode(bytes, data as unknown as Parameters<Content["decode"]>[1]);
		this.#gone += 1;
		const entry = entryBySize(data);
		this.#synthetic.set(data.id, entry);
		return entry;
	}

	/** The leaf at which something comes: below the node of a decision that was just made there. */
	#leaf(recorded: string | null): string | null {
		return this.#placed && this.#placed.leaf === recorded ? this.#placed.node : this.#place(recorded);
	}

	#place(recorded: string | null): string | null {
		const instead = recorded === null ? undefined : this.#instead.get(recorded);
		return instead === undefined ? recorded : instead;
	}
}
