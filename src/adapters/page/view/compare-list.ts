import { type ComponentChildren, h } from "preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { DiffRow } from "../../../debug/window-diff.ts";
import type { WindowRow } from "../../../debug/window-rows.ts";
import { causeWords, changeSigns, changeWords } from "./change-words.ts";
import { type CompareLine, linesOf } from "./compare-lines.ts";
import { count, counted, short } from "./numbers.ts";
import { go } from "./place.ts";
import { lookOf } from "./standings.ts";
import { useSize } from "./use-size.ts";
import { VirtualList } from "./virtual-list.ts";
import { whoInWords } from "./who.ts";

/** Narrower than this, both windows stand in one column, pixels. */
const NARROW = 480;

/** The rows of a comparison: differences alone, or all of them. */
export function CompareList({ rows, label }: { rows: readonly DiffRow[]; label: string }): ComponentChildren {
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const [showsAll, showAll] = useState(false);
	const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
	const [cursor, setCursor] = useState(-1);
	const isUnified = width > 0 && width < NARROW;
	const lines = useMemo(
		() => linesOf(rows, { isUnified, showsAll, opened }),
		[rows, isUnified, showsAll, opened],
	);
	const on = Math.min(cursor, lines.length - 1);
	const choose = useCallback(
		(index: number) => {
			const line = lines[index];
			if (line?.kind === "run") setOpened((was) => new Set(was).add(line.from));
			else if (line) go({ entry: shownOf(line)?.id }, true);
		},
		[lines],
	);
	const row = useCallback(
		(index: number) => {
			const line = lines[index];
			return line ? { cells: cellsOf(line, isUnified), name: nameOf(line) } : { cells: [], name: "" };
		},
		[lines, isUnified],
	);
	const tab = (all: boolean, words: string) =>
		h("button", { type: "button", "aria-pressed": all === showsAll, onClick: () => showAll(all) }, words);
	return h(
		"div",
		{ class: "compare-list", ref: box },
		h(
			"div",
			{ class: "compare-tools" },
			h(
				"div",
				{ class: "switch", role: "group", "aria-label": "Which rows" },
				tab(false, "Differences"),
				tab(true, "All rows"),
			),
			h(Chosen, { line: lines[on] }),
		),
		lines.length === 0
			? h("p", { class: "empty" }, "Both windows hold nothing but the prompt.")
			: h(VirtualList, {
					label,
					name: "compare",
					count: lines.length,
					cursor: on,
					chosen: -1,
					onCursor: setCursor,
					onChoose: choose,
					row,
				}),
	);
}

/** Why the row that is pointed at differs, and ways on. */
function Chosen({ line }: { line: CompareLine | undefined }): ComponentChildren {
	if (line?.kind !== "row") {
		return h("span", { class: "quiet cut" }, line ? "Enter shows these rows." : "");
	}
	const { row } = line;
	const shown = shownOf(line);
	return [
		h(
			"span",
			{ class: "cut", title: causeWords(row) },
			changeWords[row.change],
			row.cause !== undefined && `: ${causeWords(row)}`,
		),
		h("span", { class: "grow" }),
		row.decision !== undefined && h("span", { class: "mono quiet cut", title: row.decision }, row.decision),
		shown &&
			h(
				"button",
				{ type: "button", class: "link", onClick: () => go({ entry: shown.id, panel: "item" }) },
				"Open",
			),
	];
}

function shownOf(line: CompareLine): WindowRow | undefined {
	if (line.kind === "run") return undefined;
	const { row, side } = line;
	return side === "a" ? row.a : (row.b ?? row.a);
}

function cellsOf(line: CompareLine, isUnified: boolean): ComponentChildren {
	if (line.kind === "run") {
		return h(
			"span",
			{ class: "compare-run" },
			`${count(line.rows)} the same`,
			h("span", { class: "quiet" }, `${short(line.tokens)} tokens`),
		);
	}
	const { row, side } = line;
	if (isUnified) {
		const change = side === "a" ? "removed" : side === "b" ? "added" : row.change;
		return h(
			"span",
			{ class: `unified ${change}` },
			h("span", { class: "sign" }, changeSigns[change]),
			h(Cell, { item: shownOf(line), isOld: change === "removed" }),
		);
	}
	return h(
		"span",
		{ class: `pair ${row.change}` },
		row.a ? h(Cell, { item: row.a, isOld: row.change !== "same" }) : h(Cause, { row }),
		h("span", { class: "sign" }, changeSigns[row.change]),
		row.b ? h(Cell, { item: row.b, isOld: false }) : h(Cause, { row }),
	);
}

function Cell({ item, isOld }: { item: WindowRow | undefined; isOld: boolean }): ComponentChildren {
	if (!item) return null;
	return h(
		"span",
		{ class: isOld ? "side old" : "side" },
		h("i", { class: `swatch ${item.standing}` }),
		h("span", { class: "cut grow" }, item.title || whoInWords(item)),
		h("span", null, short(item.tokens)),
	);
}

function Cause({ row }: { row: DiffRow }): ComponentChildren {
	return h("span", { class: "side none quiet cut" }, causeWords(row));
}

function nameOf(line: CompareLine): string {
	if (line.kind === "run")
		return `${counted(line.rows, "row")} the same, ${count(line.tokens)} tokens. Enter shows them.`;
	const { row } = line;
	const told = (item: WindowRow | undefined) =>
		item &&
		`${lookOf(item.standing).word}, ${whoInWords(item)}, ${counted(item.tokens, "token")}, ${item.title}`;
	const both = row.change === "replaced" ? [told(row.a), "now", told(row.b)] : [told(row.b ?? row.a)];
	return [
		`${changeWords[row.change]}${row.cause === undefined ? "" : ` (${causeWords(row)})`}`,
		...both,
	].join(": ");
}
