import type { WrittenText } from "../../events/brief.ts";
import type { MarkDecision, Span } from "../../events/mark.ts";
import { type Cut, cutOf, type FoldText } from "../../projections/forest.ts";
import { type EntryNode, isFoldable, nodeOf, stretch } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import { completed, type DecisionCommand, fieldsOf } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { cutsOf, nowCalled, pathCut, pendingCuts } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";
import { unitAround } from "./unit.ts";

/** A cut shorter than this would hardly be shorter as a text. */
const LEAST_CUT = 2_000;

/** From where to where a cut is to reach: its first and its last entry. */
export interface Reach {
	readonly from: string;
	readonly to: string;
}

/** What a decider that draws cuts anew needs beside the command. */
export interface DrawCommand extends DecisionCommand {
	/**
	 * writes the texts of cuts drawn anew with what was supplied for the same stretches under other names, and those of
	 * groups that cover them
	 */
	readonly supplyAgain: (drawn: Recut, told: readonly { cut: string; text: FoldText }[]) => WrittenText[];
}

type Recut = Extract<MarkDecision, { type: "mark/recut" }>;

/** A command to draw cuts anew. */
export interface RecutCommand extends DrawCommand {
	/** marks to merge; or entries, of which the first and the last become the ends of one cut */
	readonly ids: readonly string[];
}

/**
 * Draws one cut from the first to the last thing named, as far as whole exchanges reach; what is left of cuts it takes
 * from becomes cuts of its own, or goes with it where it is too short. Nothing where it stands so already. Throws
 * `SPAN_INVALID` where that reaches into what is folded or not marked yet, or leaves a cut too short.
 */
export function recut(state: QuoteState, command: RecutCommand): MarkDecision[] {
	const { leaf } = command;
	const pending = pendingCuts(state, leaf, planAt(state, leaf));
	const [first, last] = spanNamed(state, command, pending);
	const taken = pending.filter(
		({ from, to }) => edge(state, to).depth >= first.depth && edge(state, from).depth <= last.depth,
	);
	const [from, to] = [taken[0]?.from ?? first.id, taken.at(-1)?.to ?? last.id];
	const opens = from !== first.id && isLong(state, from, before(state, first).id);
	const closes = to !== last.id && isLong(state, behind(state, leaf, last).id, to);
	const spans: Reach[] = pending.flatMap((cut): Reach[] => {
		if (!taken.includes(cut)) return [{ from: cut.from, to: cut.to }];
		if (cut !== taken[0]) return [];
		return [
			...(opens ? [{ from, to: before(state, first).id }] : []),
			{ from: opens ? first.id : from, to: closes ? last.id : to },
			...(closes ? [{ from: behind(state, leaf, last).id, to }] : []),
		];
	});
	return recutTo(state, command, spans, freeMark(state, command, spans));
}

/** Whether a cut was drawn anew, or renumbered behind one that was: its name says so. */
export function isDrawn(cut: string): boolean {
	return /~r\d+$/.test(cut);
}

function drawnId(number: number, to: string, mark: string): string {
	return `f${number}-${to}~${mark}`;
}

/** What keeps the names of cuts apart from those of any drawn before, also where another log gave theirs. */
function freeMark(state: QuoteState, { leaf, ordinal }: DecisionCommand, spans: readonly Reach[]): string {
	const folded = planAt(state, leaf)?.cut ?? 0;
	const isTaken = (mark: string) =>
		spans.some(({ to }, n) => cutOf(state.forest, drawnId(folded + n + 1, to, mark)));
	let number = ordinal;
	while (isTaken(`r${number}`)) number++;
	return `r${number}`;
}

/**
 * Draws the cuts that are not folded yet anew, from the first of `spans` on, which cover the same entries; `mark` keeps
 * their names apart from those of cuts drawn before. A stretch that stays the same stays withdrawn, and tells what was
 * supplied for it. Nothing where the cuts there are do not begin and end so, or such a name stands for another stretch.
 */
export function recutTo(
	state: QuoteState,
	command: DrawCommand,
	spans: readonly Reach[],
	mark: string,
): MarkDecision[] {
	const all = pendingCuts(state, command.leaf, planAt(state, command.leaf));
	const begins = all.findIndex(({ from }) => from === spans[0]?.from);
	if (begins === -1 || all.at(-1)?.to !== spans.at(-1)?.to) return [];
	const pending = all.slice(begins);
	const isSame = (cut: Cut, at: number) => cut.from === spans[at]?.from && cut.to === spans[at]?.to;
	const untouched = pending.findIndex((cut, at) => !isSame(cut, at));
	const replaced = pending.slice(untouched);
	const [next] = replaced;
	if (!next || untouched === -1) return [];
	const cuts: Span[] = [];
	let number = next.number - 1;
	let id = next.before;
	for (const { from, to } of spans.slice(untouched)) {
		const before = id;
		number += 1;
		const drawn = drawnId(number, to, mark);
		id = drawn;
		cuts.push({ id: drawn, cut: number, before, from, to, ...sizeOf(state, from, to) });
	}
	if (cuts.some((cut) => isOfAnother(state, cut))) return [];
	const isNew = ({ from, to }: Span) => !replaced.some((cut) => cut.from === from && cut.to === to);
	const short = cuts.find((cut) => isNew(cut) && cut.chars < LEAST_CUT && cut.images === 0);
	if (short)
		throw new CommandError(
			"SPAN_INVALID",
			`the cut from ${short.from} to ${short.to} would hold ${short.chars} characters, fewer than the ${LEAST_CUT} a cut needs`,
		);
	const data = { ...fieldsOf(state, command, "recut"), mark, replaces: replaced.map((cut) => cut.id), cuts };
	const drawn: Recut = { type: "mark/recut", data };
	const more = followedBy(state, command, drawn, replaced);
	return [completed(state, command, { ...drawn, data: { ...data, ...more } })];
}

