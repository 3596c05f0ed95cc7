import type { RecallRecord } from "../../../projections/recall/segment.ts";
import type { RecallAnswer } from "../../debug/recall/recall.ts";
import type { RecallRequest } from "../../debug/recall/request.ts";
import { scanList, scanRecall } from "../../debug/recall/scan.ts";
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
	const { action, query } = request;
	const options = { ...reach, ...placeOf(request) };
	const answer = await (action === "list" ? recall.list(query, options) : recall.search(query, options));
	return { ...shown(answer), from: answer.isComplete ? "index" : "indexing" };
}

async function scanned(
	{ session, engine }: RecallSession,
	request: RecallRequest,
	reach: RecallReach,
): Promise<Hits> {
	const { query } = request;
	const place = placeOf(request);
	const isGone = goneBy(engine);
	const isWithin = ({ id }: { readonly id: string }) => id !== reach.except && !isGone(id);
	const entries = readThrough(entriesWithin(session, reach).filter(isWithin));
	const scan = request.action === "list" ? scanList : scanRecall;
	// what is out of reach was left out already
	return { ...shown(await scan(entries, query, { scope: "all", ...place })), from: "scan" };
}

function shown({ hits, total }: RecallAnswer): Pick<Hits, "hits" | "total"> {
	return { hits: hits.map(({ snippet, ...hit }) => ({ ...hit, text: snippet })), total };
}

function placeOf({ page, limit }: RecallRequest): { readonly limit: number; readonly offset: number } {
	return { limit, offset: (page - 1) * limit };
}
