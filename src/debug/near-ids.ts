/** Ids shown at most. */
const MOST = 5;

/** Edits between two ids that are still taken for a slip of the hand. */
const MOST_EDITS = 2;

/**
 * The known ids someone may have meant: those that begin with what was typed, then those that contain it, then those
 * one or two edits away; nearest first, ties by code unit.
 */
export function nearest(typed: string, known: Iterable<string>): string[] {
	const ranked: { id: string; rank: number }[] = [];
	for (const id of known) {
		const rank = rankOf(typed, id);
		if (rank !== undefined) ranked.push({ id, rank });
	}
	ranked.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
	return ranked.slice(0, MOST).map(({ id }) => id);
}

function rankOf(typed: string, id: string): number | undefined {
	if (typed.length > 0 && id.startsWith(typed)) return 0;
	if (typed.length > 2 && id.includes(typed)) return 1;
	const edits = editsBetween(typed, id);
	return edits === undefined ? undefined : 1 + edits;
}

/** Levenshtein's distance, or `undefined` where it is more than {@link MOST_EDITS}. */
function editsBetween(a: string, b: string): number | undefined {
	if (Math.abs(a.length - b.length) > MOST_EDITS || a.length > 64) return undefined;
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	const edits = row[b.length] ?? 0;
	return edits <= MOST_EDITS ? edits : undefined;
}
