/** A document that may be told, and how good it is. */
export interface Candidate {
	readonly document: number;
	readonly score: number;
}

/** How many candidates are picked at first, and how many times more each time these do not do. */
const FIRST = 32;
const MORE = 8;

/**
 * Documents in the order of their scores, the best first, newer ones before older ones that are as good: as many as
 * `documents`, whose scores stand in the same places. Picked and sorted only as far as they are asked for.
 */
export function* inOrder(documents: ArrayLike<number>, scores: ArrayLike<number>): Generator<Candidate> {
	let last: Candidate | undefined;
	for (let told = 0, wanted = FIRST; told < documents.length; wanted *= MORE) {
		const best = bestOf(documents, scores, wanted, last);
		if (best.length === 0) return;
		yield* best;
		told += best.length;
		last = best.at(-1);
	}
}

function order(a: Candidate, b: Candidate): number {
	return b.score - a.score || b.document - a.document;
}

/** The best behind `last`: kept in a list that is sorted and cut whenever it has grown to twice what is wanted. */
function bestOf(
	documents: ArrayLike<number>,
	scores: ArrayLike<number>,
	wanted: number,
	last: Candidate = { document: Number.POSITIVE_INFINITY, score: Number.POSITIVE_INFINITY },
): Candidate[] {
	let best: Candidate[] = [];
	let least = Number.NEGATIVE_INFINITY;
	for (let at = 0; at < documents.length; at++) {
		const score = scores[at] as number;
		if (score < least || score > last.score) continue;
		const candidate = { document: documents[at] as number, score };
		if (order(last, candidate) >= 0) continue;
		best.push(candidate);
		if (best.length < 2 * wanted) continue;
		best = best.sort(order).slice(0, wanted);
		least = best.at(-1)?.score ?? least;
	}
	return best.sort(order).slice(0, wanted);
}
