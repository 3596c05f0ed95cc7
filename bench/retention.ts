import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { compare } from "../src/debug/compare.ts";
import type { Retention } from "../src/debug/retention.ts";
import { recordings } from "./recordings.ts";
import { atLeast, atMost, type Row } from "./row.ts";
import { type SummaryRetention, summaryRetention } from "./summary-retention.ts";

/**
 * What the briefs kept of the names used after their entries were hidden, on the trajectory of `economic` over recorded
 * sessions of more than 100 requests, beside briefs by truncation on the same trajectory; and what the work summary at
 * each commit held of them. Rows are sums over sessions.
 */
export async function run(): Promise<readonly Row[]> {
	const pairs: { readonly index: Retention; readonly truncation: Retention }[] = [];
	const summaries: SummaryRetention[] = [];
	for (const recording of await recordings(101)) {
		const compared = await compare({ recording, settings: DEFAULT_SETTINGS, warming: true });
		const { truncation, ...index } = compared.retention;
		pairs.push({ index, truncation });
		const summary = await summaryRetention(recording);
		summaries.push(summary);
		console.log(`${recording.name}\n  index       ${told(index)}\n  truncation  ${told(truncation)}`);
		console.log(`  summary     ${summaryTold(summary)}`);
	}
	const sum = (of: (pair: (typeof pairs)[number]) => number) =>
		pairs.reduce((total, pair) => total + of(pair), 0);
	const against = "names used although hidden";
	const needs = sum(({ index }) => index.needs);
	const share = (name: string, bar: number, of: (kept: Retention) => number) =>
		atLeast(bar, { name, value: sum(({ index }) => of(index)), unit: "names", against, limit: needs });
	return [
		share("kept: some visible text names it", 0.6, ({ kept, needs }) => kept * needs),
		share(
			"attributed: the brief of a fold that holds it does",
			0.55,
			({ attributed, needs }) => attributed * needs,
		),
		atLeast(0.4, {
			name: "paired: two from one line in one item",
			value: sum(({ index }) => index.paired * index.pairs),
			unit: "pairs",
			against: "pairs used in one reply",
			limit: sum(({ index }) => index.pairs),
		}),
		atMost(1, {
			name: "characters of briefs, each once",
			value: sum(({ index }) => index.chars),
			unit: "characters",
			against: "by truncation",
			limit: sum(({ truncation }) => truncation.chars),
		}),
		...summaryRows(summaries),
	];
}

function summaryRows(summaries: readonly SummaryRetention[]): Row[] {
	const sum = (of: (summary: SummaryRetention) => number) =>
		summaries.reduce((total, summary) => total + of(summary), 0);
	const held = sum((summary) => summary.held);
	return [
		atLeast(0.04, {
			name: "work summary at each commit: it names it",
			value: held,
			unit: "names",
			against: "names used although hidden",
			limit: sum(({ needs }) => needs),
		}),
		atLeast(3, {
			name: "the same",
			value: held,
			unit: "names",
			against: "by as many first characters of what the user said",
			limit: sum(({ byUser }) => byUser),
		}),
		atMost(1, {
			name: "characters of a work summary, mean",
			value: sum(({ chars }) => chars) / sum((summary) => summary.summaries),
			unit: "characters",
			against: "the usual bound",
			limit: 6000,
		}),
	];
}

function summaryTold({
	needs,
	held,
	byUser,
	together,
	summaries,
	chars,
	slowestMs,
}: SummaryRetention): string {
	return (
		`held ${held} of ${needs}, the user's first words ${byUser}; with what is in view ${together}; ` +
		`${summaries} summaries, ${Math.round(chars / Math.max(1, summaries))} characters each, slowest ${slowestMs.toFixed(1)} ms`
	);
}

function told({ needs, kept, attributed, pairs, paired, chars, meanVisibleChars }: Retention): string {
	const two = (share: number) => share.toFixed(2);
	return (
		`kept ${two(kept)}, attributed ${two(attributed)} of ${needs}; paired ${two(paired)} of ${pairs}; ` +
		`${chars} characters, ${Math.round(meanVisibleChars)} in a window`
	);
}
