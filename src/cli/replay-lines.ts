import { SUMMARY_CHARS } from "../../projections/host-alone/compaction.ts";
import { IMPOSSIBLE_USAGE } from "../adapters/sessions/pi/entry.ts";
import { type Comparison, POLICIES, type PolicyName } from "../debug/compare.ts";
import { byteSize, compact, count, percent, whole } from "../debug/numbers.ts";
import { invalidWindows, type ReplayOutcome } from "./replay-json.ts";
import { tableLines, wrapped } from "./table.ts";

/** What `replay` tells a person, within so many columns. */
export function replayLines(outcome: ReplayOutcome, columns = 100): string[] {
	const { file, replayed, comparison } = outcome;
	const { requests, entries, policy, commits, floorTokens, budgetTokens } = replayed;
	const text = [
		`${file.id} (${file.format}): ${count(requests, "request")}, ${count(entries, "entry")}, ${replayed.model ?? "no model"}`,
		`${policy}: ${count(commits, "commit")}, ${whole(Math.round(floorTokens))} of ${whole(budgetTokens)} tokens stay raw`,
	];
	const lines = text.flatMap((line) => wrapped(line, columns));
	if (comparison && requests > 0) lines.push("", ...policyLines(comparison, columns));
	const notes = [
		...assumptions(outcome),
		...(comparison && requests > 0 ? findings(comparison) : []),
		...checks(outcome),
	];
	lines.push("", ...notes.flatMap((line) => wrapped(line, columns, " ".repeat(10))));
	lines.push(`head      ${replayed.head.hash}`, `store     ${outcome.directory}`);
	return lines;
}

/** Columns of the table of policies that go where there is no room for all, the least important first. */
const SPARED = ["output", "cached", "fresh", "mean", "×pi-fold", "peak", "commits"];

/** A table without the columns there is no room for. */
function fitted(heads: readonly string[], rows: readonly (readonly string[])[], columns: number): string[] {
	const left = new Set(heads);
	const keep = (cells: readonly string[]) => cells.filter((_, index) => left.has(heads[index] as string));
	let lines = tableLines(heads, rows);
	for (const spared of SPARED) {
		if (lines.every(({ length }) => length <= columns)) break;
		left.delete(spared);
		lines = tableLines(keep(heads), rows.map(keep));
	}
	return lines;
}

function policyLines({ policies, unit, frontier }: Comparison, columns: number): string[] {
	const cost = (value: number) => (unit === "usd" ? `$${value.toFixed(2)}` : compact(value));
	const against = (value: number, name: PolicyName) => {
		const base = policies[name].usd;
		return base > 0 ? (value / base).toFixed(2) : "-";
	};
	const rows = POLICIES.map((name) => {
		const row = policies[name];
		return [
			name,
			cost(row.usd),
			against(row.usd, "host"),
			against(row.usd, "pi-fold"),
			compact(row.freshTokens),
			compact(row.cachedTokens),
			compact(row.outputTokens),
			whole(row.commits),
			compact(row.peakTokens),
			compact(row.meanTokens),
			whole(row.hiddenNeeds),
			whole(row.unmetNeeds),
		];
	});
	const heads = [
		"policy",
		unit === "usd" ? "cost" : "tokens",
		"×host",
		"×pi-fold",
		"fresh",
		"cached",
		"output",
	];
	const lines = fitted([...heads, "commits", "peak", "mean", "hidden", "unmet"], rows, columns);
	if (frontier.length === 0) return lines;
	const points = frontier.map(({ floorTokens, usd, hiddenNeeds, unmetNeeds }) => [
		compact(floorTokens),
		cost(usd),
		against(usd, "host"),
		whole(hiddenNeeds),
		whole(unmetNeeds),
	]);
	return [...lines, "", ...tableLines(["economic at floor", "cost", "×host", "hidden", "unmet"], points)];
}

function assumptions({ replayed, warming, comparison }: ReplayOutcome): string[] {
	const { pricesAssumed, priceSource, unit } = replayed;
	const prices = priceSource === undefined ? "none, for no request was made" : priceSource;
	const lines = [`prices    ${pricesAssumed ? "ASSUMED; " : ""}${prices}`];
	if (unit === "token") lines.push("unit      no price is known: costs are in input-token equivalents");
	lines.push(`warming   ${warming ? "on: the host is taken to keep idle caches warm, as Pi does" : "off"}`);
	if (comparison && replayed.requests > 0) {
		lines.push(
			`host      each of its summaries is taken to have ${whole(SUMMARY_CHARS)} characters (the mean of four recorded) and to name nothing of what it hid (recorded ones named 0 of 12)`,
		);
		if (!comparison.optimumExact) lines.push("optimum   a lower bound: the session has branches");
	}
	return lines;
}

