import { tokensOf } from "../../projections/calibration.ts";
import {
	type Cut,
	cutOf,
	lastCutOf,
	type Rewriting,
	type Standing,
	startOf,
} from "../../projections/forest.ts";
import { BARE_PLAN, type Plan } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { rewritingsAt, standingAt, textUnder } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { headItems, type Item, planAt, tailItems, weightOf } from "../../projections/window-plan.ts";
import { type Occurring, prospectAt } from "../commands/commit.ts";
import { pendingCuts } from "../commands/fold-path.ts";
import { isDrawn } from "../commands/recut.ts";
import { type FoldRow, foldRow, type Placed } from "./fold-rows.ts";
import { type FoldStatus, foldStatusAt } from "./fold-status.ts";

/** What a map is made from, and what its rows are read with later on. */
export interface MapDesk {
	readonly states: SessionStates;
	readonly request: Occurring;
	readonly entry: (id: string) => TranscriptEntry | undefined;
	/** a brief as text, by its digest */
	readonly briefOf: (digest: string) => string;
	/** what was supplied for a fold word for word, by the digest of its brief */
	readonly suppliedIn: (digest: string) => string | undefined;
	/** content by its digest */
	readonly content: (digest: string) => Uint8Array | undefined;
}

interface Weighed {
	/** the same for the same thing in every map of a session, and no two rows of a map have one */
	readonly key: string;
	/** tokens it takes in the window now; 0 for what is out of view */
	readonly tokens: number;
}

/** How an entry stands in the window. */
export type EntryStanding =
	| "raw"
	| "folded"
	| "clipped"
	| "pinned"
	| "held"
	| "edited"
	| "checkpoint"
	| "summary";

/** What the next commit does to a mark: folds it, leaves it raw for being too young, or because it was withdrawn. */
type MarkNext = "folds" | "waits" | "withdrawn";

/** One row of the map, in the order the model reads the window. */
export type MapRow = Weighed &
	(
		| { readonly kind: "base" }
		/** what the last commit told the model; a digest */
		| { readonly kind: "receipt"; readonly text: string }
		| { readonly kind: "fold"; readonly fold: FoldRow; readonly cut: Cut; readonly level: number }
		/** a fold shown by its parts: of a group they are the rows that follow, of a cut the entries below it */
		| { readonly kind: "opened"; readonly fold: FoldRow; readonly items: readonly Item[] }
		| {
				readonly kind: "mark";
				readonly fold: FoldRow;
				readonly items: readonly Item[];
				readonly next: MarkNext;
				/** whether someone drew it, or cuts before it, anew */
				readonly isDrawn: boolean;
				/** tokens that its folding takes out of the window */
				readonly frees: number;
		  }
		| { readonly kind: "raw"; readonly items: readonly Item[] }
		| {
				readonly kind: "entry";
				readonly node: EntryNode;
				readonly standing: EntryStanding;
				/** the edit that is shown instead */
				readonly edit?: EntryNode;
				/** digest of what is left in view */
				readonly clip?: string;
				/** tokens of the original */
				readonly source: number;
		  }
	);

/** The window before the next request. */
export interface WindowMap {
	readonly desk: MapDesk;
	readonly status: FoldStatus;
	/** tokens a commit now would free and have taken in again; absent where nothing is foldable */
	readonly commit?: { readonly frees: number; readonly rewrites: number };
	readonly rows: readonly MapRow[];
}

/** The map of the window at a request: its top rows. O(window, and cuts of the path). */
export function windowMap(desk: MapDesk): WindowMap {
	const { states, request } = desk;
	const plan = planAt(states, request.leaf);
	const prospect = prospectAt(states, request);
	const { freed, rewritten } = prospect?.quote ?? {};
	const base: MapRow = { key: "base", kind: "base", tokens: states.calibration.base };
	return {
		desk,
		status: foldStatusAt(states, request),
		...(prospect && { commit: { frees: freed ?? 0, rewrites: rewritten ?? 0 } }),
		rows: [
			base,
			...headRows(states, request.leaf, plan),
			...tailRows(states, request.leaf, plan, prospect?.candidate.through?.number ?? 0),
		],
	};
}

