import { tokensOf } from "../../projections/calibration.ts";
import {
	type Cut,
	cutOf,
	type FoldText,
	type Forest,
	lastCutOf,
	partsOf,
	type Rewriting,
	type Standing,
	startOf,
} from "../../projections/forest.ts";
import { shownFrom } from "../../projections/host-view.ts";
import { BARE_PLAN, type Plan } from "../../projections/plans.ts";
import { type EntryNode, isFoldable, nodeOf, stretch } from "../../projections/session-tree.ts";
import { rewritingsAt, standingAt, textUnder } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";
import { pendingCuts } from "../commands/fold-path.ts";

/**
 * How a fold stands: in the window, inside one that does, opened, marked and not folded yet, or out of the window by a
 * compaction of the host's.
 */
type FoldState = "standing" | "nested" | "open" | "pending" | "compacted";

/** A fold of a path. Sizes are estimated tokens. */
export interface FoldRow {
	readonly id: string;
	readonly state: FoldState;
	/** 0 at the top of the window */
	readonly depth: number;
	readonly parent?: string;
	/** folds right below it */
	readonly children: number;
	readonly from: string;
	readonly to: string;
	/** tokens of the originals, and of the text that stands or would stand for them */
	readonly source: number;
	readonly text: number;
	/** digest of its brief as structured data */
	readonly brief: string;
	readonly supplied: boolean;
	/** pending: the next commit leaves it raw */
	readonly withdrawn: boolean;
}

/** How an entry stands in a window. */
type EntryState = "raw" | "folded" | "clipped" | "pinned" | "held" | "open" | "compacted";

/** An entry a model is sent, as it stands in the window. */
export interface EntryRow {
	readonly id: string;
	readonly role: string;
	readonly state: EntryState;
	/** the fold in the window that stands for it */
	readonly fold?: string;
	/** estimated tokens of the original */
	readonly tokens: number;
	/** hex SHA-256 of its bytes */
	readonly sha256: string;
}

/**
 * Every fold of the path to a leaf, in transcript order, parents before their children; groups that are open before all
 * others, marks last. O(cuts).
 */
export function foldRows(states: SessionStates, leaf: string | null): FoldRow[] {
	const rewritings = rewritingsAt(states, leaf);
	const plan = { ...(planAt(states, leaf) ?? BARE_PLAN), rewritings };
	const rows: FoldRow[] = [];
	const from = shownFrom(states.tree, leaf);
	for (const { cut, text, isOpen } of standingAt(states, leaf, plan)) {
		const inView = isOpen ? "open" : "standing";
		const state = depthOf(states, cut.to) < from ? "compacted" : inView;
		addNested(states, plan, rows, { cut, text, depth: 0, state });
	}
	const open = [...plan.expanded.keys()].filter((fold) => !rows.some((row) => row.id === fold));
	const opened = open.flatMap((fold) => rowOfFold(states, plan, fold) ?? []);
	const pending = pendingCuts(states, leaf, plan).flatMap((cut) => {
		const [written] = cut.texts;
		const text = written && textUnder(plan, written, rewritings);
		return text ? [foldRow(states, plan, { cut, text, depth: 0, state: "pending" })] : [];
	});
	return [...opened, ...rows, ...pending];
}

/** The entries of the path to a leaf that a model is sent or a fold stands for, root first. O(path). */
export function entryRows(states: SessionStates, leaf: string | null): EntryRow[] {
	const window = windowAt(states, leaf);
	let part = 0;
	return stretch(states.tree, leaf, -1).flatMap((node): EntryRow[] => {
		if (node.fate !== "sent") return [];
		while (part < window.ends.length - 1 && node.depth > (window.ends[part] as number)) part++;
		const stands = window.standing[part];
		return [entryRow(states, node, stateIn(window, node, stands), stands?.text.fold)];
	});
}

/**
 * The folds in the window to a leaf that stand for some entries, by the entries' ids. O(cuts, and the path from the leaf
 * up to the first of these entries).
 */
export function foldsOver(
	states: SessionStates,
	leaf: string | null,
	ids: readonly string[],
): Map<string, string> {
	const window = windowAt(states, leaf);
	const wanted = new Set(ids);
	const folds = new Map<string, string>();
	for (
		let node = nodeOf(states.tree, leaf);
		node && wanted.size > 0;
		node = nodeOf(states.tree, node.parent)
	) {
		if (!wanted.delete(node.id) || node.fate !== "sent") continue;
		const { depth } = node;
		const stands = window.standing.at(window.ends.findIndex((end) => depth <= end));
		if (stands && stateIn(window, node, stands) === "folded") folds.set(node.id, stands.text.fold);
	}
	return folds;
}

