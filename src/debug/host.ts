import { pricesFor } from "../commands/price.ts";
import { type Bill, type CacheModel, requestPrice } from "./bill.ts";
import { isOnPath, type SizedEntry } from "./sizes.ts";
import type { Trace, TraceRequest } from "./trace.ts";
import type { TrajectoryRequest } from "./trajectory.ts";
import { trajectory } from "./trajectory-of.ts";
import { refreshesBetween, refreshPrice } from "./warming.ts";

/** Pi 1.6 compacts above window − 16,384 tokens and keeps the newest 20,000, counted at four characters each. */
const RESERVE_TOKENS = 16_384;
const KEEP_CHARS = 20_000 * 4;

/** Pi shows its summariser at most so many characters of a tool result. */
const SUMMARISED_RESULT_CHARS = 2_000;

/** Mean size of the four summaries in recorded sessions (3,649 to 4,712 characters). */
export const SUMMARY_CHARS = 4_300;

/** What the host's own compaction makes of a recording. */
export interface HostRun {
	readonly bill: Bill;
	/** with no summary text: of 12 names that recorded compactions hid and replies then used, their summaries held none */
	readonly trajectory: readonly TrajectoryRequest[];
}

interface Compaction {
	/** last entry that left the window */
	readonly dropped: SizedEntry;
	readonly request: TraceRequest;
}

/** Runs a recording under the host's threshold compaction, with one billed summary call each. */
export function hostRun(trace: Trace, model: CacheModel): HostRun {
	const made: Compaction[] = [];
	const commits: (Compaction | undefined)[] = [];
	const sums = { usd: 0, warmUsd: 0, fresh: 0, cached: 0, output: 0, peak: 0 };
	let previous: { request: TraceRequest; tokens: number; compaction: Compaction | undefined } | undefined;
	for (const request of trace.requests) {
		const { valuation, leaf, reply } = request;
		let compaction = made.findLast((one) => one.request === request || isOnPath(one.request.replied, leaf));
		if (windowUnder(trace, compaction, leaf) > valuation.window - RESERVE_TOKENS) {
			const dropped = lastDropped(trace, leaf);
			if (dropped && dropped.depth > (compaction?.dropped.depth ?? -1)) {
				const input = summaryInput(trace, compaction, dropped);
				const prices = pricesFor(valuation, input);
				const output = trace.sizes.ofText(SUMMARY_CHARS);
				sums.usd += (input * prices.input + output * prices.output) / 1e6;
				sums.fresh += input;
				sums.output += output;
				compaction = { dropped, request };
				made.push(compaction);
			}
		}
		const tokens = windowUnder(trace, compaction, leaf);
		let served = 0;
		if (previous) {
			const { request: last, tokens: lastTokens } = previous;
			const refreshes = model.warming
				? refreshesBetween(last.valuation, lastTokens, last.at, request.at)
				: [];
			const warm = refreshes.length * refreshPrice(last.valuation, lastTokens);
			sums.usd += warm;
			sums.warmUsd += warm;
			const idle = Math.max(0, request.at - (refreshes.at(-1) ?? last.at));
			const alive = last.valuation.model === valuation.model && idle <= valuation.lifetimeMs;
			const extended = previous.compaction === compaction && isOnPath(last.leaf, leaf);
			if (alive) served = extended ? lastTokens : model.pessimistic ? 0 : trace.system;
		}
		served = Math.min(served, tokens);
		sums.usd += requestPrice(valuation, served, tokens, reply.usage?.output ?? 0);
		sums.fresh += tokens - served;
		sums.cached += served;
		sums.output += reply.usage?.output ?? 0;
		sums.peak = Math.max(sums.peak, tokens);
		previous = { request, tokens, compaction };
		commits.push(compaction);
	}
	return {
		bill: {
			usd: sums.usd,
			warmUsd: sums.warmUsd,
			freshTokens: Math.round(sums.fresh),
			cachedTokens: Math.round(sums.cached),
			outputTokens: Math.round(sums.output),
			commits: made.length,
			peakTokens: Math.round(sums.peak),
			meanTokens: Math.round((sums.fresh + sums.cached) / Math.max(1, trace.requests.length)),
		},
		trajectory: trajectory(trace, (request, path) => {
			const compaction = commits[request];
			const known = path.views.get(compaction);
			if (known) return known;
			const folded = compaction ? compaction.dropped.depth + 1 : 0;
			const view = { path: path.entries, folded, kept: new Set<string>(), clipped: new Map(), texts: [] };
			path.views.set(compaction, view);
			return view;
		}),
	};
}

function windowUnder(trace: Trace, compaction: Compaction | undefined, leaf: SizedEntry | undefined): number {
	const upTo = leaf?.upTo ?? 0;
	if (!compaction) return trace.base + upTo;
	return trace.system + trace.sizes.ofText(SUMMARY_CHARS) + upTo - compaction.dropped.upTo;
}

/** The entry above the first one that is kept; calls are kept with their results. */
function lastDropped(trace: Trace, leaf: SizedEntry | undefined): SizedEntry | undefined {
	let kept = 0;
	for (let node = leaf; node; node = node.parent) {
		kept += node.chars;
		const isResult = trace.roles.get(node.id) === "result";
		if (kept >= KEEP_CHARS && !isResult) return node.parent;
	}
	return undefined;
}

function summaryInput(trace: Trace, before: Compaction | undefined, dropped: SizedEntry): number {
	let chars = before ? SUMMARY_CHARS : 0;
	for (let node: SizedEntry | undefined = dropped; node && node !== before?.dropped; node = node.parent) {
		const isResult = trace.roles.get(node.id) === "result";
		chars += isResult ? Math.min(node.chars, SUMMARISED_RESULT_CHARS) : node.chars;
	}
	return trace.sizes.ofText(chars);
}