/** The row of an entry as an item of the window shows it. */
export function itemRow(states: SessionStates, plan: Plan, item: Item): MapRow[] {
	if (item.kind === "fold" || item.kind === "shown" || item.kind === "answer") return [];
	const { node } = item;
	const isHeld = node.depth <= depthOf(states, cutOf(states.forest, plan.through)?.to);
	const standing = (): EntryStanding => {
		if (node.kind === "compaction") return states.compactions.byEntry.get(node.id) ? "checkpoint" : "summary";
		if (item.kind !== "entry") return item.kind;
		if (plan.pins.has(node.id)) return "pinned";
		return isHeld && plan.held.includes(node.id) ? "held" : "raw";
	};
	return [
		{
			key: `entry:${node.id}`,
			kind: "entry",
			node,
			standing: standing(),
			tokens: itemTokens(states, item),
			source: tokensOf(states.calibration, node.weight),
			...(item.kind === "edited" && { edit: item.edit }),
			...(item.kind === "clipped" && { clip: item.clip.text }),
		},
	];
}

/** The row of a closed fold; `tokens` is 0 where another stands for it. */
export function closedRow(states: SessionStates, plan: Plan, placed: Placed, tokens: number): MapRow {
	const fold = foldRow(states, plan, placed);
	return { key: `fold:${fold.id}`, kind: "fold", fold, cut: placed.cut, level: placed.text.level, tokens };
}

/** What stands before the raw tail, and the last checkpoint or summary. */
function headRows(states: SessionStates, leaf: string | null, plan: Plan | undefined): MapRow[] {
	const items = headItems(states, leaf, plan);
	if (!plan) return items.flatMap((item) => itemRow(states, BARE_PLAN, item));
	const standing = standingAt(states, leaf, plan);
	const open = standing.filter(({ isOpen }) => isOpen);
	const byFold = new Map(standing.map((part) => [part.text.fold, part]));
	const groups = openedGroups(states, leaf, plan);
	const partOf = (item: Item): Standing | undefined => {
		if (item.kind === "fold") return byFold.get(item.fold);
		if (!("node" in item)) return undefined;
		return open.find(({ cut }) => isWithin(states, item.node, cut));
	};
	const rows: MapRow[] = [];
	for (const { owner, items: run } of runs(items, partOf)) {
		const first = owner && (startOf(states.forest, owner.cut, owner.text.level)?.number ?? 0) + 1;
		while (first !== undefined && groups[0] && groups[0].first <= first)
			rows.push(openedRow(states, plan, groups.shift() as Opened, []));
		if (owner?.isOpen) rows.push(openedRow(states, plan, owner, run));
		else if (owner)
			rows.push(closedRow(states, plan, { ...owner, depth: 0, state: "standing" }, tokensIn(states, run)));
		else rows.push(...run.flatMap((item) => looseRow(states, plan, item)));
	}
	return rows;
}

function looseRow(states: SessionStates, plan: Plan, item: Item): MapRow[] {
	if (item.kind !== "shown") return itemRow(states, plan, item);
	return [{ key: "receipt", kind: "receipt", text: item.text, tokens: itemTokens(states, item) }];
}

type Opened = Pick<Standing, "cut" | "text">;

function openedRow(states: SessionStates, plan: Plan, { cut, text }: Opened, items: readonly Item[]): MapRow {
	const fold = foldRow(states, plan, { cut, text, depth: 0, state: "open" });
	return { key: `fold:${fold.id}`, kind: "opened", fold, items, tokens: tokensIn(states, items) };
}

/** The groups shown by their parts, with the number of the first cut each covers; outer ones first. */
function openedGroups(
	states: SessionStates,
	leaf: string | null,
	plan: Plan,
): (Opened & { readonly first: number })[] {
	const rewritings = rewritingsAt(states, leaf);
	const groups = [...plan.expanded.keys()].flatMap((id) => {
		const cut = lastCutOf(states.forest, id);
		const written = cut?.texts.find(({ fold }) => fold === id);
		if (!cut || !written || written.level === 0) return [];
		const text = textUnder(plan, written, rewritings);
		return [{ cut, text, first: (startOf(states.forest, cut, text.level)?.number ?? 0) + 1 }];
	});
	return groups.sort((a, b) => a.first - b.first || b.text.level - a.text.level);
}

