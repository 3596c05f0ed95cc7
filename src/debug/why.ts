import { lastCutOf } from "../../projections/forest.ts";
import type { Quoted } from "../../projections/ledger.ts";
import { type Plan, planAfter } from "../../projections/plans.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";
import { nowCalled } from "../commands/fold-path.ts";
import { decisionsInForce } from "../commands/undo.ts";
import { type EntryRow, entryRows, type FoldRow, foldRows } from "./fold-rows.ts";
import { PastWindowView } from "./past-standing.ts";
import { checkpointOver } from "./taken-out.ts";

/** Why something stands in the window as it does, by what was decided at the time. */
export type Why =
	| {
			readonly about: "entry";
			readonly entry: EntryRow;
			/** why it stays raw inside the folded span */
			readonly held?: string;
			readonly commit?: CommitSeen;
			/** the checkpoint that took it out of view; absent where another compaction did */
			readonly checkpoint?: string;
			/** whether an edit took it out of view, and which where it is the entry's own */
			readonly edited?: { readonly by?: string };
	  }
	| {
			readonly about: "fold";
			readonly fold: FoldRow;
			readonly commit?: CommitSeen;
			readonly checkpoint?: string;
	  }
	| { readonly about: "decision"; readonly decision: Plan; readonly commit?: CommitSeen };

/** A commit and what was quoted for it. */
export interface CommitSeen extends Quoted {
	readonly id: string;
	/** the leaf at which it was decided */
	readonly leaf: string | null;
}

/**
 * Why an entry, a call, a fold or a decision is as it is at a leaf; `undefined` where nothing there has the id.
 * O(path).
 */
export function whyAt(states: SessionStates, leaf: string | null, id: string): Why | undefined {
	const rows = entryRows(states, leaf);
	const entry =
		rows.find((row) => row.id === id) ?? rows.findLast((row) => nodeOf(states.tree, row.id)?.answers === id);
	if (entry) {
		const commit =
			entry.fold === undefined ? commitInForce(states, leaf) : firstCommit(states, leaf, entry.fold);
		const seen = entry.state === "raw" || entry.state === "pinned" ? undefined : commit;
		const over = entry.state === "compacted" ? checkpointOver(states, leaf, entry.id) : undefined;
		const edited = editOver(states, leaf, entry.id);
		return {
			about: "entry",
			entry,
			...(seen && { commit: seen }),
			...(over !== undefined && { checkpoint: over }),
			...(edited && { edited }),
		};
	}
	const name = nowCalled(states, leaf, id);
	const fold = foldRows(states, leaf).find((row) => row.id === name);
	if (fold) {
		const commit = fold.state === "pending" ? undefined : firstCommit(states, leaf, name);
		const over = fold.state === "compacted" ? checkpointOver(states, leaf, fold.to) : undefined;
		return {
			about: "fold",
			fold,
			...(commit && { commit }),
			...(over !== undefined && { checkpoint: over }),
		};
	}
	const decision = decisionsInForce(states, leaf).find((plan) => plan.id === id);
	const commit = decision && commitSeen(states, decision);
	return decision && { about: "decision", decision, ...(commit && { commit }) };
}

function editOver(states: SessionStates, leaf: string | null, id: string): { by?: string } | undefined {
	const node = nodeOf(states.tree, id);
	const standing = node && new PastWindowView(states, leaf, planAt(states, leaf)).entry(node);
	if (standing?.because !== "edit") return undefined;
	return standing.through === undefined ? {} : { by: standing.through };
}

function commitInForce(states: SessionStates, leaf: string | null): CommitSeen | undefined {
	const plan = planAt(states, leaf);
	const position = plan?.commit === null || !plan ? undefined : states.plans.commits.get(plan.commit);
	const made = position === undefined ? undefined : planAfter(states.plans, position);
	return made && commitSeen(states, made);
}

/** The earliest commit in force that folded what a fold covers; `undefined` where none did yet. */
export function firstCommit(
	states: SessionStates,
	leaf: string | null,
	fold: string,
): CommitSeen | undefined {
	const number = lastCutOf(states.forest, fold)?.number ?? 0;
	const commits = decisionsInForce(states, leaf).filter(({ made }) => made === "commit/applied");
	const first = commits.findLast((plan) => plan.cut >= number);
	return first && commitSeen(states, first);
}

function commitSeen(states: SessionStates, { id, leaf }: Plan): CommitSeen | undefined {
	const quoted = states.ledger.quoted.get(id);
	return quoted && { ...quoted, id, leaf };
}
