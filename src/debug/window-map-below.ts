import { tokensOf } from "../../projections/calibration.ts";
import type { Cut } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { type EntryNode, isFoldable, nodeOf, stretch } from "../../projections/session-tree.ts";
import { rewritingsAt, textUnder } from "../../projections/standing.ts";
import { type Item, planAt } from "../../projections/window-plan.ts";
import { cutsOf } from "../commands/fold-path.ts";
import { partsAt } from "./fold-rows.ts";
import { previewOf, shownText, textOf } from "./screen-text.ts";
import { shreddedWords } from "./shredded.ts";
import { closedRow, itemRow, type MapDesk, type MapRow } from "./window-map.ts";

/**
 * The rows below a row: the parts of a group, the entries of anything else; none where it has none. O(what is below
 * it).
 */
export function rowsBelow({ states, request }: MapDesk, row: MapRow): MapRow[] {
	const plan = planAt(states, request.leaf) ?? BARE_PLAN;
	if (row.kind === "fold" && row.level > 0) {
		const parent = row.fold.id;
		const rewritings = rewritingsAt(states, request.leaf);
		return partsAt(states.forest, row.cut, row.level).map(({ cut, text }) => {
			const placed = { cut, text: textUnder(plan, text, rewritings), depth: 0, parent };
			return closedRow(states, plan, { ...placed, state: "nested" }, 0);
		});
	}
	if (row.kind === "fold")
		return foldedIn(states, row.cut, plan.held).map((node) => ({
			key: `entry:${node.id}`,
			kind: "entry",
			node,
			standing: "folded",
			tokens: 0,
			source: tokensOf(states.calibration, node.weight),
		}));
	return itemsOf(row).flatMap((item) => itemRow(states, plan, item));
}

/** Whether rows stand below a row. */
export function isOpenable({ kind, ...row }: MapRow): boolean {
	if (kind === "fold" || kind === "mark" || kind === "raw") return true;
	return kind === "opened" && "items" in row && row.items.length > 0;
}

/** Entries a row stands for, of which `clipped` and `pinned` are; by role, most first. O(what is below it). */
export function countsOf({ states, request }: MapDesk, row: MapRow) {
	const plan = planAt(states, request.leaf) ?? BARE_PLAN;
	const roles = new Map<string, number>();
	let [entries, clipped, pinned] = [0, 0, 0];
	const take = ({ id, role = "" }: EntryNode) => {
		entries += 1;
		roles.set(role, (roles.get(role) ?? 0) + 1);
		if (plan.pins.has(id)) pinned += 1;
	};
	if (row.kind === "fold" || (row.kind === "opened" && row.items.length === 0)) {
		for (const cut of cutsOf(states, row.fold.id))
			for (const node of foldedIn(states, cut, plan.held)) take(node);
	}
	for (const item of itemsOf(row)) {
		if (!("node" in item)) continue;
		take(item.node);
		if (item.kind === "clipped") clipped += 1;
	}
	return { entries, clipped, pinned, roles: [...roles].sort((a, b) => b[1] - a[1]) };
}

/** The entries a row stands for, by id: what pinning it pins. O(what is below it). */
export function entryIdsOf({ states, request }: MapDesk, row: MapRow): string[] {
	if (row.kind === "entry") return [row.node.id];
	if (row.kind === "fold") {
		const held = planAt(states, request.leaf)?.held ?? [];
		return cutsOf(states, row.fold.id).flatMap((cut) => foldedIn(states, cut, held).map(({ id }) => id));
	}
	return itemsOf(row).flatMap((item) => ("node" in item && isFoldable(item.node) ? [item.node.id] : []));
}

/**
 * Where on its path the last entry is that a row stands for, counted from the root; `undefined` where it stands for
 * none.
 */
export function endOf({ states: { tree } }: MapDesk, row: MapRow): number | undefined {
	if (row.kind === "entry") return row.node.depth;
	if (row.kind === "fold" || row.kind === "mark") return nodeOf(tree, row.fold.to)?.depth;
	const last = itemsOf(row).findLast((item) => "node" in item);
	return last && "node" in last ? last.node.depth : undefined;
}

/** The preview of an entry's row: what stands of it in the window. */
export function previewIn(desk: MapDesk, row: Extract<MapRow, { kind: "entry" }>): string {
	const node = row.edit ?? row.node;
	const entry = desk.entry(node.id);
	return entry ? previewOf(entry) : wordsOfMissing(desk, node.digest);
}

/**
 * What a row says when it is opened: an entry's text, a fold's brief, the receipt; and how many characters are left
 * out.
 */
export function saidBy(desk: MapDesk, row: MapRow): { readonly text: string; readonly left: number } {
	if (row.kind === "entry") {
		const node = row.edit ?? row.node;
		const entry = desk.entry(node.id);
		return entry ? textOf(entry) : { text: wordsOfMissing(desk, node.digest), left: 0 };
	}
	if (row.kind === "receipt") {
		const bytes = desk.content(row.text);
		return { text: bytes ? shownText(decoded(bytes)) : wordsOfMissing(desk, row.text), left: 0 };
	}
	if ("fold" in row) {
		const { brief } = row.fold;
		return { text: shreddedWords(desk.states, brief) ?? shownText(desk.briefOf(brief)), left: 0 };
	}
	return { text: "", left: 0 };
}

function wordsOfMissing({ states }: MapDesk, digest: string): string {
	return shreddedWords(states, digest) ?? "(not readable any more)";
}

function itemsOf(row: MapRow): readonly Item[] {
	return "items" in row ? row.items : [];
}

/** The entries of a cut that its text stands for. */
function foldedIn({ tree }: MapDesk["states"], { from, to }: Cut, held: readonly string[]): EntryNode[] {
	const above = (nodeOf(tree, from)?.depth ?? 0) - 1;
	const inView = new Set(held);
	return stretch(tree, to, above).filter(
		(node) => node.fate === "sent" && isFoldable(node) && !inView.has(node.id),
	);
}

function decoded(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}
