import { CommandError } from "../commands/command-error.ts";
import { decisionsInForce, isUndo, takenBackBy } from "../commands/undo.ts";
import type { OutsideUndo } from "../engine/outside-undo.ts";
import type { Head } from "../store/head.ts";
import { SHORTEST_ID } from "./named.ts";

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

/**
 * The names of the decisions an undo or a redo takes back; one may be cut short to four characters or more where one
 * decision in force alone begins so. Throws `DECISION_UNKNOWN` where there is no undo to take back.
 */
export function idsAsked({ states, leaf }: Pick<OutsideUndo, "states" | "leaf">, asked: UndoAsked): string[] {
	const inForce = decisionsInForce(states, leaf);
	if (asked.kind === "undo") return asked.decisions.map((name) => wholeName(name, inForce));
	const undos = inForce.filter((plan) => isUndo(states.plans, plan));
	const known = undos.flatMap((plan) => [plan, ...takenBackBy(states.plans, plan)]);
	const decision = asked.decision === undefined ? undefined : wholeName(asked.decision, known);
	const found = undos.find(
		(plan) =>
			decision === undefined ||
			plan.id === decision ||
			takenBackBy(states.plans, plan).some(({ id }) => id === decision),
	);
	if (found) return [found.id];
	const told =
		undos.length === 0
			? "no undo is in force here"
			: `undos in force, newest first: ${undos.map(({ id }) => id).join(", ")}`;
	throw new CommandError(
		"DECISION_UNKNOWN",
		decision === undefined ? told : `${decision} is no undo, and was not taken back by one; ${told}`,
	);
}

/** A name of a decision that was cut short in full, where one alone begins so; else as it is. */
function wholeName(name: string, decisions: readonly { readonly id: string }[]): string {
	const ids = new Set(decisions.map(({ id }) => id));
	if (ids.has(name) || name.length < SHORTEST_ID) return name;
	const longer = [...ids].filter((id) => id.startsWith(name));
	return longer.length === 1 ? (longer[0] as string) : name;
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
