import { listed, type MemoryFilter, type Viewing } from "../../../projections/memory/list.ts";
import type { Memory, MemoryRecord } from "../../../projections/memory/record.ts";
import { type QueryToken, type RecallQuery, tokensOf } from "../../../projections/recall/query.ts";
import { Segment } from "../../../projections/recall/segment.ts";
import { foundIn } from "../../engine/segment-search.ts";
import { comparable, type Plan, planOf } from "../recall/plan.ts";
import { rank } from "../recall/rank.ts";
import { wantedBy } from "../recall/scan.ts";
import { snippetOf } from "../recall/snippet.ts";

/** Longest part of a text that is shown for a record, characters. */
export const EXCERPT_CHARS = 600;

/** What is asked of memory. */
export interface MemorySearch extends MemoryFilter, Viewing {
	/** the memories the session sees; ids are unique over all of them */
	readonly memories: readonly Memory[];
	/** a text by its digest; `undefined` where it is gone */
	readonly textOf: (digest: string) => string | undefined;
	/** words, and phrases in double quotes, as typed; a blank one lists */
	readonly query?: string | undefined;
	readonly limit: number;
	/** hits passed over before the first; 0 unless given */
	readonly offset?: number | undefined;
}

/** A record that was found. */
export interface MemoryHit {
	readonly record: MemoryRecord;
	/** at most {@link EXCERPT_CHARS} characters of its text, around what was found; empty where it is gone */
	readonly excerpt: string;
	/** whether its text goes on */
	readonly isClipped: boolean;
}

/** A page of what was found. */
export interface MemoryFound {
	readonly hits: readonly MemoryHit[];
	/** records that match */
	readonly total: number;
	/** where the next page begins; absent on the last */
	readonly nextOffset?: number;
}

/** What a record's standing may add to how well it matches, at most, in percent. */
const BONUS = { pinned: 4, active: 2, user: 2, model: 1, high: 2, normal: 1 } as const;

/**
 * Finds records by words, their forms and beginnings, and phrases, of any script: the best match first, by the measure of
 * recall; its standing moves a record only among those that match about as well. Resolved and superseded records are
 * found where their status is asked for. Without a query it lists, in the usual order; a query without a word finds
 * nothing, and an id its record. The same memory gives the same answer.
 */
export function searchMemory(search: MemorySearch): MemoryFound {
	const { limit, offset = 0, query = "", memories, textOf } = search;
	const records = listed(memories, search, search);
	if (query.trim() === "")
		return page(records, { limit, offset, show: (text) => clipped(text, [], []) }, textOf);
	const named = records.filter(({ id }) => id === query.trim());
	if (named.length > 0) return page(named, { limit, offset, show: (text) => clipped(text, [], []) }, textOf);
	const asked = queryOf(query);
	const plan = planOf(asked);
	if (plan.words.length === 0) return { hits: [], total: 0 };
	const words = plan.words.map(({ typed }) => typed);
	const show = (text: string) => clipped(text, words, asked.phrases);
	return page(ranked(records, asked, plan, textOf), { limit, offset, show }, textOf);
}

/** Words and phrases; filters are what the caller's own fields are for. */
function queryOf(typed: string): RecallQuery {
	const tokens = tokensOf(typed);
	const isPhrase = ({ key, isQuoted }: QueryToken) => key === undefined && isQuoted;
	return {
		words: tokens.filter((token) => !isPhrase(token)).map(({ typed }) => typed),
		phrases: tokens.filter(isPhrase).flatMap(({ value }) => (value.trim() === "" ? [] : value)),
		thinking: false,
	};
}

function ranked(
	records: readonly MemoryRecord[],
	query: RecallQuery,
	plan: Plan,
	textOf: MemorySearch["textOf"],
): MemoryRecord[] {
	const segment = new Segment(0, 0, wantedBy(query));
	const holding = new Set<number>();
	let words = 0;
	for (const [at, record] of records.entries()) {
		const text = textOf(record.body) ?? "";
		const whole = comparable(text);
		if (plan.phrases.every((phrase) => whole.includes(phrase))) holding.add(at);
		for (const _ of segment.add(documentOf(record, text)));
		words += segment.records[at]?.words ?? 0;
	}
	const source = {
		records: segment.records,
		words,
		find: (...sought: Sought) => foundIn(segment, ...sought),
	};
	// phrases are told by `holding`; their terms count as words
	const loose = planOf({ ...query, words: [...query.words, ...query.phrases], phrases: [] });
	const best = [...rank(source, loose, query, (document) => holding.has(document)).best()];
	return best
		.map(({ document, score }) => ({ document, record: records[document] as MemoryRecord, score }))
		.map((hit) => ({ ...hit, score: hit.score * (100 + bonusOf(hit.record)) }))
		.sort((a, b) => b.score - a.score || a.document - b.document)
		.map(({ record }) => record);
}

type Sought = Parameters<typeof foundIn> extends [segment: unknown, ...rest: infer Rest] ? Rest : never;

function documentOf(record: MemoryRecord, text: string) {
	const { id, updatedAt, files } = record;
	return {
		id,
		at: updatedAt,
		kinds: [],
		tools: [],
		role: "memory",
		sourceClass: "primary" as const,
		files,
		text: [text, ...files].join("\n"),
		thinking: "",
	};
}

function bonusOf({ status, author, priority }: MemoryRecord): number {
	const of = (key: string): number => BONUS[key as keyof typeof BONUS] ?? 0;
	return of(status) + of(author) + of(priority);
}

function page(
	records: readonly MemoryRecord[],
	so: { readonly limit: number; readonly offset: number; readonly show: (text: string) => string },
	textOf: MemorySearch["textOf"],
): MemoryFound {
	const { limit, offset, show } = so;
	const hits = records.slice(offset, offset + limit).map((record) => {
		const text = textOf(record.body) ?? "";
		const excerpt = show(text);
		return { record, excerpt, isClipped: excerpt.length < text.length };
	});
	const next = offset + hits.length;
	const total = records.length;
	return { hits, total, ...(hits.length > 0 && next < total && { nextOffset: next }) };
}

function clipped(text: string, words: readonly string[], phrases: readonly string[]): string {
	return snippetOf(text, words, phrases, EXCERPT_CHARS).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
