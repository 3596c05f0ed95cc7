import type { PinEvent } from "../../events/pin.ts";
import { tokensOf } from "../../projections/calibration.ts";
import { cutOf, lastCutOf } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { budgetOf } from "../../projections/rules.ts";
import { type EntryNode, isFoldable, nodeOf, stretch } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import { completed, type DecisionCommand, fieldsOf, UNQUOTED } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { heldWithin } from "./commit-candidate.ts";
import { cutsOf, pathCut, refuseCompacted } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";
import { unitAround } from "./unit.ts";

/** Most of the budget that pinned content may take, as in pi-fold. */
const PIN_SHARE = 0.25;

/** Ids looked at for a pin that would do instead; as many as the tool takes. */
const MOST_OFFERED = 64;

/** A command about entries, named by themselves, by the call they answer, or by the fold they are in. */
export interface PinCommand extends DecisionCommand {
	readonly ids: readonly string[];
}

/**
 * Keeps entries raw, each with the rest of its exchange; what is folded is raw from the next request on. Nothing where
 * all are pinned.
 */
export function placePin(state: QuoteState, command: PinCommand): PinEvent[] {
	const { leaf, ids } = command;
	const plan = planAt(state, leaf) ?? BARE_PLAN;
	const entries = entriesNamed(state, leaf, ids).filter(({ id }) => !plan.pins.has(id));
	if (entries.length === 0) return [];
	refuseCompacted(state, command, ids[0] ?? "", entries.at(-1)?.id);
	const pins = new Set([...plan.pins, ...entries.map(({ id }) => id)]);
	if (!command.isAgain) refuseTooMany(state, command, plan.pins, pins);
	const at = nodeOf(state.tree, leaf);
	const through = cutOf(state.forest, plan.through);
	const held = at && through ? heldWithin(state, at, through, pins).map(({ entry }) => entry) : [];
	const data = {
		...fieldsOf(state, command, "pin"),
		entries: entries.map(({ id }) => id),
		held: inPathOrder(state, [...new Set([...plan.held, ...held])]),
		...UNQUOTED,
	};
	return [completed(state, command, { type: "pin/placed", data })];
}

/** Lets entries be folded again, from the next commit on. Nothing where none is pinned. */
export function liftPin(state: QuoteState, command: PinCommand): PinEvent[] {
	const { leaf, ids } = command;
	const pins = planAt(state, leaf)?.pins;
	const entries = entriesNamed(state, leaf, ids).flatMap(({ id }) => (pins?.has(id) ? [id] : []));
	if (entries.length === 0) return [];
	const data = { ...fieldsOf(state, command, "unpin"), entries };
	return [completed(state, command, { type: "pin/lifted", data })];
}

/** Tokens of pinned entries. */
export function pinnedTokens(state: QuoteState, pins: ReadonlySet<string>): number {
	let chars = 0;
	let images = 0;
	for (const id of pins) {
		const node = nodeOf(state.tree, id);
		chars += node?.weight.chars ?? 0;
		images += node?.weight.images ?? 0;
	}
	return tokensOf(state.calibration, { chars, images });
}

function refuseTooMany(
	state: QuoteState,
	command: PinCommand,
	known: ReadonlySet<string>,
	pins: ReadonlySet<string>,
): void {
	const tokens = pinnedTokens(state, pins);
	const most = budgetOf(state.rules) * PIN_SHARE;
	if (tokens <= most) return;
	const unpinned = heaviest(state, known);
	const fewer = fitting(state, command, known, most);
	const instead =
		fewer.length > 0
			? { action: "pin", ids: fewer }
			: unpinned !== undefined
				? { action: "unpin", ids: [unpinned] }
				: undefined;
	throw new CommandError(
		"PIN_OVER_SHARE",
		`pinned content would take about ${Math.round(tokens)} tokens, more than a quarter of the budget (${Math.round(most)}); nothing was pinned: pin less, or unpin something else first`,
		instead,
	);
}

/** Of the ids of a command, in their order, those that may be pinned; none that are pinned already. */
function fitting(
	state: QuoteState,
	{ leaf, ids }: PinCommand,
	known: ReadonlySet<string>,
	most: number,
): string[] {
	const path = pathTo(state, leaf);
	const found: string[] = [];
	let pins = known;
	for (const id of ids.slice(0, MOST_OFFERED)) {
		const more = new Set([...pins, ...entriesOn(state, leaf, path, [id]).map((node) => node.id)]);
		if (more.size === pins.size || pinnedTokens(state, more) > most) continue;
		pins = more;
		found.push(id);
	}
	return found;
}

function heaviest(state: QuoteState, pins: ReadonlySet<string>): string | undefined {
	const tokens = (id: string) => pinnedTokens(state, new Set([id]));
	return [...pins].sort((a, b) => tokens(b) - tokens(a))[0];
}

/** Every entry that is named or shares an exchange with one that is, in path order. Throws `ENTRY_UNKNOWN`. */
function entriesNamed(state: QuoteState, leaf: string | null, ids: readonly string[]): EntryNode[] {
	return entriesOn(state, leaf, pathTo(state, leaf), ids);
}

function pathTo(state: QuoteState, leaf: string | null): ReadonlyMap<string, EntryNode> {
	return new Map(stretch(state.tree, leaf, -1).map((node) => [node.id, node]));
}

function entriesOn(
	state: QuoteState,
	leaf: string | null,
	path: ReadonlyMap<string, EntryNode>,
	ids: readonly string[],
): EntryNode[] {
	const found = new Map<string, EntryNode>();
	for (const id of ids) {
		for (const node of named(state, leaf, path, id))
			for (const part of unitAround(path, node)) found.set(part.id, part);
	}
	return [...found.values()].sort((a, b) => a.depth - b.depth);
}

function named(
	state: QuoteState,
	leaf: string | null,
	path: ReadonlyMap<string, EntryNode>,
	id: string,
): EntryNode[] {
	const entry = path.get(id) ?? [...path.values()].findLast((node) => node.answers === id);
	if (entry && isFoldable(entry)) return [entry];
	if (lastCutOf(state.forest, id)) {
		pathCut(state, leaf, id);
		return cutsOf(state, id).flatMap(({ from, to }) =>
			stretch(state.tree, to, (nodeOf(state.tree, from)?.depth ?? 0) - 1).filter(
				(node) => isFoldable(node) && node.fate === "sent",
			),
		);
	}
	throw new CommandError("ENTRY_UNKNOWN", `no message, call or fold on this branch is called ${id}`, {
		action: "status",
		detail: "objects",
	});
}

function inPathOrder(state: QuoteState, ids: readonly string[]): string[] {
	const depth = (id: string) => nodeOf(state.tree, id)?.depth ?? 0;
	return [...ids].sort((a, b) => depth(a) - depth(b));
}
