import type { WrittenText } from "../../events/brief.ts";
import type { CommitEvent } from "../../events/commit.ts";
import type { Cut } from "../../projections/forest.ts";
import { requestsSoFar } from "../../projections/ledger.ts";
import { decisionsUnder, type Plan, planAfter } from "../../projections/plans.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { completed, type DecisionCommand, decisionAt, fieldsOf, UNQUOTED } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { cutsBehind } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";

/** A command to take decisions back. */
export interface UndoCommand extends DecisionCommand {
	/** names of decisions; all that later ones build on must be among them */
	readonly ids: readonly string[];
	/**
	 * writes the texts of groups among `pending` that would tell something else than they do, where `texts` are what is
	 * supplied
	 */
	readonly regroup: (texts: Plan["texts"], pending: readonly Cut[]) => readonly WrittenText[];
}

/**
 * Takes decisions back: what was in force before the earliest is in force again, and groups that closed since tell what
 * is supplied then. Taking back an undo is a redo. Throws
 * `DECISION_UNKNOWN`, and `UNDO_HAS_DEPENDENTS` with the names of later decisions in force.
 */
export function undoDecisions(
	state: QuoteState,
	command: UndoCommand,
): Extract<CommitEvent, { type: "commit/undone" }>[] {
	const { leaf, ids } = command;
	const chain = decisionsInForce(state, leaf);
	const unknown = ids.find((id) => !chain.some((plan) => plan.id === id));
	if (unknown !== undefined || ids.length === 0)
		throw new CommandError("DECISION_UNKNOWN", unknownDecision(unknown, chain));
	const earliest = chain.findLastIndex((plan) => ids.includes(plan.id));
	const taken = chain.slice(0, earliest + 1);
	const dependents = taken.filter((plan) => !ids.includes(plan.id)).map((plan) => plan.id);
	if (dependents.length > 0) {
		const together = taken.map((plan) => plan.id).join(" ");
		throw new CommandError(
			"UNDO_HAS_DEPENDENTS",
			`later decisions build on it: ${dependents.join(", ")}; take them back together: /fold undo ${together}`,
			undefined,
			dependents,
		);
	}
	return undoTo(state, command, taken);
}

/** The decisions in force at a leaf, newest first. */
export function decisionsInForce(state: QuoteState, leaf: string | null): Plan[] {
	return decisionsUnder(state.plans, decisionAt(state, leaf)).flatMap(
		(position) => planAfter(state.plans, position) ?? [],
	);
}

/**
 * Whether a decision in force takes others back for good. One that takes back nothing but such undos is a redo, and so
 * none itself.
 */
export function isUndo(plans: QuoteState["plans"], plan: Plan): boolean {
	return plan.made === "commit/undone" && takenBackBy(plans, plan).some((taken) => !isUndo(plans, taken));
}

/** The decisions that an undo takes back, newest first; none for any other. */
export function takenBackBy(plans: QuoteState["plans"], { made, on, under }: Plan): Plan[] {
	if (made !== "commit/undone") return [];
	const chain = decisionsUnder(plans, on).flatMap((position) => planAfter(plans, position) ?? []);
	// what is in force again is what the earliest of them was decided on
	return chain.slice(0, chain.findIndex((taken) => taken.on === under) + 1);
}

const NO_TEXTS: Plan["texts"] = new Map();

function undoTo(
	state: QuoteState,
	command: UndoCommand,
	taken: readonly Plan[],
): Extract<CommitEvent, { type: "commit/undone" }>[] {
	const { quote } = UNQUOTED;
	const to = taken.at(-1)?.on ?? null;
	const plan = planAfter(state.plans, to);
	const cut = cutBefore(state, command.leaf, to);
	const texts = command.regroup(plan?.texts ?? NO_TEXTS, cutsBehind(state, cut, plan));
	const data = {
		...fieldsOf(state, command, "undo"),
		decisions: taken.map((plan) => plan.id),
		to,
		cut,
		request: requestsSoFar(state.ledger),
		quote,
		...(texts.length > 0 && { texts: [...texts] }),
	};
	return [completed(state, command, { type: "commit/undone", data })];
}

/**
 * The last cut there is once decisions are taken back: what was drawn anew since the cuts were drawn as then is undone,
 * newest first, be it a recut or its taking back. Throws `UNDO_HAS_DEPENDENTS` where cuts closed behind those.
 */
function cutBefore(state: QuoteState, leaf: string | null, to: number | null): string | null {
	const drawnThen = recutsUnder(state, to);
	let cut = nodeOf(state.tree, leaf)?.cut ?? null;
	let position = decisionAt(state, leaf);
	while (position !== null && recutsUnder(state, position) !== drawnThen) {
		const plan = planAfter(state.plans, position);
		const drawn = state.tree.recuts.get(position);
		const before = cutAt(state, plan);
		if (drawn !== undefined && drawn !== before) {
			if (drawn !== cut)
				throw new CommandError(
					"UNDO_HAS_DEPENDENTS",
					`cuts that closed since build on ${plan?.id}: it stands for good`,
				);
			cut = before;
		}
		position = plan?.on ?? null;
	}
	return cut;
}

/** The last cut there was where a decision was taken: what one taken at the same leaf drew is not on the path to that. */
function cutAt({ tree, plans }: QuoteState, plan: Plan | undefined): string | null {
	const below = planAfter(plans, plan?.on ?? null);
	const drawn = below && below.leaf === plan?.leaf ? tree.recuts.get(below.position) : undefined;
	return drawn === undefined ? (nodeOf(tree, plan?.leaf ?? null)?.cut ?? null) : drawn;
}

/** The recuts in force after a decision, by their positions. */
function recutsUnder({ plans }: QuoteState, decision: number | null): string {
	return decisionsUnder(plans, decision)
		.filter((position) => planAfter(plans, position)?.made === "mark/recut")
		.join(" ");
}

function unknownDecision(id: string | undefined, chain: readonly Plan[]): string {
	const names = chain.slice(0, 8).map((plan) => plan.id);
	const known =
		names.length === 0
			? "nothing was decided on this branch yet"
			: `in force, newest first: ${names.join(", ")}`;
	return id === undefined ? known : `no decision in force here is called ${id}; ${known}`;
}