/** Whether the name of a cut stands for another stretch already: another copy of the session gave it. */
function isOfAnother(state: QuoteState, { id, before, from }: Span): boolean {
	const known = cutOf(state.forest, id);
	return known !== undefined && (known.before !== before || known.from !== from);
}

/** What of the cuts replaced follows their stretches. */
function followedBy(
	state: QuoteState,
	command: DrawCommand,
	drawn: Recut,
	replaced: readonly Cut[],
): Pick<Recut["data"], "withdrawn" | "texts"> {
	const plan = planAt(state, command.leaf);
	const spanOf = ({ from, to }: Reach) => `${from} ${to}`;
	const before = new Map(replaced.map((cut) => [spanOf(cut), cut.id]));
	const same = drawn.data.cuts.map((cut) => ({ cut: cut.id, was: before.get(spanOf(cut)) ?? "" }));
	const withdrawn = same.flatMap(({ cut, was }) => (plan?.withdrawn.has(was) ? [cut] : []));
	const told = same.flatMap(({ cut, was }) => {
		const text = plan?.texts.get(was);
		return text ? [{ cut, text }] : [];
	});
	const texts = told.length > 0 ? command.supplyAgain(drawn, told) : [];
	return { ...(withdrawn.length > 0 && { withdrawn }), ...(texts.length > 0 && { texts }) };
}

/** The last entry of the cut that {@link recut} would draw, whatever that is called then. Throws as that does. */
export function lastOfSpan(state: QuoteState, leaf: string | null, ids: readonly string[]): string {
	const named = ids.map((id) => nowCalled(state, leaf, id));
	const [, last] = spanNamed(state, { leaf, ids: named }, pendingCuts(state, leaf, planAt(state, leaf)));
	return last.id;
}

/** The mark that holds an entry; `undefined` where none does. */
export function markAround(state: QuoteState, leaf: string | null, entry: string): Cut | undefined {
	const { depth } = edge(state, entry);
	return pendingCuts(state, leaf, planAt(state, leaf)).find(({ to }) => edge(state, to).depth >= depth);
}

function spanNamed(
	state: QuoteState,
	{ leaf, ids }: Pick<RecutCommand, "leaf" | "ids">,
	pending: readonly Cut[],
): [first: EntryNode, last: EntryNode] {
	const path = new Map(stretch(state.tree, leaf, -1).map((node) => [node.id, node]));
	const ends = ids.flatMap((id) => {
		const entry = path.get(id);
		if (entry && isFoldable(entry)) return unitAround(path, entry);
		pathCut(state, leaf, id);
		return cutsOf(state, id).flatMap(({ from, to }) => [edge(state, from), edge(state, to)]);
	});
	ends.sort((a, b) => a.depth - b.depth);
	const first = ends[0];
	const last = ends.at(-1);
	const from = pending[0] && edge(state, pending[0].from).depth;
	const to = pending.at(-1) && edge(state, pending.at(-1)?.to ?? "").depth;
	if (first && last && from !== undefined && to !== undefined && first.depth >= from && last.depth <= to)
		return [first, last];
	throw new CommandError("SPAN_INVALID", "only what is marked and not folded yet can be cut anew", {
		action: "status",
	});
}

function edge(state: QuoteState, id: string): EntryNode {
	const node = nodeOf(state.tree, id);
	if (!node) throw new RangeError(`no entry ${id} in this session`);
	return node;
}

function isLong(state: QuoteState, from: string, to: string): boolean {
	const { chars, images } = sizeOf(state, from, to);
	return chars >= LEAST_CUT || images > 0;
}

/** The last foldable entry before one. */
function before(state: QuoteState, { parent }: EntryNode): EntryNode {
	let node = edge(state, parent ?? "");
	while (!isFoldable(node)) node = edge(state, node.parent ?? "");
	return node;
}

/** The first foldable entry behind one, on the path to a leaf. */
function behind(state: QuoteState, leaf: string | null, { depth }: EntryNode): EntryNode {
	const next = stretch(state.tree, leaf, depth).find((node) => isFoldable(node));
	if (!next) throw new RangeError("nothing stands behind the last entry");
	return next;
}

function sizeOf(state: QuoteState, from: string, to: string): { chars: number; images: number } {
	let chars = 0;
	let images = 0;
	for (const node of stretch(state.tree, to, edge(state, from).depth - 1)) {
		if (!isFoldable(node)) continue;
		chars += node.weight.chars;
		images += node.weight.images;
	}
	return { chars, images };
}
