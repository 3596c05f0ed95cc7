import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { MAX_EVIDENCE } from "../../../projections/work-summary/evidence.ts";
import { findEvidence } from "../../../projections/work-summary/find.ts";
import { foldsOver } from "../../debug/fold-rows.ts";
import { count } from "../../debug/numbers.ts";
import { clipped, type RecallBlock, readChars, recallPage } from "../../debug/recall/blocks.ts";
import { type RawText, rawEntries, rawEntry } from "../../debug/recall/raw.ts";
import { RecallError } from "../../debug/recall/recall-error.ts";
import { type RecallRequest, saysNothing } from "../../debug/recall/request.ts";
import { evidenceText, summaryText } from "../../debug/recall/summary.ts";
import { evidenceAt } from "../../engine/work-summary.ts";
import { goneBy, type RecallReach, readEntries, shreddedEntry } from "./recall-entries.ts";
import { type Hit, type Hits, hitsFor } from "./recall-hits.ts";
import type {
	Had,
	RecallConfig,
	RecallDetails,
	RecallEngine,
	RecallResult,
	RecallSession,
} from "./recall-session.ts";

/**
 * Answers what was asked, within a budget of characters and as far as someone may look. Throws a {@link RecallError}
 * where there is nothing to be had by what was asked.
 */
export async function answerRecall(
	asked: RecallSession,
	request: RecallRequest,
	reach: RecallReach,
	{ recallMaxChars: budget, sessionSummary }: RecallConfig,
): Promise<RecallResult> {
	switch (request.action) {
		case "read":
			return read(asked, request, reach, budget);
		case "search":
		case "list":
			return found(asked, request, reach, budget);
		case "summary":
		case "summary_search":
			return summary(asked, request, reach, { budget, sessionSummary });
		default:
			return request.action satisfies never;
	}
}

async function read(
	{ session, engine }: RecallSession,
	{ action, ids, limit, raw, slice, query }: RecallRequest,
	reach: RecallReach,
	budget: number,
): Promise<RecallResult> {
	if (ids.length === 0)
		throw new RecallError("ARGUMENT_MISSING", "read needs entryIds", { action, entryIds: ["<entry>"] });
	const { found: held, unknown } = await readEntries(session, reach, ids);
	const isGone = goneBy(engine);
	const found = held.map((one) => (isGone(one.entry.id) ? shreddedEntry(one) : one));
	if (found.length === 0)
		throw new RecallError(
			"ENTRY_UNKNOWN",
			`no entry ${reach.scope === "all" ? "of this session" : "on this branch"} is called ${unknown.join(" ")}`,
			{ action: "list" },
		);
	const shown = found.slice(0, limit);
	const beyond = found.slice(limit).map(({ entry }) => entry.id);
	const about = { action, from: "entries", total: found.length } as const;
	const [only] = shown;
	if (raw && only && ids.length === 1) {
		const entry = asJson(only.entry);
		if (slice && slice.offset >= entry.json.length)
			throw new RecallError(
				"OFFSET_BEYOND_END",
				`${entry.id} has ${entry.json.length} characters of JSON, counted from 0: ${slice.offset} is behind the last`,
				{ action, entryIds: [entry.id], raw: true, offset: 0 },
			);
		return resultOf(rawEntry(entry, slice, budget), about);
	}
	if (raw)
		return resultOf(
			rawEntries(
				shown.map(({ entry }) => asJson(entry)),
				budget,
				{ ...(unknown.length > 0 && { unknown }), ...(beyond.length > 0 && { beyondLimit: beyond }) },
			),
			about,
		);
	const foldOf = foldsAt(
		engine,
		reach,
		shown.map(({ entry }) => entry.id),
	);
	const texts = shown.map(({ document: { text, thinking } }) =>
		query.thinking && thinking !== "" ? `${text}\n[thinking]\n${thinking}` : text,
	);
	const most = readChars(texts, budget);
	const blocks = shown.map(({ document }, at) => blockOf(document, clipped(texts[at] ?? "", most), foldOf));
	const head = [
		count(found.length, "entry"),
		...(unknown.length > 0 ? [`unknown here: ${unknown.join(" ")}`] : []),
	].join("; ");
	const more = beyond.length > 0 ? `beyond the limit: ${beyond.join(" ")}` : undefined;
	return resultOf(recallPage({ head, more }, blocks, budget), about);
}

