import { type ComponentChildren, h } from "preact";
import { useRef, useState } from "preact/hooks";
import type { TreeRow } from "../../../debug/fold-tree.ts";
import { FoldBranch, type FoldLevel, levelPath } from "./fold-branch.ts";
import { FoldFacts } from "./fold-facts.ts";
import { useKept } from "./kept.ts";
import { Failure } from "./notices.ts";
import { count, counted } from "./numbers.ts";
import { go } from "./place.ts";
import { usePage } from "./state.ts";
import { moveInTree } from "./tree-keys.ts";
import { useAnswer } from "./use-answer.ts";

/** The folds of the window at the playhead as a tree, a level at a time, and what is known of the one pointed at. */
export function FoldsPanel(): ComponentChildren {
	const at = usePage((state) => state.at);
	const { value, stale, error } = useAnswer<FoldLevel>(at > 0 ? levelPath(at, undefined) : undefined);
	if (error) return h(Failure, { error });
	if (!value) return h("p", { class: "panel-note" }, "Reading the folds…");
	if (value.total === 0) {
		return h(
			"div",
			{ class: "sheet small" },
			h("h2", null, "No folds yet"),
			h(
				"p",
				null,
				`Nothing was folded or marked in the window of request ${count(at)}. Later requests may show some.`,
			),
		);
	}
	return h(Folds, { at, level: value, stale });
}

function Folds({ at, level, stale }: { at: number; level: FoldLevel; stale: boolean }): ComponentChildren {
	const entry = usePage((state) => state.entry);
	const [unfolded, setUnfolded] = useKept<ReadonlySet<string>>("folds-unfolded", new Set());
	const [chosen, setChosen] = useState<TreeRow | undefined>(undefined);
	const tree = useRef<HTMLUListElement>(null);
	const pointed = chosen ?? level.rows[0];
	const toggle = (id: string) => {
		const next = new Set(unfolded);
		if (!next.delete(id)) next.add(id);
		setUnfolded(next);
	};
	const open = (id: string) => go({ entry: id, panel: "item" });
	const pick = (id: string) => go({ entry: id }, true);
	const key = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey || !tree.current) return;
		const act = moveInTree(tree.current, event.key);
		if (act === undefined) return;
		event.preventDefault();
		const id = (document.activeElement as HTMLElement | null)?.dataset.fold;
		if (id === undefined) return;
		if (act === "moved") pick(id);
		else if (act === "toggle") toggle(id);
		else open(id);
	};
	return h(
		"section",
		{ class: stale ? "folds stale" : "folds", "aria-label": "Folds", "aria-busy": stale },
		h("p", { class: "panel-note" }, summaryOf(level)),
		h(
			"ul",
			{ class: "tree", role: "tree", "aria-label": "Folds of the window", ref: tree, onKeyDown: key },
			h(FoldBranch, {
				at,
				level: 1,
				unfolded,
				cursor: pointed?.id,
				chosen: entry,
				onToggle: toggle,
				onPick: pick,
				onChosen: setChosen,
				onOpen: open,
			}),
		),
		pointed && h(FoldFacts, { row: pointed, onOpen: () => open(pointed.id) }),
	);
}

/** How many stand and how many wait, as far as they are listed. */
function summaryOf({ total, rows }: FoldLevel): string {
	if (rows.length < total) return `${counted(total, "fold")} on top`;
	const waiting = rows.filter(({ state }) => state === "pending").length;
	const source = rows.reduce((sum, row) => (row.state === "standing" ? sum + row.source : sum), 0);
	const text = rows.reduce((sum, row) => (row.state === "standing" ? sum + row.text : sum), 0);
	const stand = `${counted(total - waiting, "fold")} on top`;
	const told = source > 0 ? `: ${count(source)} tokens told in ${count(text)}` : "";
	return `${stand}${told}${waiting > 0 ? ` · ${count(waiting)} marked for a later commit` : ""}`;
}
