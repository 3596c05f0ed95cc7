import type { NameFacts } from "./facts.ts";
import type { Place } from "./sources.ts";

/**
 * Steps of a quarter of a doubling of what a name is worth. From how often names used after their entries were hidden
 * had stood in each place, against all names, in seven recorded sessions; rounded to what held in most of them. Weights
 * fitted by regression to four of them kept 0.56 in the other three, where a guess by hand kept 0.70.
 */
const PLACE: { readonly [place in Place]: number } = {
	path: 10,
	said: 4,
	command: 3,
	thought: 2,
	asked: 2,
	written: 1,
	replaced: 0,
	argument: -1,
	failure: -1,
	output: -1,
	noted: -3,
};

/** The first form that fits a name counts: absolute paths come back, numbers and hashes do not. */
const FORMS: readonly (readonly [form: RegExp, steps: number])[] = [
	[/^[/~]/, 3],
	[/^\.\.?\//, -1],
	[/^v?[\d.]+$/, -5],
	[/^(?=.*\d)[\da-f]{7,}$/, -6],
	[/^https?:/, 0],
	[/\.[A-Za-z]{1,5}\d?$/, 2],
	[/[\s/-]|^[a-z]+$/, -1],
];
/** A path that names a file. */
const LISTED = /\/.*\.[A-Za-z]{1,5}\d?$/;
/** Shorter names are common words, characters. */
const SHORT = 8;
/** A name that meets nothing else, in steps. */
const BASE = 20;

/** What keeping a name is worth, in steps. */
export function salience({ name, places, times, sources, shared, listed }: NameFacts): number {
	let steps = BASE + (FORMS.find(([form]) => form.test(name))?.[1] ?? 0);
	for (const place of places) steps += PLACE[place];
	if (name.length < SHORT) steps -= 3;
	if (times === 1) steps -= 2;
	if (times > 4) steps += 1;
	if (sources > 1) steps += 2;
	if (shared) steps += 1;
	if (listed && LISTED.test(name)) steps += 5;
	return steps;
}

/** Sixteenths of a doubling's four steps: no power function, whose last digit differs between machines. */
const QUARTERS = [16, 19, 23, 27] as const;

/** The weight of so many steps: doubles every four. A positive integer. */
export function weightOf(steps: number): number {
	const bounded = Math.max(0, Math.min(60, steps));
	return (QUARTERS[bounded & 3] as number) * (1 << (bounded >> 2));
}