function summary(
	{ engine }: RecallSession,
	request: RecallRequest,
	{ leaf }: RecallReach,
	{ budget, sessionSummary }: { readonly budget: number } & Pick<RecallConfig, "sessionSummary">,
): RecallResult {
	const { enabled, maxChars, maxEvidence } = sessionSummary;
	if (!engine || !enabled) {
		const why = enabled ? "this session has no log" : "sessionSummary.enabled is false";
		throw new RecallError("SUMMARY_MISSING", `no work summary is kept: ${why}`, { action: "list" });
	}
	const { action, query, page, raw, limit } = request;
	const evidence = evidenceAt(engine, leaf);
	if (action === "summary")
		return resultOf(
			summaryText(evidence, raw, { maxChars: Math.min(maxChars, budget), maxEvidence }, budget),
			{ action, from: "summary" },
		);
	const all = findEvidence(evidence, [...query.words, ...query.phrases].join(" "), MAX_EVIDENCE);
	const hits = all.slice((page - 1) * limit, page * limit);
	const hasMore = page * limit < all.length;
	const found = { total: all.length, ...(hasMore && { nextPage: page + 1 }) };
	return resultOf(evidenceText({ hits, ...found }, raw, budget), { action, from: "summary", page, ...found });
}

async function found(
	asked: RecallSession,
	request: RecallRequest,
	reach: RecallReach,
	budget: number,
): Promise<RecallResult> {
	const { action, page, raw, limit, query } = request;
	const { hits, total, from } = await hitsFor(asked, request, reach);
	const hasMore = hits.length === limit && page * limit < total;
	const about = { action, from, total, page, ...(hasMore && { nextPage: page + 1 }) };
	const isEmpty = action === "search" && saysNothing(query);
	if (raw && !isEmpty) {
		const entries = hits.flatMap(({ id }) => asked.session.getEntry(id) ?? []).map(asJson);
		const isBehind = page > 1 && hits.length === 0 && total > 0;
		const more = { ...(from !== "index" && { from }), ...(isBehind && { total, behindLastPage: true }) };
		return resultOf(rawEntries(entries, budget, more), about);
	}
	const head = isEmpty
		? "nothing to look for: search needs a word, a phrase or a file; list shows the newest"
		: `${headOf(request, total)}${nothingHere(request, { hits, total })}`;
	const foldOf = foldsAt(
		asked.engine,
		reach,
		hits.map(({ id }) => id),
	);
	const blocks = hits.map(({ text, ...record }) => blockOf(record, text, foldOf));
	const more = hasMore ? `more on page ${page + 1}` : undefined;
	return resultOf(recallPage({ head: `${head}${HAD[from]}`, more }, blocks, budget), about);
}

const HAD: { readonly [H in Had]: string } = {
	index: "",
	entries: "",
	summary: "",
	indexing: "; the index is still being made, so that there may be more: ask again",
	scan: "; this session has no index here, and was read through",
};

function headOf({ action, page }: RecallRequest, total: number): string {
	const where = page > 1 ? `, page ${page}` : "";
	if (action === "list") return `${count(total, "entry")}, newest first${where}`;
	return total === 0 ? "nothing was found" : `${count(total, "entry")} found, best first${where}`;
}

/** Why a page shows nothing, where that can be told. */
function nothingHere({ page }: RecallRequest, { hits, total }: Pick<Hits, "hits" | "total">): string {
	return hits.length === 0 && total > 0 && page > 1 ? ": that is behind the last page" : "";
}

function blockOf(
	{ id, at, kinds, tools, sourceClass, files }: Omit<Hit, "text">,
	text: string,
	foldOf: (id: string) => string | undefined,
): RecallBlock {
	const fold = foldOf(id);
	return { id, at, kinds, tools, sourceClass, files, text, ...(fold !== undefined && { fold }) };
}

/** Tells which fold in the window stands for an entry, one of these. */
function foldsAt(
	engine: RecallEngine | undefined,
	{ leaf }: RecallReach,
	ids: readonly string[],
): (id: string) => string | undefined {
	const folds = engine && foldsOver(engine.states, leaf, ids);
	return (id) => folds?.get(id);
}

function asJson(entry: SessionEntry): { readonly id: string; readonly json: string } {
	return { id: entry.id, json: JSON.stringify(entry) };
}

function resultOf(
	{ text, ...shown }: Pick<RawText, "text" | "count" | "truncated" | "nextOffset">,
	about: Omit<RecallDetails, "source" | "count" | "chars" | "truncated">,
): RecallResult {
	return { text, details: { source: "session-entries", ...about, ...shown, chars: text.length } };
}
