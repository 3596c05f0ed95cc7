import {
	KEEP_CHARS,
	RESERVE_TOKENS,
	SUMMARISED_RESULT_CHARS,
	SUMMARY_CHARS,
} from "../../projections/host-alone/compaction.ts";
import { pricesFor } from "../../projections/price.ts";
import { type Bill, billUnder } from "./bill.ts";
import { type CacheModel, windowTokens } from "./cache.ts";
import type { SizedEntry } from "./sizes.ts";
import type { CommitOption, Trace } from "./trace.ts";
import type { TrajectoryRequest } from "./trajectory.ts";
import { trajectoryUnder } from "./trajectory-of.ts";

/** What the host's own compaction makes of a recording. */
export interface HostRun {
	/** its summaries included, as tokens no cache served and tokens written */
	readonly bill: Bill;
	/** with no summary text: of 12 names that recorded compactions hid and replies then used, their summaries held none */
	readonly trajectory: readonly TrajectoryRequest[];
}

/** Runs a recording under the host's threshold compaction, with one billed summary call each. */
export function hostRun(trace: Trace, model: CacheModel): HostRun {
	const compactions: (CommitOption | undefined)[] = [];
	const summaries = { usd: 0, input: 0, output: 0 };
	for (const { index, follows, leaf, valuation } of trace.requests) {
		const standing = compactions[follows];
		const isFull = windowTokens(trace, standing, leaf) > valuation.window - RESERVE_TOKENS;
		const dropped = isFull ? lastDropped(trace, leaf) : undefined;
		if (!dropped || dropped.depth <= (standing?.foldedTo.depth ?? -1)) {
			compactions.push(standing);
			continue;
		}
		const input = summaryInput(trace, standing, dropped);
		const output = trace.sizes.ofText(SUMMARY_CHARS);
		const prices = pricesFor(valuation, input);
		summaries.usd += (input * prices.input + output * prices.output) / 1e6;
		summaries.input += input;
		summaries.output += output;
		compactions.push(compactionTo(trace, index, dropped));
	}
	const bill = billUnder(trace, compactions, model);
	return {
		bill: {
			...bill,
			usd: bill.usd + summaries.usd,
			freshTokens: Math.round(bill.freshTokens + summaries.input),
			outputTokens: Math.round(bill.outputTokens + summaries.output),
		},
		trajectory: trajectoryUnder(trace, compactions),
	};
}

/** A compaction, as a commit that leaves the system prompt and a summary before the raw tail. */
function compactionTo(trace: Trace, request: number, foldedTo: SizedEntry): CommitOption {
	const system = { key: "system", tokens: trace.system - trace.base };
	const summary = { key: `summary ${request}`, tokens: trace.sizes.ofText(SUMMARY_CHARS) };
	return {
		request,
		foldedTo,
		texts: [],
		held: [],
		clips: new Map(),
		fixed: system.tokens + summary.tokens,
		head: [system, summary],
	};
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

function summaryInput(trace: Trace, before: CommitOption | undefined, dropped: SizedEntry): number {
	let chars = before ? SUMMARY_CHARS : 0;
	for (let node: SizedEntry | undefined = dropped; node && node !== before?.foldedTo; node = node.parent) {
		const isResult = trace.roles.get(node.id) === "result";
		chars += isResult ? Math.min(node.chars, SUMMARISED_RESULT_CHARS) : node.chars;
	}
	return trace.sizes.ofText(chars);
}
