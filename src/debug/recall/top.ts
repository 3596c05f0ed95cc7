/** A document that may be told, and how good it is. */
export interface Candidate {
	readonly document: number;
	readonly score: number;
}

/** How many candidates are picked before the rest is sorted: more than are ever looked at, mostly. */
const FIRST = 256;

/**
 * Documents in the order of their scores, the best first, newer ones before older ones that are as good. All but the
 * first are sorted only when they are asked for.
 */
export function* inOrder(documents: readonly number[], scores: readonly number[]): Generator<Candidate> {
	const best = bestOf(documents, scores);
	yield* best;
	if (best.length === documents.length) return;
	const told = new Set(best.map(({ document }) => document));
	const rest = documents.map((document, at) => ({ document, score: scores[at] as number }));
	yield* rest.filter(({ document }) => !told.has(document)).sort(order);
}

function order(a: Candidate, b: Candidate): number {
	return b.score - a.score || b.document - a.document;
}

/** The best of many: kept in a list that is sorted and cut whenever it has grown to four times what is wanted. */
function bestOf(documents: readonly number[], scores: readonly number[]): Candidate[] {
	let best: Candidate[] = [];
	let least = Number.NEGATIVE_INFINITY;
	for (let at = 0; at < documents.length; at++) {
		const score = scores[at] as number;
		if (score < least) continue;
		best.push({ document: documents[at] as number, score });
		if (best.length < 4 * FIRST) continue;
		best = best.sort(order).slice(0, FIRST);
		least = best.at(-1)?.score ?? least;
	}
	return best.sort(order).slice(0, documents.length > 4 * FIRST ? FIRST : best.length);
}
