import type { Timeline } from "../../../debug/timeline.ts";
import { usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";
import { placeOf } from "./use-timeline.ts";

/** What a request came to. Sizes are tokens. */
export interface Figures {
	readonly tokens: number;
	readonly budget: number;
	/** since the first request, this one included, in the unit of the timeline */
	readonly spent: number;
	readonly unit: Timeline["unit"];
	/** before each of them: nothing, or that they are of a request near by */
	readonly about: "" | "≈ ";
}

/**
 * The figures of a request. Where a place of the timeline stands for several requests, those of the one are asked for;
 * until they come, those of the place.
 */
export function useFigures(request: number): Figures | undefined {
	const timeline = usePage((state) => state.timeline);
	const there = timeline && figuresOf(timeline, request);
	const isNear = there !== undefined && there.about !== "";
	const { value: alone } = useAnswer<Timeline>(
		isNear ? `/api/timeline?from=${request}&to=${request}` : undefined,
	);
	const exact = isNear && alone ? figuresOf(alone, request) : undefined;
	return exact?.about === "" ? exact : there;
}

function figuresOf(timeline: Timeline, request: number): Figures | undefined {
	const place = placeOf(timeline, request);
	const { tokens, budget, spent, unit } = timeline;
	if (request < 1 || place < 0) return undefined;
	return {
		tokens: tokens[place] ?? 0,
		budget: budget[place] ?? 0,
		spent: spent[place] ?? 0,
		unit,
		about: timeline.request[place] === request ? "" : "≈ ",
	};
}
