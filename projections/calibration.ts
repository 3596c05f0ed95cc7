import type { Draft } from "immer";
import type { RequestEvent } from "../events/request.ts";
import type { ValuationEvent } from "../events/valuation.ts";
import type { Projection } from "./projection.ts";
import type { Weight } from "./session-tree.ts";

/**
 * Characters per token of a model family before anything was measured: growth of recorded prompts gave GLM 2.92 and 3.48
 * and Kimi 3.48; OpenAI's o200k takes 3.5 on code.
 */
const FIRST_RATES: readonly (readonly [family: string, rate: number])[] = [
	["glm", 3.2],
	["kimi", 3.5],
	["gpt", 3.5],
];

/**
 * Claude's, recorded as 2.6 to 3.04; and of any other model, which is better taken for too many tokens than too few.
 */
const OTHER_RATE = 3;

/** Weight, in characters, of the first rate against what is measured. */
const PRIOR_CHARS = 20_000;

/** Shorter growth says nothing: framing and rounding outweigh it. */
const LEAST_GROWTH = 400;

/** Tokens of one image, whatever its bytes. */
export const IMAGE_TOKENS = 1_600;

/** What measured requests say about sizes: how many characters a token takes, and what every prompt holds besides. */
export interface Calibration {
	readonly model: string | null;
	/** characters and tokens of growth measured on this model */
	readonly chars: number;
	readonly tokens: number;
	/** tokens of a prompt that are not in its messages: instructions and tools the session does not hold */
	readonly base: number;
	readonly last: { readonly prompt: number; readonly weight: Weight } | null;
	readonly measured: number;
}

type CalibrationEvent = Extract<RequestEvent, { type: "request/measured" }> | ValuationEvent;

/** How many tokens a text of this session takes. */
export const calibration: Projection<Calibration, CalibrationEvent> = {
	name: "calibration",
	version: 2,
	listens: { "request/measured": true, "valuation/changed": true },
	initial: () => ({ model: null, chars: 0, tokens: 0, base: 0, last: null, measured: 0 }),
	apply,
};

/** Characters per token, as far as is known. */
export function charsPerToken(state: Calibration): number {
	const rate = (PRIOR_CHARS + state.chars) / (PRIOR_CHARS / firstRate(state.model) + state.tokens);
	return Math.min(8, Math.max(1.2, rate));
}

/** Estimated tokens of content. */
export function tokensOf(state: Calibration, weight: Weight): number {
	return weight.chars / charsPerToken(state) + weight.images * IMAGE_TOKENS;
}

function apply(draft: Draft<Calibration>, event: CalibrationEvent): void {
	switch (event.type) {
		case "valuation/changed":
			turnTo(draft, event.data.model);
			return;
		case "request/measured":
			measure(draft, event.data);
			return;
		default:
			event satisfies never;
	}
}

/** What was measured on one model says nothing of another; its prompts still hold the same besides. */
function turnTo(draft: Draft<Calibration>, model: string): void {
	if (draft.model === model) return;
	draft.model = model;
	draft.chars = 0;
	draft.tokens = 0;
	draft.last = null;
}

function measure(
	draft: Draft<Calibration>,
	data: Extract<CalibrationEvent, { type: "request/measured" }>["data"],
): void {
	const prompt = data.input + data.cacheRead + data.cacheWrite;
	if (prompt === 0) return;
	turnTo(draft, data.model);
	const weight = { chars: data.chars, images: data.images };
	if (data.appended && draft.last) learn(draft, prompt - draft.last.prompt, weight, draft.last.weight);
	draft.last = { prompt, weight };
	draft.base = Math.max(0, prompt - tokensOf(draft, weight));
	draft.measured += 1;
}

function firstRate(model: string | null): number {
	const known = FIRST_RATES.find(([family]) => model?.includes(family));
	return known?.[1] ?? OTHER_RATE;
}

function learn(draft: Draft<Calibration>, growth: number, now: Weight, before: Weight): void {
	const chars = now.chars - before.chars;
	if (chars < LEAST_GROWTH || now.images !== before.images) return;
	const rate = chars / growth;
	if (growth <= 0 || rate < 1 || rate > 12) return;
	draft.chars += chars;
	draft.tokens += growth;
}