/** What is raw behind the last fold: marks, and what none has taken yet. */
function tailRows(
	states: SessionStates,
	leaf: string | null,
	plan: Plan = BARE_PLAN,
	through: number,
): MapRow[] {
	const rewritings = rewritingsAt(states, leaf);
	const pending = pendingCuts(states, leaf, plan).filter(({ texts }) => texts[0] !== undefined);
	const spans = pending.map((cut) => ({ cut, from: depthOf(states, cut.from), to: depthOf(states, cut.to) }));
	let next = 0;
	const cutAround = (item: Item): Cut | undefined => {
		if (!("node" in item)) return undefined;
		const { depth } = item.node;
		while (depth > (spans[next]?.to ?? depth)) next++;
		const span = spans[next];
		return span && depth >= span.from ? span.cut : undefined;
	};
	const items = tailItems(states, leaf, plan.id === "" ? undefined : plan);
	return runs(items, cutAround).map(({ owner, items: run }) =>
		owner ? markRow({ states, plan, through, rewritings }, owner, run) : rawRow(states, run),
	);
}

function rawRow(states: SessionStates, items: readonly Item[]): MapRow {
	const first = items.find((item) => "node" in item);
	const id = first && "node" in first ? first.node.id : "";
	return { key: `raw:${id}`, kind: "raw", items, tokens: tokensIn(states, items) };
}

interface MarkDesk {
	readonly states: SessionStates;
	readonly plan: Plan;
	/** number of the last cut that the next commit folds */
	readonly through: number;
	readonly rewritings: readonly Rewriting[];
}

function markRow({ states, plan, through, rewritings }: MarkDesk, cut: Cut, items: readonly Item[]): MapRow {
	const [written] = cut.texts;
	const text = written && textUnder(plan, written, rewritings);
	if (!text) return rawRow(states, items);
	const fold = foldRow(states, plan, { cut, text, depth: 0, state: "pending" });
	const stays = (item: Item) =>
		"node" in item && (item.node.role === "system" || plan.pins.has(item.node.id));
	const foldable = tokensIn(
		states,
		items.filter((item) => !stays(item)),
	);
	const waits = cut.number > through ? "waits" : "folds";
	return {
		key: `fold:${fold.id}`,
		kind: "mark",
		fold,
		items,
		tokens: tokensIn(states, items),
		next: fold.withdrawn ? "withdrawn" : waits,
		isDrawn: isDrawn(cut.id),
		frees: Math.max(0, foldable - fold.text),
	};
}

/** Neighbours that belong to one thing, or to none, together. What answers a call belongs to what stands before it. */
function runs<T extends object>(
	items: readonly Item[],
	ownerOf: (item: Item) => T | undefined,
): { readonly owner: T | undefined; readonly items: Item[] }[] {
	const found: { owner: T | undefined; items: Item[] }[] = [];
	for (const item of items) {
		const last = found.at(-1);
		const owner = item.kind === "answer" ? last?.owner : ownerOf(item);
		if (last && last.owner === owner) last.items.push(item);
		else found.push({ owner, items: [item] });
	}
	return found;
}

function tokensIn(states: SessionStates, items: readonly Item[]): number {
	let tokens = 0;
	for (const item of items) tokens += itemTokens(states, item);
	return tokens;
}

function itemTokens({ calibration }: SessionStates, item: Item): number {
	if (item.kind === "clipped") return tokensOf(calibration, { chars: item.clip.chars, images: 0 });
	if (item.kind === "edited") return tokensOf(calibration, item.edit.leaves ?? item.edit.weight);
	return tokensOf(calibration, weightOf(item));
}

function isWithin(states: SessionStates, { depth }: EntryNode, { from, to }: Cut): boolean {
	return depth >= depthOf(states, from) && depth <= depthOf(states, to);
}

function depthOf({ tree }: SessionStates, entry: string | undefined): number {
	return nodeOf(tree, entry ?? null)?.depth ?? -1;
}
