import type { Brief } from "../../projections/brief/brief.ts";
import { cutBrief } from "../../projections/brief/cut-brief.ts";
import { groupBrief } from "../../projections/brief/group-brief.ts";
import { placeholder } from "../../projections/brief/placeholder.ts";
import { withSupplied } from "../../projections/brief/render.ts";
import {
	type TruncationBrief,
	truncationCutBrief,
	truncationGroupBrief,
	truncationSupplied,
} from "../../projections/brief/truncation.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";

/** What is known of a fold beside its brief. */
export interface FoldFacts {
	readonly foldId: string;
	/** messages it stands for */
	readonly entries: number;
	/** folds right below it; 0 for a cut */
	readonly children: number;
}

/**
 * How folds are put into words. A renderer's output may not change under its name: texts once written stand for good,
 * so a better one gets another version.
 */
export interface Renderer<B = unknown> {
	/** name and version, recorded with each brief */
	readonly name: string;
	/** `earlier`: the briefs that stand before the cut on its path, oldest first; those of another renderer say nothing */
	cut(entries: readonly TranscriptEntry[], earlier: readonly B[]): B;
	group(children: readonly B[]): B;
	/** the brief of a cut with something supplied in it, word for word */
	supplied(brief: B, text: string): B;
	/** what was supplied for a brief, if anything was */
	suppliedIn(brief: B): string | undefined;
	/** the brief alone */
	brief(brief: B): string;
	/** what stands in the window */
	text(brief: B, facts: FoldFacts): string;
}

const indexRenderer: Renderer<Brief> = {
	name: "index@2",
	cut: (entries, earlier) =>
		cutBrief(
			entries,
			earlier.filter((brief) => rendererFor(brief) === indexRenderer),
		),
	group: groupBrief,
	supplied: withSupplied,
	suppliedIn: ({ supplied }) => supplied,
	brief: ({ text }) => text,
	text: ({ text }, { foldId, entries }) => placeholder({ foldId, text, entries }),
};

/** pi-fold 4.0's five lines, for comparison. */
const truncationRenderer: Renderer<TruncationBrief> = {
	name: "truncation@2",
	cut: (entries) => truncationCutBrief(entries),
	group: (children) => truncationGroupBrief(children),
	supplied: truncationSupplied,
	suppliedIn: ({ supplied }) => supplied,
	brief: ({ text }) => text,
	text: ({ text }, { foldId, children }) =>
		[
			`[pi-fold active-context fold ${foldId}]`,
			text,
			`Topology: kind=${children > 0 ? "consolidation" : "chapter"}; parent=root; children=${children}; previous=none; next=none.`,
			`Expand exactly: pi_fold_context ${JSON.stringify({ action: "expand", id: foldId })}`,
			'List/page exactly: pi_fold_context {"action":"status"}',
		].join("\n"),
};

/** The renderer a session's settings ask for. */
export function rendererOf(briefs: "index" | "truncation"): Renderer {
	return (briefs === "index" ? indexRenderer : truncationRenderer) as Renderer;
}

/** The renderer that made a brief: it alone can go on with it, whatever the settings ask for by now. */
export function rendererFor(brief: unknown): Renderer {
	const isTruncation = typeof brief === "object" && brief !== null && "notes" in brief;
	return (isTruncation ? truncationRenderer : indexRenderer) as Renderer;
}
