import type { Parameters } from "fast-check";

/**
 * How many walks are gone: so many, always the same. With PALIMPSEST_SLOW set, that many times more, and others every
 * time; fast-check tells the seed of one that fails. A walk is not shortened: that takes minutes.
 */
export function runs(numRuns: number, seed = 20_261_130): Parameters<unknown> {
	const slower = Number(process.env.PALIMPSEST_SLOW ?? 0);
	return {
		numRuns: numRuns * Math.max(1, slower),
		endOnFailure: true,
		...(slower === 0 && { seed }),
	};
}
