import type { Draft } from "immer";
import type { RequestEvent } from "../events/request.ts";
import type { Projection } from "./projection.ts";
import type { Weight } from "./session-tree.ts";

/** Characters per token before anything was measured (Claude on code and prose; recorded sessions gave 2.6 to 3.5). */
const FIRST_RATE = 3;

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

type MeasuredEvent = Extract<RequestEvent, { type: "request/measured" }>;

/** How many tokens a text of this session takes. */
export const calibration: Projection<Calibration, MeasuredEvent> = {
	name: "calibration",
	version: 1,
	listens: { "request/measured": true },
	initial: () => ({ model: null, chars: 0, tokens: 0, base: 0, last: null, measured: 0 }),
	apply,
};

/** Characters per token, as far as is known. */
export function charsPerToken(state: Calibration): number {
	const rate = (PRIOR_CHARS + state.chars) / (PRIOR_CHARS / FIRST_RATE + state.tokens);
	return Math.min(8, Math.max(1.2, rate));
}

/** Estimated tokens of content. */
export function tokensOf(state: Calibration, weight: Weight): number {
	return weight.chars / charsPerToken(state) + weight.images * IMAGE_TOKENS;
}

function apply(draft: Draft<Calibration>, { data }: MeasuredEvent): void {
	const prompt = data.input + data.cacheRead + data.cacheWrite;
	if (prompt === 0) return;
	if (draft.model !== null && draft.model !== data.model) {
		draft.chars = 0;
		draft.tokens = 0;
		draft.last = null;
	}
	draft.model = data.model;
	const weight = { chars: data.chars, images: data.images };
	if (data.appended && draft.last) learn(draft, prompt - draft.last.prompt, weight, draft.last.weight);
	draft.last = { prompt, weight };
	draft.base = Math.max(0, prompt - tokensOf(draft, weight));
	draft.measured += 1;
}

function learn(draft: Draft<Calibration>, growth: number, now: Weight, before: Weight): void {
	const chars = now.chars - before.chars;
	if (chars < LEAST_GROWTH || now.images !== before.images) return;
	const rate = chars / growth;
	if (growth <= 0 || rate < 1 || rate > 12) return;
	draft.chars += chars;
	draft.tokens += growth;
}
