/** A place of two lists laid side by side: what stands there in one, in the other, or in both. */
export interface AlignedPair {
	readonly a?: number;
	readonly b?: number;
}

/**
 * Lays two lists side by side by what names their items: as many as can stand on one line without any list changing its
 * order, and of what lies between two such lines that of the first before that of the second. Indices into both.
 * O(n log n).
 */
export function aligned(a: readonly string[], b: readonly string[]): AlignedPair[] {
	const inA = new Map(timesNamed(a).map((name, index) => [name, index]));
	const both = timesNamed(b).flatMap((name, index) => {
		const other = inA.get(name);
		return other === undefined ? [] : [{ a: other, b: index }];
	});
	const pairs: AlignedPair[] = [];
	let [nextA, nextB] = [0, 0];
	for (const pair of [...rising(both), { a: a.length, b: b.length }]) {
		for (; nextA < pair.a; nextA++) pairs.push({ a: nextA });
		for (; nextB < pair.b; nextB++) pairs.push({ b: nextB });
		if (pair.a < a.length) pairs.push(pair);
		[nextA, nextB] = [pair.a + 1, pair.b + 1];
	}
	return pairs;
}

/** Names told apart by how often each came before. */
function timesNamed(names: readonly string[]): string[] {
	const times = new Map<string, number>();
	return names.map((name) => {
		const before = times.get(name) ?? 0;
		times.set(name, before + 1);
		return `${before} ${name}`;
	});
}

/** The longest run of pairs, in the order of `b`, whose `a` rises. */
function rising<Pair extends { readonly a: number }>(pairs: readonly Pair[]): Pair[] {
	// the last pair of the best run of each length, and what came before each pair in its run
	const ends: number[] = [];
	const before: number[] = [];
	for (const [index, { a }] of pairs.entries()) {
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((pairs[ends[middle] as number]?.a ?? 0) < a) low = middle + 1;
			else high = middle;
		}
		before.push(ends[low - 1] ?? -1);
		ends[low] = index;
	}
	const run: Pair[] = [];
	for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number)
		run.push(pairs[index] as Pair);
	return run.reverse();
}
