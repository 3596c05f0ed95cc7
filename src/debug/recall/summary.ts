import type { Evidence } from "../../../projections/work-summary/evidence.ts";
import {
	type EvidenceHit,
	renderWorkSummary,
	type SummaryLimits,
	workSummaryData,
} from "../../../projections/work-summary/render.ts";
import { count } from "../numbers.ts";
import { noRoom, type RawText } from "./raw.ts";

/** The work summary within a budget of characters: as lines, or with `raw` as JSON. Its limits must not go beyond that. */
export function summaryText(
	evidence: readonly Evidence[],
	raw: boolean,
	limits: SummaryLimits,
	budget: number,
): RawText {
	if (!raw) {
		const text = renderWorkSummary(evidence, limits) ?? "the work summary is empty";
		return within(text, budget, "", evidence.length);
	}
	const data = workSummaryData(evidence, limits);
	const text = within(JSON.stringify(data), budget, noRoom(budget), data.evidence.length);
	return { ...text, truncated: text.truncated || data.omitted > 0 };
}

/** Pieces of evidence on a page. */
interface EvidencePage {
	readonly hits: readonly EvidenceHit[];
	/** of all pages */
	readonly total: number;
	readonly nextPage?: number;
}

/** A page of evidence that was found, as many pieces as have room: a line each, or with `raw` as JSON. */
export function evidenceText({ hits, total, nextPage }: EvidencePage, raw: boolean, budget: number): RawText {
	const where = hits.length > 0 ? "[id]: the entry" : "this page is behind the last";
	const head = total === 0 ? "nothing was found" : `${count(total, "excerpt")} found; ${where}`;
	for (let shown = hits.length; shown >= 0; shown--) {
		const left = hits.slice(0, shown);
		const omitted = hits.length - shown;
		const more = [
			...(omitted > 0 ? [`[${omitted} without room]`] : []),
			...(nextPage === undefined ? [] : [`[more on page ${nextPage}]`]),
		];
		const text = raw
			? JSON.stringify({ evidence: left, omitted })
			: [head, ...left.map(lineOf), ...more].join("\n");
		if (text.length <= budget) return { text, count: shown, truncated: omitted > 0 };
	}
	return within(head, raw ? -1 : budget, raw ? noRoom(budget) : "", 0);
}

function within(text: string, budget: number, otherwise: string, count: number): RawText {
	if (text.length <= budget) return { text, count, truncated: false };
	return { text: otherwise, count: 0, truncated: true };
}

function lineOf({ entryId, category, excerpt, exitCode, goneSince, counts }: EvidenceHit): string {
	const counted = counts
		? ` → ${[
				...(counts.passed === undefined ? [] : [`${counts.passed} passed`]),
				...(counts.failed === undefined ? [] : [`${counts.failed} failed`]),
			].join(", ")}`
		: "";
	const exit = exitCode === undefined ? "" : ` (exit ${exitCode})`;
	const gone = goneSince === undefined ? "" : ` (gone since ${goneSince})`;
	return `[${entryId}] ${category}: ${excerpt}${counted}${exit}${gone}`;
}
