import type { RequestEvent } from "../../events/request.ts";
import type { Valuation } from "../../events/valuation.ts";
import type { Plan } from "../../projections/plans.ts";
import type { Settings } from "../../projections/rules.ts";
import { type EntryNode, nodeOf, onlyGrew, type Weight } from "../../projections/session-tree.ts";
import type { ModelRef, TranscriptEntry } from "../../projections/transcript.ts";
import { planAt } from "../../projections/window-plan.ts";
import type { Decision } from "./decision.ts";
import { NODE_TYPE } from "./decision-node.ts";
import type { Engine } from "./engine.ts";

/** What is replayed, and by which rules. */
export interface ReplayOptions {
	readonly session: string;
	readonly format: string;
	readonly cwd?: string | undefined;
	readonly entries: AsyncIterable<TranscriptEntry> | Iterable<TranscriptEntry>;
	readonly settings: Settings;
	readonly valuation: (model: ModelRef) => Promise<Valuation>;
	/** when the cache of a window was last kept warm before the next request; `undefined` where it was not */
	readonly warmedAt?: (
		sent: { at: number; tokens: number; valuation: Valuation },
		next: number,
	) => number | undefined;
}

/** One request of the recording, as the policy would have sent it. */
export interface ReplayedRequest {
	readonly prepared: Extract<RequestEvent, { type: "request/prepared" }>["data"];
	/** what is in force */
	readonly plan: Plan | undefined;
	readonly reply: TranscriptEntry;
	readonly valuation: Valuation;
}

/**
 * Drives an engine through a recorded session, entry by entry, with the recording's own times and usage. Every reply
 * is a request; before it the policy may commit, and the commit's node is put on the path as the host would have it.
 * What the host compacted stays in the windows, since a replay asks what this policy would have sent instead.
 * The same file, settings and prices give the same events, whenever and wherever it runs. A request is told when it is
 * sent: its reply, and what it was billed, are recorded when the next is asked for.
 */
export async function* replaySession(
	engine: Engine,
	options: ReplayOptions,
): AsyncGenerator<ReplayedRequest> {
	const measured = new MeasuredWindows(engine);
	let sent: { at: number; tokens: number; valuation: Valuation } | undefined;
	let opened = false;
	for await (const entry of options.entries) {
		if (!opened) {
			opened = true;
			await open(engine, options, entry);
		}
		if (entry.role !== "assistant" || entry.model === undefined) {
			await engine.record(entry);
			measured.see(entry);
			continue;
		}
		const at = entry.sentAt ?? entry.at;
		const valuation = await options.valuation(entry.model);
		await engine.value(valuation, at);
		const warmedAt = sent && options.warmedAt?.(sent, at);
		const request = { at, leaf: entry.parent, model: valuation.model, warmedAt };
		const decision = await engine.commitIfDue(request);
		if (decision) {
			const node = replayNode(decision, entry.parent, at);
			await engine.record(node, decision.position);
			request.leaf = node.id;
		}
		const prepared = await engine.prepare(request);
		sent = { at, tokens: prepared.tokens, valuation };
		const reply = { ...entry, parent: request.leaf };
		yield { prepared, plan: planAt(engine.states, request.leaf), reply, valuation };
		await engine.record(reply);
		await measured.measure(reply, prepared.request, valuation.model);
	}
}

/** Id of the node a replay gives a decision; the host would have chosen one of its own. */
function nodeId(position: number): string {
	return `palimpsest-${position}`;
}

async function open(engine: Engine, options: ReplayOptions, first: TranscriptEntry): Promise<void> {
	const { session, format, cwd, settings } = options;
	await engine.note(
		[
			{
				type: "session/opened",
				data: { session, root: first.id, format, ...(cwd !== undefined && { cwd }) },
			},
			{ type: "session/settingsChanged", data: settings },
		],
		first.at,
		"host",
	);
}

/** The entry that a replay puts on the path for a decision, in the place of the host's. */
export function replayNode(
	{ id, position }: Pick<Decision, "id" | "position">,
	parent: string | null,
	at: number,
): TranscriptEntry {
	const content = { type: "custom", customType: NODE_TYPE, data: { v: 1, decision: id, position } };
	return {
		id: nodeId(position),
		parent,
		kind: "custom",
		at,
		line: 0,
		bytes: new TextEncoder().encode(JSON.stringify(content)),
		blocks: [],
	};
}

/** Follows what the recorded host really sent, which its compactions shortened, so that usage can be set against it. */
class MeasuredWindows {
	private readonly engine: Engine;
	private readonly compactions = new Map<string, { firstKept: string | undefined; chars: number }>();
	private last: EntryNode | undefined;

	constructor(engine: Engine) {
		this.engine = engine;
	}

	see(entry: TranscriptEntry): void {
		if (entry.kind !== "compaction") return;
		let chars = 0;
		for (const block of entry.blocks) if (block.type === "text") chars += block.text.length;
		this.compactions.set(entry.id, { firstKept: entry.firstKept, chars });
	}

	async measure(reply: TranscriptEntry, request: number, model: string): Promise<void> {
		const { usage } = reply;
		const { tree } = this.engine.states;
		const leaf = nodeOf(tree, reply.parent);
		if (!usage || !leaf || usage.input + usage.cacheRead + usage.cacheWrite === 0) return;
		const appended = this.last !== undefined && onlyGrew(tree, this.last, leaf);
		this.last = leaf;
		await this.engine.measure(
			{ request, reply: reply.id, model, ...usage, ...this.weight(leaf), appended },
			reply.at,
		);
	}

	private weight(leaf: EntryNode): Weight {
		const { tree } = this.engine.states;
		const compaction = leaf.lastCompaction === null ? undefined : this.compactions.get(leaf.lastCompaction);
		if (!compaction) return { chars: leaf.total.chars, images: leaf.total.images };
		const from = compaction.firstKept ?? leaf.lastCompaction;
		const cut = nodeOf(tree, nodeOf(tree, from)?.parent ?? null)?.total ?? { chars: 0, images: 0 };
		return { chars: leaf.total.chars - cut.chars + compaction.chars, images: leaf.total.images - cut.images };
	}
}
