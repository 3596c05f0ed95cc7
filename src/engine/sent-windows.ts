import { nodeOf, onlyGrew } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { planAt, windowWeight } from "../../projections/window-plan.ts";
import type { NextRequest } from "./decision.ts";
import type { Engine } from "./engine.ts";

/** A window that went out. */
interface Sent {
	readonly request: number;
	readonly leaf: string | null;
	readonly model: string;
	/** the decision in force */
	readonly decision: string | undefined;
}

/** Records the requests of a running session, and sets what each was billed against the window that went out. */
export class SentWindows {
	readonly #engine: Engine;
	#waiting: Sent | undefined;
	#measured: Sent | undefined;

	constructor(engine: Engine) {
		this.#engine = engine;
	}

	/** Records the window that goes out now. */
	async prepare(next: NextRequest): Promise<void> {
		const { request, leaf, model } = await this.#engine.prepare(next);
		this.#waiting = { request, leaf, model, decision: planAt(this.#engine.states, leaf)?.id };
	}

	/** Records what the reply to the last request was billed; nothing where it says nothing, as a failed one may. */
	async measure({ id, usage, at }: TranscriptEntry): Promise<void> {
		const sent = this.#waiting;
		this.#waiting = undefined;
		if (!sent || !usage || usage.input + usage.cacheRead + usage.cacheWrite === 0) return;
		const { states } = this.#engine;
		const before = this.#measured;
		const above = nodeOf(states.tree, before?.leaf ?? null);
		const leaf = nodeOf(states.tree, sent.leaf);
		const appended =
			above !== undefined &&
			leaf !== undefined &&
			before?.decision === sent.decision &&
			onlyGrew(states.tree, above, leaf);
		this.#measured = sent;
		const weight = windowWeight(states, sent.leaf, planAt(states, sent.leaf));
		const { request, model } = sent;
		await this.#engine.measure({ request, reply: id, model, ...usage, ...weight, appended }, at);
	}
}
