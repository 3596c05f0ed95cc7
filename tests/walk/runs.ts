import type { Parameters } from "fast-check";

const slower = Number(process.env.PALIMPSEST_SLOW ?? 0);

/** How long walks may take, ms. */
export const LIMIT_MS = 300_000 * Math.max(1, slower);

/**
 * How many walks are gone: so many, always the same. With PALIMPSEST_SLOW set, that many times more, and others every
 * time; fast-check tells the seed of one that fails. A walk is not shortened: that takes minutes.
 */
export function runs(numRuns: number, seed = 20_261_130): Parameters<unknown> {
	return { numRuns: numRuns * Math.max(1, slower), endOnFailure: true, ...(slower === 0 && { seed }) };
}
