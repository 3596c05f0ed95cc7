import { expect } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { EntryEvent } from "../../events/entry.ts";
import type { Valuation } from "../../events/valuation.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import type { RequestCommand } from "../../src/commands/commit-made.ts";
import { recordEntry } from "../../src/commands/record-entry.ts";

type Facts = EntryEvent["data"];

/** Facts of an entry: who speaks, how long it is, what it calls or answers. Sizes are characters. */
export function fact(id: string, role: Facts["role"], chars = 0, more: Partial<Facts> = {}): Facts {
	const kind = role === undefined ? "custom" : "message";
	const rest = { kind, at: 0, digest: `d-${id}`, bytes: chars, chars, thinking: 0, images: 0 };
	return { id, parent: null, ...(role !== undefined && { role }), ...rest, ...more };
}

/** Facts of entries one below the other, the first below `parent`. */
export function line(facts: readonly Facts[], parent: string | null = null): Facts[] {
	return facts.map((entry, n) => ({ ...entry, parent: n === 0 ? parent : (facts[n - 1]?.id ?? null) }));
}

/** A log that grows by entries and by other events, for deciders to decide on. */
export class Given {
	readonly states: SessionStates = initialStates();
	private next = 0;

	constructor(settings: Partial<Settings> = {}) {
		this.event({ type: "session/settingsChanged", data: { ...DEFAULT_SETTINGS, ...settings } });
	}

	/** Adds entries, with a text of `textChars` for every cut they close. */
	entries(facts: readonly Facts[], textChars = 50): this {
		for (const entry of facts) {
			for (const event of recordEntry(this.states, entry)) {
				this.event(event);
				if (event.type !== "mark/set") continue;
				const { id } = event.data;
				const text = { fold: id, level: 0, cut: id, brief: `b-${id}`, text: `t-${id}`, chars: textChars };
				this.event({ type: "brief/written", data: { ...text, renderer: "test@1" } });
			}
		}
		return this;
	}

	/** Adds a decision and its node below a leaf; returns the node, which is the leaf then. Nothing decided, nothing added. */
	decided(events: readonly DomainEvent[], leaf: string): string {
		if (events.length === 0) return leaf;
		const decision = this.next;
		for (const event of events) this.event(event);
		this.entries([{ ...fact(`n${decision}`, undefined, 0, { decision }), parent: leaf }]);
		return `n${decision}`;
	}

	/** Adds any event. */
	event(event: DomainEvent): this {
		replayStates(this.states, [{ event, position: this.next++, at: 0 }]);
		return this;
	}

	/** Sets prices: dollars per million tokens. */
	valuation(more: Partial<Valuation> = {}): this {
		return this.event({ type: "valuation/changed", data: { ...PRICED, ...more } });
	}

	/** Adds a request that went out. */
	sent(at: number, model: string, more: { commit?: string; holding?: number } = {}): this {
		const request = this.states.ledger.requests + 1;
		const window = { window: "w", items: 1, tokens: 1, foldable: 0, cold: false };
		const data = { request, at, leaf: null, model, holding: 0, ...window, ...more };
		return this.event({ type: "request/prepared", data });
	}

	/** What recording an entry closes: each mark in a few words. */
	marks(entry: Facts): string[] {
		const [recorded, ...marks] = recordEntry(this.states, entry);
		expect(recorded).toEqual({ type: "entry/recorded", data: entry });
		return marks.flatMap((event) =>
			event.type === "mark/set"
				? [`${event.data.id}: ${event.data.from}..${event.data.to} ${event.data.chars}`]
				: [],
		);
	}
}

const PRICED: Valuation = {
	model: "test/model",
	unit: "usd",
	input: 10,
	read: 1,
	write: 10,
	output: 50,
	tiers: [],
	lifetimeMs: 300_000,
	cache: "prefix",
	window: 100_000,
	reasoning: "keep",
	source: "made up",
};

/** A request at a leaf, at the time 0, with stand-ins for what is put into words. */
export function requestAt(leaf: string | null): RequestCommand {
	return {
		at: 0,
		leaf,
		model: "test/model",
		clip: () => ({ text: "clip", chars: 100 }),
		receipt: () => ({ text: "receipt", chars: 40 }),
		digest: () => "window",
	};
}
