import { type CallBlock, documentOf, type RecallDocument } from "../../../projections/recall/document.ts";
import { commonStem } from "../../../projections/recall/inflection.ts";
import type { RecallQuery } from "../../../projections/recall/query.ts";
import { Segment } from "../../../projections/recall/segment.ts";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { foundIn } from "../../engine/segment-search.ts";
import { listRecords } from "./listing.ts";
import { comparable, planOf } from "./plan.ts";
import { type RecallAnswer, type RecallOptions, shownHits, snippetIn } from "./recall.ts";
import { type RecallSearch, searchRecall } from "./search.ts";

/** A session without a store: each pass gives its entries in order again. */
type Entries = AsyncIterable<TranscriptEntry> | Iterable<TranscriptEntry>;

type ScanOptions = Pick<RecallOptions, "scope" | "limit" | "offset">;

/**
 * Searches a session by reading it through, twice: the same words, ranked the same way, as by an index. The branch is the
 * path to the last entry. Of the texts nothing is held but what the words need.
 */
export async function scanRecall(
	entries: Entries,
	query: RecallQuery,
	{ scope, limit, offset = 0 }: ScanOptions,
): Promise<RecallAnswer> {
	const scanned = await scan(entries, query);
	const { segment, holding } = scanned;
	const onPath = scope === "all" ? undefined : scanned.path();
	const source: RecallSource = {
		records: segment.records,
		words: scanned.words,
		find: (space, term, stem) => foundIn(segment, space, term, stem),
	};
	const search: Omit<RecallSearch, "textOf"> = {
		source,
		query,
		allows: (document) =>
			(holding === undefined || holding.has(document)) &&
			(onPath === undefined || onPath.has(segment.records[document]?.id ?? "")),
		limit,
		offset,
		isHeld: true,
	};
	// once to learn whose texts are asked for, and once with these
	const asked = new Set<string>();
	const note = (id: string) => {
		asked.add(id);
		return undefined;
	};
	for (const { id } of searchRecall({ ...search, limit: offset + limit, offset: 0, textOf: note }).hits)
		asked.add(id);
	const documents = await documentsOf(entries, asked);
	const found = searchRecall({ ...search, textOf: (id) => documents.get(id) });
	const hits = found.hits.map((hit) => ({ ...hit, snippet: snippetIn(documents.get(hit.id), query, found) }));
	return { ...found, hits, from: "scan", isComplete: true };
}

/** Lists a session by reading it through: newest first what the filters let through; of a query only these count. */
export async function scanList(
	entries: Entries,
	query: RecallQuery,
	{ scope, limit, offset = 0 }: ScanOptions,
): Promise<RecallAnswer> {
	const parents = new Map<string, string | null>();
	const documents = new Map<string, RecallDocument>();
	let last: string | null = null;
	for await (const { entry, document } of withDocuments(entries)) {
		parents.set(entry.id, entry.parent);
		last = entry.id;
		if (document) documents.set(entry.id, document);
	}
	const onPath = scope === "all" ? undefined : pathTo(last, parents);
	const records = [...documents.values()].map((document) => ({ ...document, words: 0, beginning: 0 }));
	const allows = (document: number) => onPath?.has(records[document]?.id ?? "") ?? true;
	const { hits, total } = listRecords({ records, query, allows, limit, offset });
	const shown = shownHits(hits, (id) => documents.get(id));
	return { hits: shown, total, words: [], from: "scan", isComplete: true };
}

interface Scanned {
	readonly segment: Segment;
	readonly words: number;
	/** documents that hold every phrase; `undefined` where none is looked for */
	readonly holding: ReadonlySet<number> | undefined;
	/** ids on the path to the last entry */
	path(): ReadonlySet<string>;
}

async function scan(entries: Entries, query: RecallQuery): Promise<Scanned> {
	const { phrases } = planOf(query);
	const segment = new Segment(0, 0, wantedBy(query));
	const parents = new Map<string, string | null>();
	const holding = phrases.length > 0 ? new Set<number>() : undefined;
	let last: string | null = null;
	for await (const { entry, document } of withDocuments(entries)) {
		parents.set(entry.id, entry.parent);
		last = entry.id;
		if (!document) continue;
		const { text, thinking } = document;
		if (holding) {
			const whole = comparable(query.thinking ? `${text}\n${thinking}` : text);
			if (phrases.every((phrase) => whole.includes(phrase))) holding.add(segment.records.length);
		}
		for (const _ of segment.add(document));
	}
	let words = 0;
	for (const record of segment.records) words += record.words;
	return { segment, words, holding, path: () => pathTo(last, parents) };
}

function pathTo(leaf: string | null, parents: ReadonlyMap<string, string | null>): Set<string> {
	const ids = new Set<string>();
	for (let id = leaf; id !== null && !ids.has(id); id = parents.get(id) ?? null) ids.add(id);
	return ids;
}

/** Tells of a term whether a search may ask for it. */
export function wantedBy(query: RecallQuery): (term: string) => boolean {
	const { words } = planOf({ ...query, words: [...query.words, ...query.phrases] });
	const units = words.flatMap(({ units }) => units);
	const exact = new Set(units.map(({ term }) => term));
	const stems = units.filter(({ expands }) => expands).map(({ term }) => commonStem(term));
	return (term) => exact.has(term) || stems.some((stem) => term.startsWith(stem));
}

async function documentsOf(entries: Entries, ids: ReadonlySet<string>): Promise<Map<string, RecallDocument>> {
	const found = new Map<string, RecallDocument>();
	if (ids.size === 0) return found;
	for await (const { entry, document } of withDocuments(entries))
		if (document && ids.has(entry.id)) found.set(entry.id, document);
	return found;
}

/** Each entry with its document; results know the call they answer, which stood before them. */
async function* withDocuments(
	entries: Entries,
): AsyncGenerator<{ readonly entry: TranscriptEntry; readonly document: RecallDocument | undefined }> {
	const calls = new Map<string, CallBlock>();
	for await (const entry of entries) {
		for (const block of entry.blocks) if (block.type === "call") calls.set(block.callId, block);
		yield { entry, document: documentOf(entry, calls.get(entry.answers ?? "")) };
	}
}

/** Every entry that holds something to be found, as recall sees it. */
export async function documentsIn(entries: Entries): Promise<RecallDocument[]> {
	const documents: RecallDocument[] = [];
	for await (const { document } of withDocuments(entries)) if (document) documents.push(document);
	return documents;
}
