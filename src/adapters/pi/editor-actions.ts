import { isFoldable } from "../../../projections/session-tree.ts";
import { planAt } from "../../../projections/window-plan.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import type { MapRow, WindowMap } from "../../debug/window-map.ts";
import { entryIdsOf } from "../../debug/window-map-below.ts";
import type { Line } from "./editor-list.ts";

/** What a key asks for and what follows on it, or why it asks for nothing. */
export type Asked = { readonly command: WindowCommand; readonly effect: string } | { readonly not: string };

/** A row that stands for a fold, or for a mark, which may become one. */
type FoldLike = Extract<MapRow, { kind: "fold" | "opened" | "mark" }>;

/** Pins what is selected, or where all of it is pinned already lifts that. */
export function pinning({ desk }: WindowMap, { row }: Line): Asked {
	if (row.kind === "raw") return { not: "open this, and pin one of its messages" };
	const ids = entryIdsOf(desk, row);
	if (ids.length === 0) return { not: "no message is selected that could be pinned" };
	const pins = planAt(desk.states, desk.request.leaf)?.pins;
	if (ids.every((id) => pins?.has(id)))
		return { command: { do: "unpin", ids }, effect: "unpinned: the next commit may fold it" };
	return { command: { do: "pin", ids }, effect: "pinned with the rest of its exchange: raw until unpinned" };
}

/** Withdraws the mark that is selected, or has a fold put back. */
export function withdrawing(line: Line): Asked {
	const row = foldAround(line);
	if (!row) return { not: "select a staged stretch to withdraw it, or a fold to have it put back" };
	const { id, withdrawn } = row.fold;
	if (withdrawn) return { not: "it is raw at the next commit already" };
	if (row.kind === "mark")
		return {
			command: { do: "unmark", ids: [id] },
			effect: "withdrawn: raw at the next commit, and for eight requests from then",
		};
	return {
		command: { do: "toRaw", ids: [id] },
		effect: "its messages are put back at the next commit, for eight requests at least",
	};
}

/** Opens the fold that is selected, or closes it where it is open. */
export function opening(line: Line): Asked {
	const row = foldAround(line);
	if (row?.kind === "opened")
		return {
			command: { do: "refold", fold: row.fold.id },
			effect: "its text stands again from the next request on",
		};
	if (row)
		return {
			command: { do: "expand", fold: row.fold.id },
			effect: "open in the window from the next request on",
		};
	return { not: "select a fold to open it in the window" };
}

/** The mark whose brief is to be typed. */
export function briefed(line: Line): Extract<MapRow, { kind: "mark" }> | { readonly not: string } {
	const row = foldAround(line);
	if (row?.kind === "mark") return row;
	return {
		not: row
			? "it is folded already: its text stands; a brief goes to a staged stretch"
			: "select a staged stretch to give it a brief",
	};
}

/**
 * What names a line as an end of a stretch to be staged as one; `undefined` where it can be none, for only what is
 * staged can be cut anew.
 */
export function boundaryAt(line: Line): string | undefined {
	const { row } = line;
	if (row.kind === "mark") return row.fold.id;
	if (row.kind !== "entry" || !isFoldable(row.node)) return undefined;
	return foldAround(line)?.kind === "mark" ? row.node.id : undefined;
}

function foldAround(line: Line): FoldLike | undefined {
	for (let at: Line | undefined = line; at; at = at.parent) {
		const { row } = at;
		if (row.kind === "fold" || row.kind === "opened" || row.kind === "mark") return row;
	}
	return undefined;
}
