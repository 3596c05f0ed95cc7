import type { RecallQuery } from "../../../projections/recall/query.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import { filterOf } from "./search.ts";

/** What is to be listed. */
export interface RecallListing {
	/** in the order they were recorded */
	readonly records: readonly RecallRecord[];
	/** its filters; words are no matter here */
	readonly query: RecallQuery;
	/** which documents may be listed, by number; all unless given */
	readonly allows?: ((document: number) => boolean) | undefined;
	readonly limit: number;
	/** records passed over before the first */
	readonly offset: number;
}

/** A page of what was said. */
export interface RecallListed {
	readonly hits: readonly RecallRecord[];
	/** records that the filters let through */
	readonly total: number;
}

/** Lists what the filters let through, newest first. O(records). */
export function listRecords({ records, query, allows, limit, offset }: RecallListing): RecallListed {
	const passes = filterOf({ source: { records }, query, ...(allows && { allows }) });
	const hits: RecallRecord[] = [];
	let total = 0;
	for (let document = records.length - 1; document >= 0; document--) {
		if (!passes(document)) continue;
		if (total >= offset && hits.length < limit) hits.push(records[document] as RecallRecord);
		total += 1;
	}
	return { hits, total };
}
