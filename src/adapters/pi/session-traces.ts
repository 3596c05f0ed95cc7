import type { MemoryDecision } from "../../commands/memory/decision.ts";
import { decided } from "../../commands/memory/decision.ts";
import { type Sought, Traces } from "../../debug/traces.ts";
import type { SessionLog, SessionMemory } from "../../engine/memory/session-memory.ts";

/** What of a running session's log is found to tell of something. */
export interface FoundTraces {
	/** entries, and pieces of content in all */
	readonly entries: number;
	readonly contents: number;
}

/** What the log of a running session tells of what is to be destroyed, and the destroying of it. */
export class SessionTraces {
	readonly #session: SessionMemory;
	readonly #sought: Sought;
	#traces: Traces | undefined;

	constructor(session: SessionMemory, sought: Sought) {
		this.#session = session;
		this.#sought = sought;
	}

	/** where the log lies; `undefined` in memory, or before it was looked at */
	get directory(): string | undefined {
		return this.#traces?.store.directory;
	}

	get found(): FoundTraces {
		return { entries: this.#traces?.entries ?? 0, contents: this.#traces?.contents.length ?? 0 };
	}

	/**
	 * Looks through the log as it stands, while the session goes on; whether it was looked through. Not so where there is none,
	 * its store cannot be had, or `mayGoOn` says no. Throws what the store throws.
	 */
	async look(mayGoOn?: () => boolean): Promise<boolean> {
		const log = await this.#session.look(async (log) => log);
		return log?.refusal === undefined && log !== undefined && this.#tracesIn(log).follow(mayGoOn);
	}

	/** Looks at what came since, in the turn in which it is destroyed. */
	readonly before = async (log: SessionLog): Promise<void> => {
		if (log.refusal === undefined) await this.#tracesIn(log).follow();
	};

	/** A decision with all of that destroyed beside what it destroys itself; on its own where there is none. */
	withTraces(decision: MemoryDecision = decided(undefined, [])): MemoryDecision {
		const contents = this.#traces?.contents ?? [];
		if (contents.length === 0) return decision;
		const event = decision.events.find(({ type }) => type === "payload/shredded");
		const records = [...this.#sought.records];
		if (event?.type !== "payload/shredded")
			return { ...decision, events: [{ type: "payload/shredded", data: { contents, records } }] };
		const data = { ...event.data, contents: [...new Set([...event.data.contents, ...contents])] };
		return {
			...decision,
			events: decision.events.map((one) => (one === event ? { type: event.type, data } : one)),
		};
	}

	#tracesIn(log: SessionLog): Traces {
		if (this.#traces?.store !== log.store) this.#traces = new Traces(log, this.#sought);
		return this.#traces;
	}
}
