import type { RecallQuery } from "../../../projections/recall/query.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { comparable, planOf } from "./plan.ts";
import { type Ranked, rank } from "./rank.ts";
import { lettersOf, toTheLetter } from "./to-the-letter.ts";
import type { Candidate } from "./top.ts";

/** What is searched, and how much is wanted. */
export interface RecallSearch {
	readonly source: RecallSource;
	readonly query: RecallQuery;
	/** which documents may be found, by number; all unless given */
	readonly allows?: (document: number) => boolean;
	/** hits wanted */
	readonly limit: number;
	/** whether what is allowed is known to hold the phrases; `false` unless given */
	readonly isHeld?: boolean;
	/** hits passed over before the first; 0 unless given */
	readonly offset?: number;
	/** a document's text and thinking, for phrases and what is typed to the letter; `undefined` where it is gone */
	readonly textOf: (id: string) => { readonly text: string; readonly thinking: string } | undefined;
}

/** A document that was found. */
export interface RecallHit extends RecallRecord {
	/** the higher the better; of use beside others of one search only */
	readonly score: number;
}

/** What a search found. */
export interface RecallFound {
	/** the best first, of those that begin alike only the best */
	readonly hits: readonly RecallHit[];
	/** documents that match; those that begin alike are counted each */
	readonly total: number;
	/** terms that were looked for, as typed */
	readonly words: readonly string[];
}

/** Texts compared with phrases at most; a fourth of a millisecond each at worst. */
const MOST_COMPARED = 300;

/**
 * Searches an index: BM25 over words, their forms and beginnings, exact words first; a document that holds more of the
 * words stands far before one that holds few of them often. Of the best, those come first that hold what was typed to the
 * letter. Without words or phrases a part of a path finds what names
 * it, newest first; any other filter alone finds nothing.
 */
export function searchRecall(search: RecallSearch): RecallFound {
	const { source, query, limit, offset = 0 } = search;
	const plan = planOf(query);
	const words = plan.words.map(({ typed }) => typed);
	const isAllowed = filterOf(search);
	const ranked = plan.words.length > 0 ? rank(source, plan, query, isAllowed) : listed(search, isAllowed);
	const begun = new Set<number>();
	const hits: RecallHit[] = [];
	let compared = 0;
	let dropped = 0;
	let passed = 0;
	const letters = lettersOf(query);
	const textAt = (document: number) => wordingOf(search, (source.records[document] as RecallRecord).id);
	const best = letters.length === 0 ? ranked.best() : toTheLetter(ranked.best(), letters, textAt);
	for (const { document, score } of best) {
		if (hits.length === limit || compared === MOST_COMPARED) break;
		const record = source.records[document] as RecallRecord;
		if (begun.has(record.beginning)) continue;
		if (plan.phrases.length > 0 && !search.isHeld) {
			compared += 1;
			const text = wordingOf(search, record.id);
			if (text === undefined || !plan.phrases.every((phrase) => text.includes(phrase))) {
				dropped += 1;
				continue;
			}
		}
		begun.add(record.beginning);
		if (passed++ >= offset) hits.push({ ...record, score });
	}
	return { hits, total: ranked.total - dropped, words };
}

/** Without words: whatever the filters let through, newest first, where one of them is a path. */
function listed({ source, query }: RecallSearch, isAllowed: (document: number) => boolean): Ranked {
	const candidates: Candidate[] = [];
	if (query.file === undefined && query.phrases.length === 0) return { total: 0, best: () => [] };
	for (let document = source.records.length - 1; document >= 0; document--)
		if (isAllowed(document)) candidates.push({ document, score: 0 });
	return { total: candidates.length, best: () => candidates };
}

/** Tells by number whether a document is let through by the filters of a query, and may be found. */
export function filterOf({
	source,
	query,
	allows = () => true,
}: Pick<RecallSearch, "query" | "allows"> & {
	readonly source: Pick<RecallSource, "records">;
}): (document: number) => boolean {
	const { file, kind, tool, role, since, until, sourceClass } = query;
	if ([file, kind, tool, role, since, until, sourceClass].every((filter) => filter === undefined))
		return allows;
	return (document) => {
		if (!allows(document)) return false;
		const record = source.records[document] as RecallRecord;
		return (
			(kind === undefined || (record.kinds as readonly string[]).includes(kind)) &&
			(tool === undefined || record.tools.includes(tool)) &&
			(role === undefined || record.role === role) &&
			(since === undefined || record.at >= since) &&
			(until === undefined || record.at <= until) &&
			(sourceClass === undefined || record.sourceClass === sourceClass) &&
			(file === undefined || record.files.some((path) => path.includes(file)))
		);
	};
}

/** What is searched of a document, as phrases are looked for in it. */
function wordingOf({ textOf, query }: RecallSearch, id: string): string | undefined {
	const document = textOf(id);
	if (!document) return undefined;
	return comparable(query.thinking ? `${document.text}\n${document.thinking}` : document.text);
}
