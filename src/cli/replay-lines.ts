import { type Comparison, POLICIES, type PolicyName } from "../debug/compare.ts";
import { SUMMARY_CHARS } from "../debug/host.ts";
import { byteSize, compact, count, percent, whole } from "../debug/numbers.ts";
import { invalidWindows, type ReplayOutcome } from "./replay-json.ts";
import { tableLines, wrapped } from "./table.ts";

/** What `replay` tells a person, within 100 columns. */
export function replayLines(outcome: ReplayOutcome): string[] {
	const { file, replayed, comparison } = outcome;
	const { requests, entries, policy, commits, floorTokens, budgetTokens } = replayed;
	const text = [
		`${file.id} (${file.format}): ${count(requests, "request")}, ${count(entries, "entry")}, ${replayed.model ?? "no model"}`,
		`${policy}: ${count(commits, "commit")}, ${whole(Math.round(floorTokens))} of ${whole(budgetTokens)} tokens stay raw`,
	];
	const lines = text.flatMap((line) => wrapped(line));
	if (comparison && requests > 0) lines.push("", ...policyLines(comparison));
	const notes = [
		...assumptions(outcome),
		...(comparison && requests > 0 ? findings(comparison) : []),
		...checks(outcome),
	];
	lines.push("", ...notes.flatMap((line) => wrapped(line, 100, " ".repeat(10))));
	lines.push(`head      ${replayed.head.hash}`, `store     ${outcome.directory}`);
	return lines;
}

function policyLines({ policies, unit, frontier }: Comparison): string[] {
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
	const lines = tableLines([...heads, "commits", "peak", "mean", "hidden", "unmet"], rows);
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
			: `check     recorded cache reads are predicted within ${percent(calibration.medianError)} (median of ${whole(calibration.requests)} requests)`,
	);
	const { truncation } = retention;
	if (retention.needs === 0)
		return [...lines, "briefs    no reply used a name that stood only in hidden entries"];
	lines.push(
		`briefs    of the names used again, ${percent(retention.kept)} stood in view (${percent(retention.attributed)} with what they came from, ${percent(retention.paired)} of pairs together) in ${compact(retention.chars)} characters; truncation keeps ${percent(truncation.kept)} in ${compact(truncation.chars)}`,
	);
	return lines;
}

/** Lines named at most. */
const NAMED = 20;

function checks({ report, replayed, restored }: ReplayOutcome): string[] {
	const { checked, faults } = replayed.windows;
	const invalid = invalidWindows(faults);
	const lines = [`windows   ${whole(checked)} checked, ${whole(invalid)} invalid`];
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
	if (report.quarantined.length > 0) {
		const named = report.quarantined.slice(0, NAMED).map(({ line, reason }) => `${line} (${reason})`);
		const more = report.quarantined.length > NAMED ? ` and ${report.quarantined.length - NAMED} more` : "";
		lines.push(
			`broken    ${count(report.quarantined.length, "line")} gave no entry: ${named.join(", ")}${more}`,
		);
	}
	if (report.salvaged.length > 0) {
		const named = report.salvaged.slice(0, NAMED).map(({ line }) => line);
		lines.push(`salvaged  whole entries were found on broken lines ${named.join(", ")}`);
	}
	const others = oddities(report);
	if (others.length > 0) lines.push(`file      ${others.join("; ")}`);
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
	if (unknown.size > 0) words.push(`unknown to this release: ${[...unknown.keys()].sort().join(", ")}`);
	if (openEnd) words.push("the last line has no end");
	return words;
}
