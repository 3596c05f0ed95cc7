import type { RecallDocument } from "../../../projections/recall/document.ts";
import { parseQuery } from "../../../projections/recall/query.ts";
import { Segment } from "../../../projections/recall/segment.ts";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { foundIn } from "../../engine/segment-search.ts";
import { eachNeed, type Need } from "../needs.ts";
import type { TrajectoryRequest } from "../trajectory.ts";
import { comparable } from "./plan.ts";
import { planted } from "./planted.ts";
import { documentsIn } from "./scan.ts";
import { searchRecall } from "./search.ts";

/** How well what was asked for was found. */
export interface RecallScore {
	/** mean share of what answers a question that stood among the first five; `null` where nothing was asked */
	readonly r5: number | null;
	readonly queries: number;
}

/** How well a session can be searched. */
export interface RecallEvaluation {
	/** texts planted among others worded alike, and asked for in part */
	readonly planted: RecallScore & { readonly byKind: { readonly [kind: string]: RecallScore } };
	/** rare names that a later reply used although they stood in no window any more */
	readonly natural: RecallScore;
	readonly queries: number;
}

/** A question that did not find all that answers it. */
export interface Missed {
	readonly query: string;
	readonly wanted: readonly string[];
	readonly got: readonly string[];
}

/** Hits that count. */
const FIRST = 5;

/** A name that stands in more entries is not rare. */
const RARE = 3;

/** Names asked for at one request at most. */
const PER_REQUEST = 4;

/**
 * Measures how well a session can be searched, given its entries and what the model saw at each of its requests. Of a natural question
 * only entries on the request's path that are older than it are searched, and what stood in its window is no answer.
 */
export async function evaluateRecall(
	entries: readonly TranscriptEntry[],
	trajectory: readonly TrajectoryRequest[],
	onMissed: (missed: Missed) => void = () => {},
): Promise<RecallEvaluation> {
	const documents = await documentsIn(entries);
	const { documents: needles, queries } = planted();
	const source = await sourceOf(spread(documents, needles));
	const firstOf = async (query: string, allows?: (document: number) => boolean) => {
		const search = { source, query: parseQuery(query), limit: FIRST, textOf: () => undefined };
		return searchRecall({ ...search, ...(allows && { allows }) }).hits.map(({ id }) => id);
	};
	const kinds = new Map<string, Tally>();
	const all = new Tally();
	for (const { asks, query, needle } of queries) {
		const got = await firstOf(query);
		const share = got.includes(needle) ? 1 : 0;
		if (share === 0) onMissed({ query, wanted: [needle], got });
		all.add(share);
		kinds.set(asks, (kinds.get(asks) ?? new Tally()).add(share));
	}
	const natural = new Tally();
	for (const { name, older, wanted } of naturalQuestions(trajectory, documents)) {
		const got = await firstOf(name, (document) => older.has(source.records[document]?.id ?? ""));
		const found = wanted.filter((id) => got.includes(id)).length;
		if (found < wanted.length) onMissed({ query: name, wanted, got });
		natural.add(found / wanted.length);
	}
	const byKind = Object.fromEntries([...kinds].map(([kind, tally]) => [kind, tally.score]));
	return {
		planted: { ...all.score, byKind },
		natural: natural.score,
		queries: all.count + natural.count,
	};
}

class Tally {
	count = 0;
	#sum = 0;

	add(share: number): this {
		this.count += 1;
		this.#sum += share;
		return this;
	}

	get score(): RecallScore {
		return { r5: this.count === 0 ? null : this.#sum / this.count, queries: this.count };
	}
}

interface NaturalQuestion {
	readonly name: string;
	/** ids of the entries on the path before the request, and whether its window hid them */
	readonly older: ReadonlyMap<string, boolean>;
	/** ids of the hidden ones that hold the name, capitals or not */
	readonly wanted: readonly string[];
}

/** Rare names that replies used although they stood in no window any more. */
function* naturalQuestions(
	trajectory: readonly TrajectoryRequest[],
	documents: readonly RecallDocument[],
): Generator<NaturalQuestion> {
	const needs: Need[] = [];
	eachNeed(trajectory, (need) => needs.push(need));
	const texts = new Map(documents.map(({ id, text }) => [id, comparable(text)]));
	let request: TrajectoryRequest | undefined;
	let older: ReadonlyMap<string, boolean> = new Map();
	let asked = 0;
	for (const need of needs) {
		if (need.request !== request) {
			request = need.request;
			older = olderThan(request);
			asked = 0;
		}
		const sought = comparable(need.name);
		const holding = [...older.keys()].filter((id) => texts.get(id)?.includes(sought));
		const wanted = holding.filter((id) => older.get(id));
		if (wanted.length === 0 || holding.length > RARE || asked === PER_REQUEST) continue;
		asked += 1;
		yield { name: need.name, older, wanted };
	}
}

function olderThan({ view, upTo }: TrajectoryRequest): Map<string, boolean> {
	const { path, folded, kept } = view;
	return new Map(path.slice(0, upTo).map(({ id }, depth) => [id, depth < folded && !kept.has(id)]));
}

/** Texts put evenly between others. */
function spread(others: readonly RecallDocument[], texts: readonly RecallDocument[]): RecallDocument[] {
	const mixed: RecallDocument[] = [];
	let put = 0;
	for (const [index, other] of others.entries()) {
		mixed.push(other);
		const due = Math.floor(((index + 1) / others.length) * texts.length);
		while (put < due) mixed.push(texts[put++] as RecallDocument);
	}
	return [...mixed, ...texts.slice(put)];
}

async function sourceOf(documents: readonly RecallDocument[]): Promise<RecallSource> {
	const segment = new Segment(0, 0);
	for (const document of documents) for (const _ of segment.add(document));
	let words = 0;
	for (const record of segment.records) words += record.words;
	return {
		records: segment.records,
		words,
		find: (space, term, asPrefix) => foundIn(segment, space, term, asPrefix),
	};
}
