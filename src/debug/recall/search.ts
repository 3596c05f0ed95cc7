import type { RecallQuery } from "../../../projections/recall/query.ts";
import type { TermSpace } from "../../../projections/recall/rows.ts";
import type { RecallRecord } from "../../../projections/recall/segment.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { matchesOf } from "./lookup.ts";
import { comparable, type Plan, type PlannedWord, planOf } from "./plan.ts";

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
export async function searchRecall(search: RecallSearch): Promise<RecallFound> {
	const { source, query, limit, offset = 0 } = search;
	const plan = planOf(query);
	const words = plan.words.map(({ typed }) => typed);
	const isAllowed = filterOf(search);
	const ranked =
		plan.words.length > 0 ? await rank(source, plan, query, isAllowed) : listed(search, isAllowed);
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
	best(): Iterable<{ readonly document: number; readonly score: number }>;
}

async function rank(
	source: RecallSource,
	plan: Plan,
	query: RecallQuery,
	isAllowed: (document: number) => boolean,
): Promise<Ranked> {
	const count = source.records.length;
	const spaces: TermSpace[] = query.thinking ? ["t", "h"] : ["t"];
	const scores = new Float64Array(count);
	const cover = new Float64Array(count);
	const required = new Uint8Array(count);
	const seen: number[] = [];
	let most = 0;
	const rarityOf = (frequency: number) => Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
	const found = await Promise.all(
		plan.words.map(async ({ units }) => Promise.all(units.map((unit) => matchesOf(source, unit, spaces)))),
	);
	for (const [index, matches] of found.entries()) {
		const { units } = plan.words[index] as PlannedWord;
		const covered = new Float64Array(count);
		const touched: number[] = [];
		const rarity = Math.max(
			...matches.map(({ frequency }, n) => (units[n]?.weight ?? 0) * rarityOf(frequency)),
		);
		most += rarity;
		for (const [n, { documents, worth, nearness, frequency }] of matches.entries()) {
			const { term, weight, share } = units[n] as PlannedWord["units"][number];
			const isRequired = plan.required.has(term);
			const unitRarity = weight * rarityOf(frequency);
			for (const document of documents) {
				if (covered[document] === 0) touched.push(document);
				scores[document] = (scores[document] as number) + unitRarity * (worth[document] as number);
				const near = share * (nearness[document] as number);
				covered[document] = Math.min(1, (covered[document] as number) + near);
				if (isRequired && nearness[document] === 1) required[document] = (required[document] as number) + 1;
			}
		}
		for (const document of touched) {
			if (cover[document] === 0) seen.push(document);
			cover[document] = (cover[document] as number) + rarity * (covered[document] as number);
		}
	}
	const candidates: { document: number; score: number }[] = [];
	for (const document of seen) {
		if ((required[document] as number) < plan.required.size || !isAllowed(document)) continue;
		const share = (cover[document] as number) / most;
		const isDerived = source.records[document]?.sourceClass === "derived";
		const score = (scores[document] as number) * share * share * (isDerived ? DERIVED : 1);
		candidates.push({ document, score });
	}
	return { total: candidates.length, best: () => inOrder(candidates) };
}

/** Without words: whatever the filters let through, newest first, where one of them is a path. */
function listed({ source, query }: RecallSearch, isAllowed: (document: number) => boolean): Ranked {
	const candidates: { document: number; score: number }[] = [];
	if (query.file === undefined && query.phrases.length === 0) return { total: 0, best: () => [] };
	for (let document = source.records.length - 1; document >= 0; document--)
		if (isAllowed(document)) candidates.push({ document, score: 0 });
	return { total: candidates.length, best: () => candidates };
}

/** Candidates sorted in two stages: few are ever looked at. */
function* inOrder(
	candidates: { document: number; score: number }[],
): Generator<{ document: number; score: number }> {
	const before = (a: { document: number; score: number }, b: typeof a) =>
		b.score - a.score || b.document - a.document;
	if (candidates.length > 4 * FIRST) {
		const scores = Float64Array.from(candidates, ({ score }) => score).sort();
		const least = scores[scores.length - FIRST] as number;
		yield* candidates.filter(({ score }) => score >= least).sort(before);
		yield* candidates.filter(({ score }) => score < least).sort(before);
	} else yield* candidates.sort(before);
}

/** How many candidates are sorted at first. */
const FIRST = 200;

function filterOf({ source, query, allows }: RecallSearch): (document: number) => boolean {
	const { file, kind, tool, role, since, until, sourceClass } = query;
	return (document) => {
		const record = source.records[document] as RecallRecord;
		return (
			(allows === undefined || allows(document)) &&
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
