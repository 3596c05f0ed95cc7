import { tokensOf } from "../../projections/calibration.ts";
import { type Cut, cutOf, type Forest, startOf } from "../../projections/forest.ts";
import { compactionAt, shownFrom } from "../../projections/host-view.ts";
import { BARE_PLAN, type Plan } from "../../projections/plans.ts";
import { budgetOf, type Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { isTextShown } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import { partsShown, planAt } from "../../projections/window-plan.ts";
import type { Occurring } from "../commands/commit.ts";
import { promptTokens } from "../commands/commit-candidate.ts";
import { forcedAt, type Outlook, outlookAt } from "../commands/outlook.ts";
import { type Receipt, type RunningSum, receiptAt, runningSum } from "./receipt.ts";

/**
 * Why nothing is folded by itself for now: the user paused folding, or turned it off here; or the session's store cannot
 * be had, and it lives by the folds it has.
 */
export interface Halt {
	readonly how: "paused" | "off" | "no new folds";
	/** in words, where there is more to say */
	readonly why?: string;
}

/** How full the window is and what folding made of it. Sizes are tokens. */
export interface Glance {
	/** first of all, where nothing is folded for now */
	readonly halt?: Halt;
	/** what the next request will hold; absent before one was measured */
	readonly used?: number;
	readonly budget: number;
	/** folds that stand in the window, and all of them, those inside groups too */
	readonly folds: { readonly here: number; readonly nested: number };
	/** closed cuts that no commit folded yet, but for those withdrawn */
	readonly staged: { readonly marks: number; readonly tokens: number };
	readonly pinned?: number;
	/** absent before a request was measured */
	readonly saving?: RunningSum;
}

/** Everything `/fold-status` tells. */
export interface FoldStatus extends Glance {
	readonly policy: Settings["policy"];
	/** whether the user wishes to watch only */
	readonly isObserved: boolean;
	readonly outlook: Outlook;
	/** tokens at which a commit is forced */
	readonly forced: number;
	/** of the commit in force */
	readonly receipt?: Receipt;
}

/** The window at a leaf in a few numbers. O(folds in view and staged cuts). */
export function glanceAt(states: SessionStates, leaf: string | null): Glance {
	const plan = planAt(states, leaf);
	const { suspended } = states.rules;
	const saving = runningSum(states);
	const from = shownFrom(states.tree, leaf);
	const pinned = [...(plan?.pins ?? [])].filter((id) => (nodeOf(states.tree, id)?.depth ?? 0) >= from).length;
	return {
		...(suspended && { halt: haltOf(suspended) }),
		...(states.calibration.measured > 0 && { used: promptTokens(states, leaf, plan) }),
		budget: budgetOf(states.rules),
		folds: foldsIn(states, leaf, plan),
		staged: stagedAt(states, leaf, plan),
		...(pinned > 0 && { pinned }),
		...(saving && { saving }),
	};
}

function haltOf({ mode, why }: NonNullable<SessionStates["rules"]["suspended"]>): Halt {
	return { how: mode === "pause" ? "paused" : "off", ...(why !== "" && { why }) };
}

/** The whole status at a request that would go out now. */
export function foldStatusAt(states: SessionStates, request: Occurring): FoldStatus {
	const receipt = receiptAt(states, request.leaf);
	return {
		...glanceAt(states, request.leaf),
		policy: states.rules.settings.policy,
		isObserved: states.rules.settings.observe === true,
		outlook: outlookAt(states, request),
		forced: forcedAt(states),
		...(receipt && { receipt }),
	};
}

function foldsIn(states: SessionStates, leaf: string | null, plan = BARE_PLAN): Glance["folds"] {
	const standing = partsShown(states, leaf, plan, compactionAt(states.tree, leaf)).filter(isTextShown);
	let nested = 0;
	for (const { cut, text } of standing) nested += withParts(states.forest, cut, text.level);
	return { here: standing.length, nested };
}

/** A fold and all the folds it covers: its cuts, their groups, the groups of these. */
function withParts(forest: Forest, last: Cut, level: number): number {
	let width = last.number - (startOf(forest, last, level)?.number ?? 0);
	let folds = 0;
	for (let below = 0; below <= level; below++, width = Math.floor(width / forest.base)) folds += width;
	return folds;
}

function stagedAt(states: SessionStates, leaf: string | null, plan: Plan | undefined): Glance["staged"] {
	const folded = plan?.cut ?? 0;
	let [marks, tokens] = [0, 0];
	const from = shownFrom(states.tree, leaf);
	let cut = cutOf(states.forest, nodeOf(states.tree, leaf)?.cut ?? null);
	let end = -1;
	for (; cut && cut.number > folded; cut = cutOf(states.forest, cut.before)) {
		if ((nodeOf(states.tree, cut.to)?.depth ?? 0) < from) break;
		if (plan?.withdrawn.has(cut.id)) continue;
		marks += 1;
		end = Math.max(end, nodeOf(states.tree, cut.to)?.depth ?? 0);
		tokens += tokensOf(states.calibration, cut);
	}
	// what was clipped is not in view any more
	for (const [id, { chars }] of plan?.clips ?? []) {
		const node = nodeOf(states.tree, id);
		if (!node || node.depth < from || node.depth > end) continue;
		const gone = { chars: node.weight.chars - chars, images: node.weight.images };
		tokens -= tokensOf(states.calibration, gone);
	}
	return { marks, tokens: Math.max(0, tokens) };
}
