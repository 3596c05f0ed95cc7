import type { DiffRow } from "../../../debug/window-diff.ts";

const causes: Readonly<Record<string, string>> = {
	new: "came since",
	answer: "its result came",
	commit: "a commit",
	undo: "decisions taken back",
	expand: "a fold opened",
	refold: "a fold closed",
	pin: "a pin",
	unpin: "a pin lifted",
	compaction: "the host's compaction",
	edit: "an edit by the host",
	leaf: "another branch",
};

/** What made a row differ, in a few words. */
export function causeWords({ cause, into }: Pick<DiffRow, "cause" | "into">): string {
	const words = cause === undefined ? "" : (causes[cause] ?? cause);
	return into === undefined ? words : `${words}, into ${into}`;
}

/** What became of a row, in a word. */
export const changeWords: Readonly<Record<DiffRow["change"], string>> = {
	same: "the same",
	added: "added",
	removed: "gone",
	replaced: "shown otherwise",
};

/** A sign for what became of a row. */
export const changeSigns: Readonly<Record<DiffRow["change"], string>> = {
	same: "",
	added: "+",
	removed: "−",
	replaced: "≠",
};
