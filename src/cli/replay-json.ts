import type { SessionReport } from "../adapters/sessions/pi/report.ts";
import type { SessionFile } from "../adapters/sessions/pi/session.ts";
import type { FileReplayed } from "../adapters/sessions/replay-file.ts";
import type { Restored } from "../adapters/sessions/restored.ts";
import type { Comparison } from "../debug/compare.ts";
import type { Fault } from "../debug/window-check.ts";

/** All that a replay has to tell. */
export interface ReplayOutcome {
	readonly file: SessionFile;
	/** what the reader found */
	readonly report: SessionReport;
	readonly replayed: FileReplayed;
	readonly restored: Restored;
	readonly comparison: Comparison | undefined;
	readonly directory: string;
	readonly warming: boolean;
}

/** Findings listed at most; the counts beside them are whole. */
const LISTED = 100;

/**
 * What `replay --json` prints: counts, tokens, dollars (or input-token equivalents where `unit` says so), hex hashes.
 */
export function replayJson(outcome: ReplayOutcome): object {
	const { file, report, replayed, restored, comparison, directory, warming } = outcome;
	const { head, windows, pricesAssumed, floorTokens, budgetTokens } = replayed;
	return {
		session: file.id,
		format: file.format,
		file: file.path,
		store: directory,
		requests: replayed.requests,
		entries: replayed.entries,
		quarantined: report.quarantined.length,
		quarantinedLines: report.quarantined
			.slice(0, LISTED)
			.map(({ line, bytes, reason }) => ({ line, bytes, reason })),
		salvagedLines: report.salvaged.slice(0, LISTED),
		findings: {
			reparented: report.reparented.length,
			repeatedIds: report.repeated.length,
			extraHeaders: report.extraHeaders.length,
			invalidUtf8: report.invalidUtf8.length,
			unknown: Object.fromEntries(report.unknown),
			openEnd: report.openEnd,
			unlisted: report.unlisted,
		},
		model: replayed.model ?? null,
		policy: replayed.policy,
		unit: replayed.unit,
		pricesAssumed,
		prices: replayed.priceSource ?? null,
		warming,
		floorTokens,
		budgetTokens,
		events: replayed.events,
		commits: replayed.commits,
		head: head.hash,
		windows: {
			checked: windows.checked,
			invalid: invalidWindows(windows.faults),
			overBudget: windows.overBudget,
			faults: windows.faults.slice(0, LISTED),
		},
		restored,
		...comparison,
	};
}

/** How many requests had a window with a fault. */
export function invalidWindows(faults: readonly Fault[]): number {
	return new Set(faults.map(({ request }) => request)).size;
}