function findings({ policies, pessimistic, calibration, retention, unit }: Comparison): string[] {
	const lines: string[] = [];
	const host = pessimistic.host.usd;
	const worst =
		unit === "usd" ? `$${pessimistic.economic.usd.toFixed(2)}` : compact(pessimistic.economic.usd);
	const ratio = host > 0 ? `, ${(pessimistic.economic.usd / host).toFixed(2)} × host` : "";
	const plain =
		policies.host.usd > 0 ? ` instead of ${(policies.economic.usd / policies.host.usd).toFixed(2)}` : "";
	lines.push(
		`check     were every commit to lose the whole cache, economic would cost ${worst}${ratio}${plain}`,
	);
	lines.push(
		calibration.medianError === null
			? "check     no recorded request tells what a cache served"
			: `check     recorded cache reads are predicted within ${percent(calibration.medianError)} (${calibration.requests === 1 ? "1 request" : `median of ${whole(calibration.requests)} requests`})`,
	);
	const { truncation } = retention;
	if (retention.needs === 0)
		return [...lines, "briefs    no reply used a name that stood only in hidden entries"];
	const pairs =
		retention.pairs === 0 ? "there were no pairs" : `${percent(retention.paired)} of pairs together`;
	lines.push(
		`briefs    of the names used again, ${percent(retention.kept)} stood in view (${percent(retention.attributed)} with what they came from, ${pairs}) in ${compact(retention.chars)} characters; truncation keeps ${percent(truncation.kept)} in ${compact(truncation.chars)}`,
	);
	return lines;
}

/** Lines named at most. */
const NAMED = 20;

function checks({ report, replayed, restored }: ReplayOutcome): string[] {
	const { checked, overBudget, faults } = replayed.windows;
	const invalid = invalidWindows(faults);
	const lines = [`windows   ${whole(checked)} checked, ${whole(invalid)} invalid`];
	if (overBudget > 0) {
		const are = overBudget === 1 ? "window holds" : "windows hold";
		lines.push(`budget    ${whole(overBudget)} ${are} more tokens than the budget allows`);
	}
	for (const { request, invariant, what, id } of faults.slice(0, NAMED)) {
		lines.push(
			`          #${request} breaks invariant ${invariant}: ${what}${id === undefined ? "" : ` (${id})`}`,
		);
	}
	const clipped =
		restored.clipped === 0
			? ""
			: `, ${whole(restored.clippedExact)} of ${whole(restored.clipped)} clipped results`;
	lines.push(
		`restored  ${whole(restored.exact)} of ${whole(restored.folds)} folds${clipped}, byte for byte: ${whole(restored.entries)} entries, ${byteSize(restored.bytes)}`,
	);
	lines.push(...brokenLines(report));
	const others = oddities(report);
	if (others.length > 0) lines.push(`file      ${others.join("; ")}`);
	return lines;
}

/** Lines that are not what a line should be: those that gave nothing, and those that gave entries all the same. */
function brokenLines({ quarantined, salvaged }: ReplayOutcome["report"]): string[] {
	const giving = new Set(salvaged.map(({ line }) => line));
	const reasons = new Map<number, string>();
	for (const { line, reason } of quarantined) if (!reasons.has(line)) reasons.set(line, reason);
	const named = (lines: readonly number[]) => {
		const shown = lines.slice(0, NAMED).map((line) => {
			const reason = reasons.get(line);
			return reason === undefined ? String(line) : `${line} (${reason})`;
		});
		return lines.length > NAMED ? `${shown.join(", ")} and ${lines.length - NAMED} more` : shown.join(", ");
	};
	const dead = [...reasons.keys()].filter((line) => !giving.has(line));
	const lines: string[] = [];
	if (dead.length > 0) lines.push(`broken    ${count(dead.length, "line")} gave no entry: ${named(dead)}`);
	if (giving.size > 0) lines.push(`salvaged  whole entries were found on broken lines ${named([...giving])}`);
	return lines;
}

/** What else the reader met, in words. */
function oddities(report: ReplayOutcome["report"]): string[] {
	const { reparented, repeated, extraHeaders, invalidUtf8, unknown, openEnd } = report;
	const found: [number, string][] = [
		[reparented.length, "whose parent is missing, put behind another"],
		[repeated.length, "with the id of an earlier one, renamed"],
	];
	const words = found.filter(([n]) => n > 0).map(([n, what]) => `${count(n, "entry")} ${what}`);
	if (extraHeaders.length > 0) words.push(`${count(extraHeaders.length, "header")} too many`);
	if (invalidUtf8.length > 0) words.push(`${count(invalidUtf8.length, "line")} not in UTF-8`);
	const impossible = unknown.get(IMPOSSIBLE_USAGE) ?? 0;
	if (impossible > 0) words.push(`${count(impossible, "usage")} with impossible figures, taken as absent`);
	const types = [...unknown.keys()].filter((what) => what !== IMPOSSIBLE_USAGE).sort();
	if (types.length > 0) words.push(`unknown to this release: ${types.join(", ")}`);
	if (openEnd) words.push("the last line has no end");
	return words;
}
