import type { RecallDocument } from "../../../projections/recall/document.ts";
import { parseQuery } from "../../../projections/recall/query.ts";
import { Segment } from "../../../projections/recall/segment.ts";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import type { RecallSource } from "../../engine/recall-index.ts";
import { foundIn } from "../../engine/segment-search.ts";
import type { TrajectoryRequest } from "../trajectory.ts";
import { naturalQuestions } from "./natural.ts";
import { PlainSearch } from "./plain-search.ts";
import { planted } from "./planted/planted.ts";
import { documentsIn } from "./scan.ts";
import { searchRecall } from "./search.ts";

/** How well what was asked for was found. */
export interface RecallScore {
	/** mean share of what answers a question that stood among the first five; `null` where nothing was asked */
	readonly r5: number | null;
	/** the same of a search by bare words, {@link PlainSearch} */
	readonly plain: number | null;
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

/**
 * Measures how well a session can be searched, given its entries and what the model saw at each of its requests. What is
 * planted is searched among all entries. Of a natural question only entries on the request's path that are older than
 * it are searched, and what stood in its window is no answer. Another `seed` plants other texts.
 */
export async function evaluateRecall(
	entries: readonly TranscriptEntry[],
	trajectory: readonly TrajectoryRequest[],
	{
		onMissed = () => {},
		seed,
	}: { readonly onMissed?: (missed: Missed) => void; readonly seed?: number } = {},
): Promise<RecallEvaluation> {
	const documents = await documentsIn(entries);
	const { documents: needles, queries } = planted(seed);
	const kinds = new Map<string, Tally>();
	const all = new Tally();
	const natural = new Tally();
	const ask = (searched: Searched, { query, wanted, allows }: Question, tallies: readonly Tally[]) => {
		const got = searched.first(query, allows);
		const shareOf = (ids: readonly string[]) =>
			wanted.filter((id) => ids.includes(id)).length / wanted.length;
		const share = shareOf(got);
		if (share < 1) onMissed({ query, wanted, got });
		const plain = shareOf(searched.plain.first(query, FIRST, allows));
		for (const tally of tallies) tally.add(share, plain);
	};
	const among = searched(spread(documents, needles));
	for (const { asks, query, needle } of queries) {
		const kind = kinds.get(asks) ?? new Tally();
		kinds.set(asks, kind);
		ask(among, { query, wanted: [needle] }, [all, kind]);
	}
	const alone = searched(documents);
	for (const { name, older, wanted } of naturalQuestions(trajectory, documents))
		ask(alone, { query: name, wanted, allows: (id) => older.has(id) }, [natural]);
	const byKind = Object.fromEntries([...kinds].map(([kind, tally]) => [kind, tally.score]));
	return {
		planted: { ...all.score, byKind },
		natural: natural.score,
		queries: all.count + natural.count,
	};
}

interface Question {
	readonly query: string;
	readonly wanted: readonly string[];
	readonly allows?: (id: string) => boolean;
}

class Tally {
	count = 0;
	#sum = 0;
	#plain = 0;

	add(share: number, plain: number): void {
		this.count += 1;
		this.#sum += share;
		this.#plain += plain;
	}

	get score(): RecallScore {
		const mean = (sum: number) => (this.count === 0 ? null : sum / this.count);
		return { r5: mean(this.#sum), plain: mean(this.#plain), queries: this.count };
	}
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

/** Documents that can be searched. */
interface Searched {
	/** ids of the first hits */
	first(query: string, allows?: (id: string) => boolean): string[];
	readonly plain: PlainSearch;
}

function searched(documents: readonly RecallDocument[]): Searched {
	const segment = new Segment(0, 0);
	for (const document of documents) for (const _ of segment.add(document));
	const { records } = segment;
	const source: RecallSource = {
		records,
		words: records.reduce((sum, { words }) => sum + words, 0),
		find: (space, term, stem) => foundIn(segment, space, term, stem),
	};
	const byId = new Map(documents.map((document) => [document.id, document]));
	const first: Searched["first"] = (query, allows = () => true) =>
		searchRecall({
			source,
			query: parseQuery(query),
			limit: FIRST,
			textOf: (id) => byId.get(id),
			allows: (document) => allows(records[document]?.id ?? ""),
		}).hits.map(({ id }) => id);
	return { first, plain: new PlainSearch(documents) };
}
