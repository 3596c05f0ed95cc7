import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { DecisionNode } from "../../src/engine/decision-node.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { chain, custom, type Made } from "./made-entries.ts";

/** A session by hand on the real engine: entries one below the other, and decisions with their nodes. */
export abstract class HandMade {
	abstract readonly engine: Engine;
	readonly entries: TranscriptEntry[] = [];
	/** what entries say of a decision, by their ids */
	readonly nodes = new Map<string, DecisionNode>();
	leaf: string | null = null;

	async add(...made: Made[]): Promise<void> {
		for (const entry of chain(made, this.leaf)) {
			this.entries.push(entry);
			await this.engine.record(entry);
			this.leaf = entry.id;
		}
	}

	get request() {
		return { at: 0, leaf: this.leaf, model: "m" };
	}

	/** Decides something, a commit unless told otherwise, and records its node; gives its name. */
	async decide(command?: WindowCommand): Promise<string> {
		const decision = command
			? await this.engine.decideCommand(command, this.request, { actor: "user" })
			: await this.engine.commitNow(this.request);
		if (!decision) throw new RangeError("nothing was decided");
		const node = this.engine.nodeFor(decision);
		const [entry] = chain([custom(`n${decision.position}`)], this.leaf) as [TranscriptEntry];
		this.entries.push(entry);
		this.nodes.set(entry.id, node);
		await this.engine.record(entry, decision.position);
		this.leaf = entry.id;
		return decision.id;
	}
}

/** A message that says some words. */
export function said(made: Made, words: string): Made {
	return { ...made, blocks: [{ type: "text", text: words }] };
}
