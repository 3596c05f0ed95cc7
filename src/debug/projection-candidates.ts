import { cutOf, startOf } from "../../projections/forest.ts";
import { compactionAt } from "../../projections/host-view.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { isTextShown } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import { partsShown, planAt } from "../../projections/window-plan.ts";

/** A fold in the window, as extensions that choose what to show a model ask for it: pi-fold 4.0's record. */
export interface ProjectionCandidate {
	readonly version: 1;
	readonly key: string;
	readonly collapse_key: string;
	readonly kind: "projection";
	readonly domain: "system";
	readonly horizon: "working";
	/** the fold's id */
	readonly source_id: string;
	/** hex SHA-256 of the text that stands for it, which changes with what it stands for */
	readonly source_version: string;
	readonly route: {
		readonly tool: "pi_fold_context";
		readonly arguments: { readonly action: "expand"; readonly id: string };
	};
	/** tokens of the originals at four characters each */
	readonly token_cost: number;
	readonly expansion_cost: number;
	/** from 0, in window order */
	readonly rank: number;
	/** share of the originals that folding saves */
	readonly score: number;
	/** characters that folding saves */
	readonly raw_score: number;
	readonly confidence: "exact";
	readonly freshness: "current";
	readonly locked_owner: false;
	readonly generator: "projection-deterministic" | "projection-supplied";
	readonly generator_version: "memory-slate-generators-v2";
	readonly recency: null;
}

/** Most records at once, as in pi-fold. */
const MOST = 16;

/** The folds that stand in the window at a leaf and save something, in window order. */
export function projectionCandidates(states: SessionStates, leaf: string | null): ProjectionCandidate[] {
	const plan = planAt(states, leaf);
	const compaction = compactionAt(states.tree, leaf);
	const standing = partsShown(states, leaf, plan ?? BARE_PLAN, compaction).filter(isTextShown);
	const records: ProjectionCandidate[] = [];
	for (const { cut, text } of standing) {
		const before = startOf(states.forest, cut, text.level);
		let source = 0;
		for (
			let one = cutOf(states.forest, cut.id);
			one && one.id !== before?.id;
			one = cutOf(states.forest, one.before)
		)
			source += one.chars;
		const saved = source - text.chars;
		if (saved <= 0 || records.length === MOST) continue;
		const cost = Math.max(1, Math.ceil(source / 4));
		records.push({
			version: 1,
			key: `projection:${text.fold}`,
			collapse_key: `projection:${text.fold}`,
			kind: "projection",
			domain: "system",
			horizon: "working",
			source_id: text.fold,
			source_version: text.text,
			route: { tool: "pi_fold_context", arguments: { action: "expand", id: text.fold } },
			token_cost: cost,
			expansion_cost: cost,
			rank: records.length,
			score: Math.min(1, saved / source),
			raw_score: saved,
			confidence: "exact",
			freshness: "current",
			locked_owner: false,
			generator: plan?.texts.has(text.fold) ? "projection-supplied" : "projection-deterministic",
			generator_version: "memory-slate-generators-v2",
			recency: null,
		});
	}
	return records;
}
