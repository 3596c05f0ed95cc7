import { tokensOf } from "../../../projections/calibration.ts";
import type { FoldRow } from "../../debug/fold-rows.ts";
import { count, percent, whole } from "../../debug/numbers.ts";
import { shownLine } from "../../debug/screen-text.ts";
import type { EntryStanding, MapDesk, MapRow, WindowMap } from "../../debug/window-map.ts";
import { countsOf, previewIn } from "../../debug/window-map-below.ts";
import { fullness, headline, nextWords } from "./status-words.ts";

/** Characters of a brief in a row. */
const BRIEF_CHARS = 160;

/** What stands before a row's words. */
export function glyphOf(row: MapRow, isOpen: boolean): string {
	switch (row.kind) {
		case "fold":
			return isOpen ? "▾" : "▸";
		case "opened":
			return "▿";
		case "mark":
			return "◇";
		case "receipt":
			return "≡";
		case "base":
		case "raw":
			return "·";
		case "entry":
			return row.standing === "pinned" ? "●" : row.standing === "held" ? "○" : "-";
		default:
			return row satisfies never;
	}
}

/** A row in words, on one line; parts behind the first are set apart by dots. */
export function rowWords(desk: MapDesk, row: MapRow): string {
	return partsOf(desk, row)
		.filter((part) => part !== "")
		.join(" · ");
}

function partsOf(desk: MapDesk, row: MapRow): string[] {
	switch (row.kind) {
		case "base":
			return [baseWords(desk, row.tokens)];
		case "receipt":
			return ["receipt of the last commit, for the model"];
		case "fold":
			return [
				row.level > 0 ? `group of ${count(row.fold.children, row.level > 1 ? "group" : "fold")}` : "fold",
				count(countsOf(desk, row).entries, "entry"),
				`was ~${whole(row.fold.source)}`,
				...(row.fold.withdrawn ? ["raw at the next commit"] : []),
				briefIn(desk, row.fold),
			];
		case "opened":
			return [
				row.fold.children > 0
					? `opened group, shown by its parts below`
					: `opened fold, ${count(countsOf(desk, row).entries, "entry")} in view`,
				`as a fold ~${whole(row.fold.text)}`,
				...(row.fold.withdrawn ? ["raw at the next commit"] : []),
				briefIn(desk, row.fold),
			];
		case "mark":
			return [
				markWords(row),
				row.next === "withdrawn" ? "" : `frees ~${whole(row.frees)} tokens`,
				countWords(desk, row),
				briefIn(desk, row.fold),
			];
		case "raw":
			return ["raw", countWords(desk, row), rolesIn(desk, row)];
		case "entry":
			return [standingWords(row.standing), row.node.role ?? row.node.kind, previewIn(desk, row)];
		default:
			return row satisfies never;
	}
}

/** What is billed of a prompt beyond the estimate of its messages. */
function baseWords({ states }: MapDesk, tokens: number): string {
	if (states.calibration.measured === 0) return "instructions and tools: not measured yet";
	if (tokens === 0) return "instructions and tools: too little to tell from the rest";
	return "about what instructions and tools take; no commit folds it";
}

function markWords({ next, isDrawn }: Extract<MapRow, { kind: "mark" }>): string {
	if (next === "withdrawn") return "withdrawn, raw at the next commit";
	const staged = isDrawn ? "staged, drawn anew" : "staged by automatic";
	return next === "waits" ? `${staged}, for later` : staged;
}

function standingWords(standing: EntryStanding): string {
	switch (standing) {
		case "raw":
		case "folded":
			return "";
		case "held":
			return "held raw";
		case "summary":
			return "summary of a compaction";
		case "clipped":
		case "pinned":
		case "edited":
		case "checkpoint":
			return standing;
		default:
			return standing satisfies never;
	}
}

function countWords(desk: MapDesk, row: MapRow): string {
	const { entries, clipped, pinned } = countsOf(desk, row);
	return [
		count(entries, "entry"),
		...(clipped > 0 ? [`${clipped} clipped`] : []),
		...(pinned > 0 ? [`${pinned} pinned`] : []),
	].join(", ");
}

function rolesIn(desk: MapDesk, row: MapRow): string {
	return countsOf(desk, row)
		.roles.map(([role, times]) => (times === 1 ? role : `${role} ×${times}`))
		.join(" ");
}

/** The brief of a fold, or first of all what was supplied for it. */
function briefIn(desk: MapDesk, { brief, supplied }: FoldRow): string {
	const own = supplied ? desk.suppliedIn(brief) : undefined;
	if (own !== undefined) return `brief: ${shownLine(own.slice(0, BRIEF_CHARS))}`;
	return shownLine(desk.briefOf(brief).slice(0, BRIEF_CHARS));
}

/** The tokens a row takes and its share of the budget; in parentheses what is out of view had taken. 13 columns. */
export function sizeWords({ desk, status }: WindowMap, row: MapRow): string {
	if (row.tokens > 0)
		return `${whole(row.tokens).padStart(7)} ${percent(row.tokens / status.budget).padStart(5)}`;
	if (row.kind === "opened" || row.kind === "base") return "".padStart(13);
	const source =
		row.kind === "fold"
			? row.fold.source
			: row.kind === "entry"
				? tokensOf(desk.states.calibration, row.node.weight)
				: 0;
	return `(${whole(source)})`.padStart(8).padEnd(13);
}

/** How full the window is and what comes next, a line each: how folding goes, the bar, the distance, what is staged. */
export function headWords({ status, commit }: WindowMap): readonly [string, string, string, string] {
	const { staged, pinned, folds } = status;
	const frees = commit
		? `a commit now frees ~${whole(Math.max(0, commit.frees))}, rewrites ~${whole(commit.rewrites)}`
		: "nothing is foldable yet";
	return [
		headline(status),
		fullness(status),
		nextWords(status),
		[
			`${staged.marks} staged, ~${whole(staged.tokens)} tokens`,
			frees,
			...(folds.nested > 0 ? [count(folds.here, "fold")] : []),
			...(pinned === undefined ? [] : [`${pinned} pinned`]),
		].join(" · "),
	];
}

/** Rows of a map that is told in words, and characters of each. */
const MOST_ROWS = 80;
const ROW_CHARS = 110;

/** The map in words: its top rows, a line each, and what changes it where there is no screen. */
export function mapWords(map: WindowMap): string {
	const rows = map.rows.slice(-MOST_ROWS);
	const left = map.rows.length - rows.length;
	return [
		...headWords(map),
		...(left > 0 ? [`  … ${count(left, "row")} before these`] : []),
		...rows.map((row) => {
			const id = "fold" in row ? ` ${row.fold.id}` : row.kind === "entry" ? ` ${row.node.id}` : "";
			const words = rowWords(map.desk, row);
			const short = words.length > ROW_CHARS ? `${words.slice(0, ROW_CHARS - 1).toWellFormed()}…` : words;
			return `${sizeWords(map, row)} ${glyphOf(row, false)}${id} ${short}`;
		}),
		"/fold commits now, /fold START [END] [-- BRIEF] folds through a stretch, /fold undo ID takes a decision back, /fold why ID tells why something stands as it does.",
		"The model's tool pi_fold_context changes the rest: expand and refold {id}, pin and unpin {ids}, unmark {ids}, reboundary {ids}, brief {id, brief}.",
	].join("\n");
}
