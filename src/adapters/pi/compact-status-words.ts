import { homedir } from "node:os";
import { byteSize, count, decimal, whole } from "../../debug/numbers.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { ConfigInForce } from "./compact-config-file.ts";
import type { CompactStatus, LastCompaction } from "./compact-status.ts";
import { firstRow, row } from "./labelled-rows.ts";
import type { LiveHoldings } from "./live-recall.ts";
import type { Figures } from "./measures.ts";
import { statusCounts } from "./memory-numbers.ts";

/** The text of `/pi-compact-status`, in lines of at most 78 columns, with room in the first for the name said before it. */
export function compactStatusText(status: CompactStatus): string {
	const { inForce, trouble, branch, holdings, memory, last, figures, debug } = status;
	const { summaryMaxChars, recallMaxChars, sessionSummary } = inForce.config;
	const { maxChars, maxEvidence } = sessionSummary;
	return [
		firstRow(headline(status)),
		row("config", sourceWords(inForce)),
		...switchRows(inForce.config),
		row(
			"at most",
			`${whole(summaryMaxChars)} characters in a checkpoint, ${whole(maxChars)} and ${count(maxEvidence, "excerpt")} in its work summary, ${whole(recallMaxChars)} in an answer of recall`,
		),
		...(trouble === undefined ? [] : [row(branch ? "trouble" : "log", trouble)]),
		...(holdings ? [row("log", eventWords(holdings))] : []),
		...(branch ? [row("entries", branchWords(branch))] : []),
		...(holdings ? [row("recall", indexWords(holdings)), row("store", storeWords(holdings))] : []),
		...(branch ? [row("work", workWords(branch.work))] : []),
		row("memory", memoryWords(memory)),
		row("last", lastWords(last)),
		row("here", recallWords(figures)),
		...(debug ? [row("debug", `${shortPath(debug.path)}, lines of session ${debug.session}`)] : []),
		row("", "/fold-status tells of folds; /pi-compact-recall finds what was said"),
	].join("\n");
}

/** What becomes of a compaction that happens. */
function headline({ inForce: { config }, branch }: CompactStatus): string {
	const off = !config.enabled
		? "enabled is false"
		: !config.overrideDefaultCompaction
			? "overrideDefaultCompaction is false"
			: branch?.suspended === "off"
				? "/fold off leaves this session to it"
				: undefined;
	return off === undefined ? "a compaction is a checkpoint, without a model" : `compactions are Pi's: ${off}`;
}

function sourceWords({ from, path, refused }: ConfigInForce): string {
	if (path === undefined) return "the defaults: there is no file";
	if (refused !== undefined) return `the defaults: ${shortPath(path)} cannot be followed: ${refused}`;
	return `${shortPath(path)}, ${from === "project" ? "of this project" : "for every project without one"}`;
}

/** The switches that are in use, by their names in the file. */
function switchRows(config: CompactConfig): string[] {
	const { enabled, overrideDefaultCompaction, sessionSummary, memory, debug } = config;
	const switches = {
		enabled,
		overrideDefaultCompaction,
		"sessionSummary.enabled": sessionSummary.enabled,
		"sessionSummary.inject": sessionSummary.inject,
		"memory.enabled": memory.enabled,
		"memory.pinnedInjection": memory.pinnedInjection,
		"memory.deriveOnCompact": memory.deriveOnCompact,
		debug,
	};
	const named = (wanted: boolean) =>
		Object.entries(switches).flatMap(([name, isOn]) => (isOn === wanted ? [name] : []));
	const [on, off] = [named(true), named(false)];
	return [
		...(on.length > 0 ? [row("on", on.join(", "))] : []),
		...(off.length > 0 ? [row("off", off.join(", "))] : []),
	];
}

function eventWords({ events, byNoun, isComplete }: LiveHoldings): string {
	const nouns = byNoun.map(([noun, n]) => `${noun} ${whole(n)}`).join(", ");
	return `${isComplete ? "" : "at least "}${count(events, "event")}: ${nouns}`;
}

function branchWords({
	entries,
	folds,
	checkpoints,
	summaries,
}: NonNullable<CompactStatus["branch"]>): string {
	return [
		`${whole(entries)} recorded`,
		`${count(folds.here, "fold")} in the window, ${folds.nested} with nesting`,
		`${count(checkpoints, "checkpoint")}`,
		...(summaries > 0 ? [`${whole(summaries)} compacted otherwise`] : []),
	].join("; ");
}

function indexWords({ index, waiting, rows, rowBytes }: LiveHoldings): string {
	const stored = rows === 0 ? "none of it stored yet" : `${count(rows, "row")} of ${byteSize(rowBytes)}`;
	if (!index) return `the index was not asked yet since this session was opened; ${stored}`;
	const { documents, segments } = index;
	const left = waiting === 0 ? "none waiting" : `${whole(waiting)} waiting`;
	const closed = segments === 0 ? "" : `${count(segments, "segment")} closed, `;
	return `${count(documents, "entry")} indexed, ${left}; ${closed}${stored}`;
}

function storeWords({ disk }: LiveHoldings): string {
	return disk ? `${byteSize(disk.bytes)} on disk, ${shortPath(disk.directory)}` : "in memory alone";
}

function workWords({ evidence, chars }: { readonly evidence: number; readonly chars: number }): string {
	const told = chars === 0 ? "no summary of it in a checkpoint" : `a summary of ${whole(chars)} characters`;
	return `${count(evidence, "excerpt")} on this branch, ${told}`;
}

function memoryWords(memory: CompactStatus["memory"]): string {
	if (memory === "off") return "off: memory.enabled is false";
	if (memory === "elsewhere") return "another extension's";
	const { records, suspects, untold, store, troubles } = memory;
	const forged = suspects.filter(({ proof }) => proof === "forged").length;
	const unverified = suspects.length - forged;
	return [
		records.length === 0 ? "nothing is remembered here" : statusCounts(records),
		...(untold > 0 ? [`${whole(untold)} with no room in what the model is told`] : []),
		...(unverified > 0 ? [`${count(unverified, "event")} not proved to be yours`] : []),
		...(forged > 0 ? [`${whole(forged)} forged`] : []),
		`${byteSize(store.bytes)} on disk, ${shortPath(store.directory)}`,
		...troubles,
	].join("; ");
}

function lastWords(last: LastCompaction | undefined): string {
	if (!last) return "nothing was compacted on this branch";
	if (last.is === "summary") return `a summary that is no checkpoint, ${whole(last.chars)} characters`;
	const { window, reason, entries, chars, made } = last;
	const what = `${window} (${reason}): ${count(entries, "entry")} for ${whole(chars)} characters`;
	if (!made) return `${what}, made before this session was opened`;
	const where = made.isMoved ? "cut earlier than Pi would have" : "cut where Pi would have";
	return `${what}, in ${decimal(made.ms)} ms, ${where}`;
}

function recallWords({ recalls: { count: times, ms, longest, failed } }: Figures): string {
	if (times === 0) return "recall was not asked yet since this session was opened";
	const refused = failed === 0 ? "" : `, ${whole(failed)} without an answer`;
	return `recall was asked ${times === 1 ? "once" : `${whole(times)} times`} since this session was opened, ${decimal(ms)} ms in all, ${decimal(longest)} ms the longest${refused}`;
}

/** A path with the user's own folder as `~`. */
function shortPath(path: string): string {
	const home = homedir();
	return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
