import { wholeIn } from "../../debug/recall/whole-in.ts";
import { among } from "./memory-words.ts";

/** What becomes of a value that a model gave: `undefined` where it cannot be followed. */
export type Taker = (value: unknown) => unknown;

/** A text, or what `otherwise` says where it is none. */
export const aText =
	(otherwise?: string): Taker =>
	(value) =>
		typeof value === "string" ? value : otherwise;

/** Texts: a single one is a list of one. */
export const texts: Taker = (value) => [value].flat().filter((text) => typeof text === "string");

/** One of some words. */
export const oneOfWords =
	(words: readonly string[]): Taker =>
	(value) =>
		among(words, value);

/** A whole number from `least` on, also one that is typed as a text; above `most` it is the most. */
export const aNumber =
	(least: number, most = Number.MAX_SAFE_INTEGER): Taker =>
	(value) => {
		const number = wholeIn(value, { otherwise: -1, least, most });
		return number === -1 ? undefined : number;
	};

/**
 * The arguments of a call that can be followed, by how each is taken: the host refuses a call for one that is wrong, and
 * so the rest are left to their defaults.
 */
export function lenient(takers: { readonly [field: string]: Taker }): (given: unknown) => never {
	return (given) => {
		const fields = (typeof given === "object" && given !== null ? given : {}) as {
			readonly [field: string]: unknown;
		};
		const taken = Object.entries(takers).map(([field, take]) => [field, take(fields[field])]);
		return Object.fromEntries(taken.filter(([, value]) => value !== undefined)) as never;
	};
}
