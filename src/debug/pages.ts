/** Which rows of a list are wanted. */
export interface PageOf {
	/** rows to pass over */
	readonly offset: number;
	/** at most so many */
	readonly limit: number;
}

/** A page: as many rows as are wanted and fit, and what is left out. */
export interface Page<Row> {
	readonly rows: readonly Row[];
	readonly total: number;
	/** where the next page begins; absent on the last */
	readonly next?: number;
}

/** Most bytes of a page's JSON, as in pi-fold. */
export const PAGE_BYTES = 24_000;

/** Cuts a page out of a list so that its rows take at most `bytes` of JSON; at least one row is on it. O(rows). */
export function pageOf<Row>(all: readonly Row[], { offset, limit }: PageOf, bytes: number): Page<Row> {
	const rows: Row[] = [];
	let left = bytes;
	for (const row of all.slice(offset, offset + limit)) {
		left -= new TextEncoder().encode(JSON.stringify(row)).length + 1;
		if (left < 0 && rows.length > 0) break;
		rows.push(row);
	}
	const next = offset + rows.length;
	return { rows, total: all.length, ...(next < all.length && { next }) };
}
