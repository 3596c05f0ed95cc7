import type { TreeRow } from "../../../debug/fold-tree.ts";
import { count, counted } from "./numbers.ts";

/** How a fold of the tree is named, and which swatch it has. */
export interface FoldLook {
	readonly word: string;
	/** what it means, as a sentence */
	readonly meaning: string;
	/** classes of its swatch */
	readonly swatch: string;
}

/** The look of a fold, in the colours of the window. */
export function foldLook({ state, children, withdrawn }: TreeRow): FoldLook {
	const kind = children > 0 ? "grouped" : "folded";
	switch (state) {
		case "standing":
			return {
				word: kind,
				meaning:
					children > 0
						? "It stands in the window, one text for several folds."
						: "Its text stands in the window, for what was said.",
				swatch: kind,
			};
		case "nested":
			return {
				word: "inside",
				meaning: "It is part of a group, and the group's text stands for it.",
				swatch: `${kind} inside`,
			};
		case "open":
			return {
				word: "open",
				meaning: "It was opened: its content stands in the window again.",
				swatch: "opened",
			};
		case "pending":
			return withdrawn
				? {
						word: "withdrawn",
						meaning: "Its mark was taken back: the next commit leaves it whole.",
						swatch: "raw waits",
					}
				: {
						word: "waiting",
						meaning:
							"It is marked and still stands whole. The next commit folds it, and none is made before it pays.",
						swatch: "raw waits",
					};
		case "compacted":
			return {
				word: "compacted",
				meaning: "A compaction took it out of the window.",
				swatch: "summary",
			};
		default:
			return { word: state, meaning: "", swatch: kind };
	}
}

/** What a screen reader says of a fold. */
export function foldName(row: TreeRow): string {
	const size = `${counted(row.source, "token")} told in ${count(row.text)}`;
	const parts = row.children > 0 ? [`${count(row.children)} parts`] : [];
	return [foldLook(row).word, row.id, ...parts, entriesOf(row), size, row.title].join(", ");
}

/** "1 entry", "98 entries" */
export function entriesOf({ entries }: Pick<TreeRow, "entries">): string {
	return entries === 1 ? "1 entry" : `${count(entries)} entries`;
}
