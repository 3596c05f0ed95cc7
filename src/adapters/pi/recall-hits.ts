import type { RecallRecord } from "../../../projections/recall/segment.ts";
import { clipped, LISTED_CHARS } from "../../debug/recall/blocks.ts";
import { listRecords } from "../../debug/recall/listing.ts";
import type { RecallRequest } from "../../debug/recall/request.ts";
import { documentsIn, scanRecall } from "../../debug/recall/scan.ts";
import type { LiveRecall } from "./live-recall.ts";
import { isDoneWithin } from "./patience.ts";
import { entriesWithin, goneBy, type RecallReach, readThrough } from "./recall-entries.ts";
import type { Had, RecallSession } from "./recall-session.ts";

/** An entry that was found or is listed. */
export interface Hit extends Omit<RecallRecord, "words" | "beginning"> {
	/** what of it is shown */
	readonly text: string;
}

/** How long the disk is waited for by an index, ms; one that is behind answers with what it has in less. */
const INDEX_MS = 5_000;

/** A page of them. */
export interface Hits {
	readonly hits: readonly Hit[];
	readonly total: number;
	readonly from: Had;
}

/**
 * What was found, or is listed: by the index, or where there is none or it cannot be had in time, by reading through.
 */
export async function hitsFor(
	asked: RecallSession,
	request: RecallRequest,
	reach: RecallReach,
): Promise<Hits> {
	const { recall } = asked;
	if (!recall) return scanned(asked, request, reach);
	try {
		const hits = indexed(recall, request, reach);
		if (await isDoneWithin(INDEX_MS, hits, asked.clock)) return await hits;
	} catch {
		// what was said stands in the session all the same, whatever became of the store
	}
	return scanned(asked, request, reach);
}

async function indexed(recall: LiveRecall, request: RecallRequest, reach: RecallReach): Promise<Hits> {
	const options = { ...reach, ...placeOf(request) };
	if (request.action === "list") {
		const { hits, total, isComplete } = await recall.list(request.query, options);
		return {
			hits: hits.map((hit) => ({ ...hit, text: clipped(recall.document(hit.id)?.text ?? "", LISTED_CHARS) })),
			total,
			from: isComplete ? "index" : "indexing",
		};
	}
	const { hits, total, isComplete } = await recall.search(request.query, options);
	return {
		hits: hits.map(({ snippet, ...hit }) => ({ ...hit, text: snippet })),
		total,
		from: isComplete ? "index" : "indexing",
	};
}

async function scanned(
	{ session, engine }: RecallSession,
	request: RecallRequest,
	reach: RecallReach,
): Promise<Hits> {
	const { query } = request;
	const place = placeOf(request);
	const isGone = goneBy(engine);
	const entries = readThrough(entriesWithin(session, reach).filter(({ id }) => !isGone(id)));
	if (request.action === "list") {
		const documents = await documentsIn(entries);
		const records = documents.map((document) => ({ ...document, words: 0, beginning: 0 }));
		const { hits, total } = listRecords({ records, query, ...place });
		const texts = new Map(documents.map(({ id, text }) => [id, text]));
		const shown = hits.map((hit) => ({ ...hit, text: clipped(texts.get(hit.id) ?? "", LISTED_CHARS) }));
		return { hits: shown, total, from: "scan" };
	}
	// what is out of reach was left out already
	const { hits, total } = await scanRecall(entries, query, { scope: "all", ...place });
	return { hits: hits.map(({ snippet, ...hit }) => ({ ...hit, text: snippet })), total, from: "scan" };
}

function placeOf({ page, limit }: RecallRequest): { readonly limit: number; readonly offset: number } {
	return { limit, offset: (page - 1) * limit };
}
