import type { RecallQuery } from "../../../projections/recall/query.ts";
import type { TermSpace } from "../../../projections/recall/rows.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { matchesOf } from "./lookup.ts";
import { comparable, type Plan, planOf, type Unit } from "./plan.ts";
import { type Scratch, scratchOf } from "./scratch.ts";
import { type Candidate, inOrder } from "./top.ts";

/** What is searched, and how much is wanted. */
export interface RecallSearch {
	readonly source: RecallSource;
	readonly query: RecallQuery;
	/** which documents may be found, by number; all unless given */
	readonly allows?: (document: number) => boolean;
	/** hits wanted */
	readonly limit: number;
	/** hits passed over before the first; 0 unless given */
	readonly offset?: number;
	/** a document's text and thinking, for phrases; `undefined` where it is gone */
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

/** What a text that tells again what stands elsewhere counts beside one that told it first. */
const DERIVED = 0.2;

/** Texts compared with phrases at most; a fourth of a millisecond each at worst. */
const MOST_COMPARED = 300;

/**
 * Searches an index: BM25 over words, their forms and beginnings, exact words first; a document that holds more of the
 * words stands far before one that holds few of them often. Without words or phrases a part of a path finds what names
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
	for (const { document, score } of ranked.best()) {
		if (hits.length === limit || compared === MOST_COMPARED) break;
		const record = source.records[document] as RecallRecord;
		if (begun.has(record.beginning)) continue;
		if (plan.phrases.length > 0) {
			compared += 1;
			if (!holds(search, record.id, plan.phrases)) {
				dropped += 1;
				continue;
			}
		}
		begun.add(record.beginning);
		if (passed++ >= offset) hits.push({ ...record, score });
	}
	return { hits, total: ranked.total - dropped, words };
}

interface Ranked {
	readonly total: number;
	/** in order, worked out as far as it is asked for */
	best(): Iterable<Candidate>;
}

function rank(
	source: RecallSource,
	plan: Plan,
	query: RecallQuery,
	isAllowed: (document: number) => boolean,
): Ranked {
	const scratch = scratchOf(source);
	const { cover, share, touched, seen } = scratch;
	const spaces: TermSpace[] = query.thinking ? ["t", "h"] : ["t"];
	let total = 0;
	let most = 0;
	for (const { units } of plan.words) {
		let count = 0;
		let rarity = 0;
		for (const unit of units) {
			const matches = matchesOf(source, unit, spaces, scratch);
			const unitRarity = unit.weight * rarityOf(matches.frequency, source.records.length);
			rarity = Math.max(rarity, unitRarity);
			count = addUnit(scratch, unit, { matches: matches.count, unitRarity, plan, count });
		}
		most += rarity;
		for (let at = 0; at < count; at++) {
			const document = touched[at] as number;
			if (cover[document] === 0) seen[total++] = document;
			cover[document] = (cover[document] as number) + rarity * Math.min(1, share[document] as number);
			share[document] = 0;
		}
	}
	const allowed = settle(scratch, plan, { total, most, isAllowed });
	return { total: allowed, best: () => inOrder(seen.subarray(0, allowed), scratch.scores) };
}

/** Adds what was found of a term to the word it is of; tells how many documents hold any of the word now. */
function addUnit(
	{ worth, nearness, share, score, required, found, touched }: Scratch,
	unit: Unit,
	so: { readonly matches: number; readonly unitRarity: number; readonly plan: Plan; readonly count: number },
): number {
	const { matches, unitRarity } = so;
	const isRequired = so.plan.required.has(unit.term);
	const part = unit.share;
	let { count } = so;
	for (let at = 0; at < matches; at++) {
		const document = found[at] as number;
		const near = nearness[document] as number;
		if (share[document] === 0) touched[count++] = document;
		share[document] = (share[document] as number) + part * near;
		score[document] = (score[document] as number) + unitRarity * (worth[document] as number);
		if (isRequired && near === 1) required[document] = (required[document] as number) + 1;
		nearness[document] = 0;
		worth[document] = 0;
	}
	return count;
}

/** Works out what each document seen is worth in all, and leaves of them those that are allowed; tells how many. */
function settle(
	{ score, cover, required, derived, seen, scores }: Scratch,
	plan: Plan,
	so: { readonly total: number; readonly most: number; readonly isAllowed: (document: number) => boolean },
): number {
	const { total, most, isAllowed } = so;
	const needed = plan.required.size;
	let allowed = 0;
	for (let at = 0; at < total; at++) {
		const document = seen[at] as number;
		if ((required[document] as number) >= needed && isAllowed(document)) {
			const covered = (cover[document] as number) / most;
			const weight = covered * covered * (derived[document] === 1 ? DERIVED : 1);
			seen[allowed] = document;
			scores[allowed++] = weight * (score[document] as number);
		}
		score[document] = 0;
		cover[document] = 0;
		required[document] = 0;
	}
	return allowed;
}

/** BM25's measure of how much it says that a document holds a term which so many of all hold. */
function rarityOf(frequency: number, count: number): number {
	return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
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

function holds({ textOf, query }: RecallSearch, id: string, phrases: readonly string[]): boolean {
	const document = textOf(id);
	if (!document) return false;
	const text = comparable(query.thinking ? `${document.text}\n${document.thinking}` : document.text);
	return phrases.every((phrase) => text.includes(phrase));
}
