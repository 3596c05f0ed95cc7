import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { renderWorkSummary } from "../../../projections/work-summary/render.ts";
import { readDetails } from "../../commands/checkpoint-details.ts";
import { glanceAt } from "../../debug/fold-status.ts";
import type { Engine } from "../../engine/engine.ts";
import { evidenceAt } from "../../engine/work-summary.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { ConfigInForce } from "./compact-config-file.ts";
import { hashText } from "./hash-text.ts";
import type { LiveHoldings, LiveRecall } from "./live-recall.ts";
import type { CheckpointMeasure, Figures, Measures } from "./measures.ts";
import type { MemoryContext } from "./memory-at.ts";
import { type MemoryStatus, memoryStatus } from "./memory-status.ts";
import { type Clock, isDoneWithin } from "./patience.ts";
import type { SessionIn } from "./status-command.ts";

/** How long the log is counted, ms; what was not reached by then is not told. */
const COUNTING_MS = 3_000;

/** The last compaction of a branch. */
export type LastCompaction =
	| { readonly is: "summary"; readonly chars: number }
	| {
			readonly is: "checkpoint";
			readonly window: string;
			readonly reason: string;
			readonly entries: number;
			readonly chars: number;
			/** what making it took; absent where another process made it */
			readonly made?: CheckpointMeasure;
	  };

/** What the log makes of a branch. */
interface BranchHoldings {
	readonly entries: number;
	readonly folds: { readonly here: number; readonly nested: number };
	readonly checkpoints: number;
	/** compactions of the session that are no checkpoints */
	readonly summaries: number;
	readonly suspended?: "pause" | "off";
	/** pieces of evidence on the branch, and characters of the work summary a checkpoint would carry; 0 where it carries none */
	readonly work: { readonly evidence: number; readonly chars: number };
}

/** Everything `/pi-compact-status` tells. */
export interface CompactStatus {
	readonly inForce: ConfigInForce;
	/** why there is no log, or none that is kept, in words */
	readonly trouble?: string;
	readonly branch?: BranchHoldings;
	readonly holdings?: LiveHoldings;
	/** why there is none, where memory is off or another extension's */
	readonly memory: MemoryStatus | "off" | "elsewhere";
	readonly last?: LastCompaction;
	readonly figures: Figures;
	/** where the debug log lies, and by what this session's lines are known; absent where none is kept */
	readonly debug?: { readonly path: string; readonly session: string };
}

/** What the status is gathered by. */
export interface StatusParts {
	readonly sessionIn: SessionIn;
	readonly measures: Measures;
	readonly clock: Clock;
	readonly memory: MemoryContext;
}

/** Gathers it for a context. Changes nothing; what cannot be had is left out. */
export async function compactStatus(
	ctx: ExtensionContext,
	inForce: ConfigInForce,
	{ sessionIn, measures, clock, memory: context }: StatusParts,
): Promise<CompactStatus> {
	const { sessionManager } = ctx;
	const session = await sessionIn(ctx);
	const found = await session?.withLog(sessionManager, ({ recall, engine }) => ({ recall, engine }));
	const memory = await memoryStatus(ctx, context);
	const holdings = found && (await holdingsOf(found.recall, clock));
	const last = lastCompaction(ctx, measures.figures);
	const { debug, figures } = measures;
	const trouble = found ? session?.trouble : (session?.silence ?? "the session is over");
	return {
		inForce,
		...(trouble !== undefined && { trouble }),
		...(found && { branch: branchHoldings(found.engine, inForce.config) }),
		...(holdings && { holdings }),
		memory,
		...(last && { last }),
		figures,
		...(debug && { debug }),
	};
}

async function holdingsOf(recall: LiveRecall, clock: Clock): Promise<LiveHoldings | undefined> {
	let isWanted = true;
	try {
		const counted = recall.holdings(() => isWanted);
		return (await isDoneWithin(COUNTING_MS, counted, clock)) ? await counted : undefined;
	} catch {
		// what can be told without the store is told all the same
		return undefined;
	} finally {
		isWanted = false;
	}
}

function branchHoldings(
	engine: Engine,
	{ summaryMaxChars, sessionSummary: { enabled, inject, maxChars, maxEvidence } }: CompactConfig,
): BranchHoldings {
	const { states } = engine;
	const { leaf } = states.tree;
	const compactions = [...states.compactions.byEntry.values()];
	const checkpoints = compactions.filter((one) => one !== null).length;
	const evidence = evidenceAt(engine, leaf);
	const most = Math.min(maxChars, Math.floor(summaryMaxChars / 2));
	const summary =
		enabled && inject ? renderWorkSummary(evidence, { maxChars: most, maxEvidence }) : undefined;
	const suspended = states.rules.suspended?.mode;
	return {
		entries: states.tree.count,
		folds: glanceAt(states, leaf).folds,
		checkpoints,
		summaries: compactions.length - checkpoints,
		...(suspended && { suspended }),
		work: { evidence: evidence.length, chars: summary?.length ?? 0 },
	};
}

/** What the session says of the last compaction of its branch, whether there is a log or not. */
function lastCompaction({ sessionManager }: ExtensionContext, figures: Figures): LastCompaction | undefined {
	const entry = sessionManager.getBranch().findLast(({ type }) => type === "compaction");
	if (entry?.type !== "compaction") return undefined;
	const { summary, details } = entry;
	const ours = readDetails(details, hashText)?.ours;
	if (!ours) return { is: "summary", chars: summary.length };
	const { id: window, entries } = ours.manifest;
	const made = figures.checkpoint?.window === window ? figures.checkpoint : undefined;
	const about = { window, reason: ours.reason, entries, chars: summary.length };
	return { is: "checkpoint", ...about, ...(made && { made }) };
}