/** What stands in a window, and what is left out of it. */
interface WindowParts {
	readonly plan: Plan;
	readonly held: ReadonlySet<string>;
	readonly standing: readonly Standing[];
	/** depth of the last entry of each that stands */
	readonly ends: readonly number[];
	/** depth of the first entry that the host shows, and of the last that folds stand for */
	readonly from: number;
	readonly end: number;
}

function windowAt(states: SessionStates, leaf: string | null): WindowParts {
	const plan = planAt(states, leaf) ?? BARE_PLAN;
	const standing = standingAt(states, leaf, plan);
	return {
		plan,
		held: new Set(plan.held),
		standing,
		ends: standing.map(({ cut }) => depthOf(states, cut.to)),
		from: shownFrom(states.tree, leaf),
		end: depthOf(states, cutOf(states.forest, plan.through)?.to),
	};
}

/** How an entry stands; `stands` is what stands where it is. */
function stateIn({ plan, held, from, end }: WindowParts, node: EntryNode, stands?: Standing): EntryState {
	if (node.depth < from) return "compacted";
	if (plan.pins.has(node.id)) return "pinned";
	if (held.has(node.id)) return "held";
	if (node.depth <= end && isFoldable(node) && stands !== undefined) return stands.isOpen ? "open" : "folded";
	return plan.clips.has(node.id) ? "clipped" : "raw";
}

function entryRow(states: SessionStates, node: EntryNode, state: EntryState, fold?: string): EntryRow {
	const { id, role = "", digest, weight } = node;
	const tokens = Math.round(tokensOf(states.calibration, weight));
	const row = { id, role, state, tokens, sha256: digest };
	return state === "folded" && fold !== undefined ? { ...row, fold } : row;
}

/** A plan, and what edits made of texts where it is in force. */
interface EditedPlan extends Plan {
	readonly rewritings: readonly Rewriting[];
}

/** A fold's text at its last cut, and how it stands where. */
export interface Placed {
	readonly cut: Cut;
	readonly text: FoldText;
	readonly depth: number;
	readonly state: FoldState;
	readonly parent?: string;
}

function addNested(states: SessionStates, plan: EditedPlan, rows: FoldRow[], placed: Placed): void {
	rows.push(foldRow(states, plan, placed));
	const { cut, text, depth } = placed;
	if (text.level === 0) return;
	for (const part of partsAt(states.forest, cut, text.level)) {
		addNested(states, plan, rows, {
			cut: part.cut,
			text: textUnder(plan, part.text, plan.rewritings),
			depth: depth + 1,
			state: "nested",
			parent: text.fold,
		});
	}
}

/** The texts one level below a group with the last cut of each, oldest first. */
export function partsAt(forest: Forest, last: Cut, level: number): { cut: Cut; text: FoldText }[] {
	const parts: { cut: Cut; text: FoldText }[] = [];
	let cut: Cut | undefined = last;
	for (const _ of partsOf(forest, last, level)) {
		const text: FoldText | undefined = cut?.texts[level - 1];
		if (!cut || !text) break;
		parts.push({ cut, text });
		cut = startOf(forest, cut, level - 1);
	}
	return parts.reverse();
}

function rowOfFold(states: SessionStates, plan: EditedPlan, fold: string): FoldRow | undefined {
	const cut = lastCutOf(states.forest, fold);
	const written = cut?.texts.find((one) => one.fold === fold);
	const text = written && textUnder(plan, written, plan.rewritings);
	return cut && text && foldRow(states, plan, { cut, text, depth: 0, state: "open" });
}

/** One fold of a path. O(cuts it covers). */
export function foldRow(
	states: SessionStates,
	plan: Plan,
	{ cut, text, depth, state, parent }: Placed,
): FoldRow {
	const before = startOf(states.forest, cut, text.level);
	let [source, from, children] = [0, cut.from, 0];
	for (let one: Cut | undefined = cut; one && one.id !== before?.id; one = cutOf(states.forest, one.before)) {
		source += tokensOf(states.calibration, one);
		from = one.from;
	}
	if (text.level > 0) children = partsOf(states.forest, cut, text.level).length;
	return {
		id: text.fold,
		state,
		depth,
		...(parent !== undefined && { parent }),
		children,
		from,
		to: cut.to,
		source: Math.round(source),
		text: Math.round(tokensOf(states.calibration, { chars: text.chars, images: 0 })),
		brief: text.brief,
		supplied: plan.texts.has(text.fold),
		withdrawn: plan.withdrawn.has(cut.id),
	};
}

function depthOf(states: SessionStates, entry: string | undefined): number {
	return nodeOf(states.tree, entry ?? null)?.depth ?? -1;
}
