import type { Draft } from "immer";
import type { EngineEvent } from "../events/engine.ts";
import type { ReasoningEvent } from "../events/reasoning.ts";
import type { SessionEvent } from "../events/session.ts";
import type { Valuation, ValuationEvent } from "../events/valuation.ts";
import type { Place, Projection } from "./projection.ts";

/** How a session is folded. */
export type Settings = Extract<SessionEvent, { type: "session/settingsChanged" }>["data"];

/** pi-fold 4.0's numbers where it has them; the rest as the README's table says. */
export const DEFAULT_SETTINGS: Settings = {
	policy: "economic",
	minFoldChars: 8_000,
	consolidateAfter: 10,
	toolFoldThreshold: 0.5,
	maxTarget: 0.8,
	minTarget: 0.2,
	briefs: "index",
};

/** When to commit where nobody chose: without prices nothing is saved by it, and a rewrite is paid in waiting. */
export function defaultPolicy({ unit }: Pick<Valuation, "unit">): "economic" | "calm" {
	return unit === "usd" ? "economic" : "calm";
}

/** The rules and prices in force. */
export interface Rules {
	readonly settings: Settings;
	/** all there were, by the position of the event that said them */
	readonly said: ReadonlyMap<number, Settings>;
	readonly valuation: Valuation | null;
	/** what becomes of the thinking of models whose provider refused what is usual, by provider/model */
	readonly reasoning: ReadonlyMap<string, "keep" | "strip">;
	/** why nothing is folded by itself; `null` while it is */
	readonly suspended: { readonly mode: "pause" | "off"; readonly why: string } | null;
}

type RuleEvent =
	| Extract<SessionEvent, { type: "session/settingsChanged" }>
	| ValuationEvent
	| ReasoningEvent
	| EngineEvent;

/** By which rules and prices this session is folded now. */
export const rules: Projection<Rules, RuleEvent> = {
	name: "rules",
	version: 3,
	listens: {
		"session/settingsChanged": true,
		"valuation/changed": true,
		"reasoning/changed": true,
		"engine/suspended": true,
		"engine/resumed": true,
	},
	initial: () => ({
		settings: DEFAULT_SETTINGS,
		said: new Map(),
		valuation: null,
		reasoning: new Map(),
		suspended: null,
	}),
	apply,
};

/** The settings in force when an event was recorded, by its position. O(times that settings were said). */
export function settingsAt({ said }: Pick<Rules, "said">, position: number): Settings {
	let [at, settings] = [-1, DEFAULT_SETTINGS];
	for (const [since, those] of said) if (since < position && since > at) [at, settings] = [since, those];
	return settings;
}

/**
 * The most tokens a raw tail is asked to keep unless the user sets a floor. On five recorded sessions the curve of cost
 * against unmet needs bends between 54,400 ($78, 83 unmet) and 80,000 ($94, 34); below it, 30,000 costs $60 and leaves
 * 143. Where the window is 200,000 tokens, `minTarget` keeps the floor at 36,723, or `economic` would cost more than
 * 0.65 of the host's own compaction.
 */
const FLOOR_CAP = 54_400;

/** The fewest tokens a raw tail is asked to keep unless the user sets a floor, or half the budget is less. */
export const LEAST_FLOOR = 16_000;

/** Tokens a request may hold: what the user set, else the model's window less min(16,384, 10 %). */
export function budgetOf({ settings, valuation }: Pick<Rules, "settings" | "valuation">): number {
	if (settings.inputBudget !== undefined) return settings.inputBudget;
	const window = valuation?.window ?? 200_000;
	return window - Math.min(16_384, Math.floor(window * 0.1));
}

/**
 * The share of what forces a commit that a floor may be raised to: 2.5 times the default floor, so that there is always
 * something to fold when a commit is forced.
 */
const RAISED_CAP = 0.625;

/** Raw tokens a commit leaves behind the last fold. */
export function floorOf(state: Pick<Rules, "settings" | "valuation">): number {
	const { floorTokens, floorFactor = 1, minTarget, maxTarget } = state.settings;
	if (floorTokens !== undefined) return floorTokens;
	const budget = budgetOf(state);
	const least = Math.min(LEAST_FLOOR, Math.floor(budget / 2));
	const floor = Math.max(least, Math.min(FLOOR_CAP, Math.floor(budget * minTarget)));
	const raised = Math.min(Math.floor(floor * floorFactor), Math.floor(budget * maxTarget * RAISED_CAP));
	return Math.max(floor, raised);
}

/** What becomes of thinking behind the first changed byte, on the model that answers now. */
export function reasoningOf({ valuation, reasoning }: Rules): "keep" | "strip" {
	return reasoning.get(valuation?.model ?? "") ?? valuation?.reasoning ?? "keep";
}

function apply(draft: Draft<Rules>, event: RuleEvent, { position }: Place): void {
	switch (event.type) {
		case "session/settingsChanged":
			draft.settings = copyOf(event.data);
			draft.said.set(position, copyOf(event.data));
			return;
		case "reasoning/changed":
			draft.reasoning.set(event.data.model, event.data.mode);
			return;
		case "engine/suspended":
			draft.suspended = { mode: event.data.mode, why: event.data.why };
			return;
		case "engine/resumed":
			draft.suspended = null;
			return;
		case "valuation/changed":
			draft.valuation = { ...event.data, tiers: event.data.tiers.map((tier) => ({ ...tier })) };
			return;
		default:
			event satisfies never;
	}
}

function copyOf(settings: Settings): Draft<Settings> {
	const { keepRaw } = settings;
	return { ...settings, ...(keepRaw && { keepRaw: [...keepRaw] }) };
}
