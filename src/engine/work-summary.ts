import { editsAt } from "../../projections/edits.ts";
import { cutOf, standingParts } from "../../projections/forest.ts";
import { nodeOf, stretch } from "../../projections/session-tree.ts";
import { rewritingsAt, rewritten } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { accumulated } from "../../projections/work-summary/accumulate.ts";
import { type Evidence, MAX_EVIDENCE } from "../../projections/work-summary/evidence.ts";
import { evidenceOf } from "../../projections/work-summary/gather.ts";
import { carriesSummary } from "../commands/checkpoint-text.ts";
import { storedBriefAt } from "./stored-brief.ts";
import { entriesSent } from "./texts.ts";

/** What evidence is read from; an engine is one. */
export interface EvidenceSource {
	readonly states: Pick<SessionStates, "tree" | "forest">;
	entry(id: string): TranscriptEntry | undefined;
	content(digest: string): Uint8Array | undefined;
}

/**
 * The evidence on the path to a leaf, oldest first: what was noted of its cuts and groups of cuts when they closed, as
 * the edits on the path leave that, and what stands in the entries behind the last of them. It depends on the path
 * alone. O(log of the cuts, and the entries behind them).
 */
export function evidenceAt(source: EvidenceSource, leaf: string | null): Evidence[] {
	const { tree, forest } = source.states;
	const last = cutOf(forest, nodeOf(tree, leaf)?.cut ?? null);
	const rewritings = rewritingsAt(source.states, leaf);
	const content = (digest: string) => source.content(digest);
	const noted = standingParts(forest, last?.id ?? null).map(
		({ text }) => storedBriefAt({ content }, rewritten(text, rewritings).brief)?.evidence ?? [],
	);
	const above = nodeOf(tree, last?.to ?? null)?.depth ?? -1;
	const rest = entriesSent(
		{ entry: (id) => source.entry(id) },
		stretch(tree, leaf, above),
		editsAt(tree, leaf),
	);
	return accumulated([...noted, evidenceOf(rest, MAX_EVIDENCE)], MAX_EVIDENCE);
}

/**
 * The evidence that nothing else in the window of a leaf tells: where the last compaction on the path is a checkpoint in
 * view that carries a work summary, what came after it, and errors since gone. It depends on the path alone, as does
 * {@link evidenceAt}.
 */
export function evidenceUntold(
	source: EvidenceSource,
	leaf: string | null,
): { readonly evidence: Evidence[]; readonly isRest: boolean } {
	const { tree } = source.states;
	const evidence = evidenceAt(source, leaf);
	const compaction = nodeOf(tree, nodeOf(tree, leaf)?.lastCompaction ?? null);
	if (!compaction?.keeps || !isSummarised(source, compaction.id)) return { evidence, isRest: false };
	const isAfter = (id: string) => (nodeOf(tree, id)?.depth ?? 0) > compaction.depth;
	return {
		evidence: evidence.filter(({ entry, gone = entry }) => isAfter(entry) || isAfter(gone)),
		isRest: true,
	};
}

function isSummarised(source: EvidenceSource, id: string): boolean {
	const blocks = source.entry(id)?.blocks ?? [];
	return carriesSummary(blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n"));
}
