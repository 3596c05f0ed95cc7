import { requestsSoFar } from "../../projections/ledger.ts";
import { UNPRICED } from "../../projections/price.ts";
import type { Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { type Item, planAt } from "../../projections/window-plan.ts";
import { usuallyClipped } from "./clippable.ts";
import { candidateThrough } from "./commit-candidate.ts";
import { type CommitEvents, commitTo, type RequestCommand } from "./commit-made.ts";
import type { QuoteState } from "./quote.ts";

/** What a node says of the commit it carries, as far as the path alone does not. */
export interface CommitAgain {
	/** number of the last cut folded; 0 for none */
	readonly cut: number;
	/** folds it left open */
	readonly expanded: readonly string[];
	/** what it clipped, where the settings alone do not say; entries */
	readonly clipped: readonly string[] | undefined;
	/** whether its receipt asked the model for briefs */
	readonly postFoldNotice: boolean;
	/** how long a work summary its receipt carried, where it did */
	readonly workSummary: Settings["workSummary"];
	readonly toolFoldThreshold: number;
	readonly reasoning: "keep" | "strip";
	/** proof of the window it made */
	readonly window: string;
}

/**
 * Makes a commit again where its node was met: in a fork, or beside a store that is gone. Nothing where the path does
 * not give the window the node tells of, item by item.
 */
export function commitAgain(
	state: QuoteState,
	request: RequestCommand,
	node: CommitAgain,
	proofOf: (items: readonly Item[]) => string,
): CommitEvents {
	const { settings, valuation } = state.rules;
	const { toolFoldThreshold, postFoldNotice, workSummary } = node;
	const { workSummary: _now, ...others } = settings;
	const rules = {
		...state.rules,
		settings: { ...others, toolFoldThreshold, postFoldNotice, ...(workSummary && { workSummary }) },
		valuation: { ...(valuation ?? UNPRICED), reasoning: node.reasoning },
		reasoning: new Map(),
	};
	const then = { ...state, rules };
	const plan = planAt(state, request.leaf);
	const since = (fold: string) => (plan?.withdrawn.has(fold) ? undefined : plan?.expanded.get(fold));
	const expanded = new Map(node.expanded.map((fold) => [fold, since(fold) ?? requestsSoFar(state.ledger)]));
	const candidate = candidateThrough(then, request.leaf, node.cut, expanded);
	if (!candidate) return [];
	let proof = "";
	const digest = (items: readonly Item[]) => {
		proof = proofOf(items);
		return request.digest(items);
	};
	const clipped =
		node.clipped?.flatMap((id) => nodeOf(state.tree, id) ?? []) ??
		usuallyClipped(then, request.leaf, candidate.through);
	const events = commitTo(then, { ...request, digest }, plan, candidate, "node", clipped);
	return proof === node.window ? events : [];
}
