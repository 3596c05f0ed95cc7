import { CommandError } from "../commands/command-error.ts";
import { decisionsInForce, isUndo, takenBackBy } from "../commands/undo.ts";
import type { OutsideUndo } from "../engine/outside-undo.ts";
import type { Head } from "../store/head.ts";

/** What taking decisions back comes to, an undo among them. Sizes are estimated tokens. */
export interface UndoQuote {
	/** the decision that is taken back; of several, the earliest */
	readonly decision: string;
	/** `redo` takes back an undo */
	readonly kind: "undo" | "redo";
	/** all that is taken back together, newest first */
	readonly with: readonly string[];
	readonly unit: "usd" | "token";
	/** tokens of the window as it stands */
	readonly before: number;
	/** tokens of the window as it will stand */
	readonly after: number;
	/** tokens the provider must take in again */
	readonly rewritten: number;
	/** price of that, in `unit` */
	readonly cost: number;
	/** where the stream stands before it */
	readonly head: Head;
}

/** What is to be taken back: decisions by name, or an undo, the newest unless one is named. */
export type UndoAsked =
	| { readonly kind: "undo"; readonly decisions: readonly string[] }
	| { readonly kind: "redo"; readonly decision?: string | undefined };

/** The names of the decisions an undo or a redo takes back. Throws `DECISION_UNKNOWN` where there is no undo to take back. */
export function idsAsked({ states, leaf }: Pick<OutsideUndo, "states" | "leaf">, asked: UndoAsked): string[] {
	if (asked.kind === "undo") return [...asked.decisions];
	const { decision } = asked;
	const undos = decisionsInForce(states, leaf).filter((plan) => isUndo(states.plans, plan));
	const found = undos.find(
		(plan) =>
			decision === undefined ||
			plan.id === decision ||
			takenBackBy(states.plans, plan).some(({ id }) => id === decision),
	);
	if (found) return [found.id];
	const known =
		undos.length === 0
			? "no undo is in force here"
			: `undos in force, newest first: ${undos.map(({ id }) => id).join(", ")}`;
	throw new CommandError(
		"DECISION_UNKNOWN",
		decision === undefined ? known : `${decision} is no undo, and was not taken back by one; ${known}`,
	);
}

/**
 * What taking decisions back would cost; nothing is written. Throws `DECISION_UNKNOWN`, and `UNDO_HAS_DEPENDENTS` with
 * the names of later decisions that build on them.
 */
export function quoteUndo(outside: OutsideUndo, asked: UndoAsked): UndoQuote {
	const { decisions, quote } = outside.would(idsAsked(outside, asked)).data;
	const { unit, before, after, rewritten, cost } = quote;
	const decision = decisions.at(-1) ?? "";
	const { version, hash } = outside.head;
	return {
		decision,
		kind: asked.kind,
		with: decisions,
		unit,
		before,
		after,
		rewritten,
		cost,
		head: { version, hash },
	};
}
