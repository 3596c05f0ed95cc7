import { expect, test } from "vitest";
import type { RequestEvent } from "../../events/request.ts";
import { calibration, charsPerToken, tokensOf } from "../../projections/calibration.ts";
import { replayInto } from "../../projections/projection.ts";
import { BREAKPOINT } from "../debug/recordings.ts";

type Event = Parameters<typeof calibration.apply>[1];

function after(...events: readonly Event[]) {
	const state = calibration.initial();
	replayInto(
		calibration,
		state,
		events.map((event, position) => ({ event, position, at: 0 })),
	);
	return state;
}

const priced = (model: string): Event => ({ type: "valuation/changed", data: { ...BREAKPOINT, model } });

function measured(model: string, input: number, chars: number, appended = true): Event {
	const usage = { input, output: 0, cacheRead: 0, cacheWrite: 0 };
	const data: Extract<RequestEvent, { type: "request/measured" }>["data"] = {
		...usage,
		...{ request: 1, reply: "r", model, chars, images: 0, appended },
	};
	return { type: "request/measured", data };
}

test("before anything was measured a model goes by its family's rate", () => {
	expect(charsPerToken(after())).toBe(3);
	expect(charsPerToken(after(priced("anthropic/claude-opus-4-5")))).toBe(3);
	expect(charsPerToken(after(priced("zai/glm-5.2")))).toBeCloseTo(3.2);
	expect(charsPerToken(after(priced("openai/gpt-5.5")))).toBeCloseTo(3.5);
	expect(charsPerToken(after(priced("somebody/else")))).toBe(3);
});

test("growth between two measured prompts moves the rate, and what is left over is the base", () => {
	const state = after(measured("m", 1_500, 1_000), measured("m", 101_500, 201_000));
	expect(charsPerToken(state)).toBeCloseTo((20_000 + 200_000) / (20_000 / 3 + 100_000));
	expect(state.base).toBeCloseTo(101_500 - tokensOf(state, { chars: 201_000, images: 0 }));
});

test("a window that did not just grow, or grew by next to nothing, teaches nothing", () => {
	expect(charsPerToken(after(measured("m", 1_000, 1_000), measured("m", 90_000, 200_000, false)))).toBe(3);
	expect(charsPerToken(after(measured("m", 1_000, 1_000), measured("m", 1_300, 1_399)))).toBe(3);
});

test("another model begins with its own rate", () => {
	const state = after(measured("m", 1_500, 1_000), measured("m", 101_500, 201_000), priced("zai/glm-5.2"));
	expect(charsPerToken(state)).toBeCloseTo(3.2);
});
