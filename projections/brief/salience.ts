import type { Place } from "./sources.ts";

/** What a span shows of one name. */
export interface NameFacts {
	readonly name: string;
	readonly places: ReadonlySet<Place>;
	/** occurrences in the span */
	readonly times: number;
	/** calls and speakers it occurs with */
	readonly sources: number;
	/** whether a line declares it: `function x`, `class X`, `const x` */
	readonly declared: boolean;
}

const PLACE: { readonly [place in Place]: number } = {
	path: 8,
	asked: 6,
	said: 6,
	command: 4,
	written: 4,
	argument: 3,
	thought: 3,
	failure: 2,
	replaced: 1,
	output: 0,
};

/** What keeping a name is worth, in steps of a quarter of a doubling. */
export function salience(facts: NameFacts): number {
	let score = 8;
	for (const place of facts.places) score += PLACE[place];
	score += Math.min(facts.times, 6);
	score += 2 * Math.min(facts.sources, 5);
	if (facts.declared) score += 3;
	return score;
}

const STEP = [16, 19, 23, 27] as const;

/** The weight of a salience: doubles every four steps. A positive integer. */
export function weightOf(score: number): number {
	const bounded = Math.max(0, Math.min(60, score));
	return (STEP[bounded & 3] as number) * (1 << (bounded >> 2));
}
