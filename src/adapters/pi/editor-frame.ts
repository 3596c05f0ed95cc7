import { sliceByColumn, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { shownLine, shownText } from "../../debug/screen-text.ts";
import type { MapRow, WindowMap } from "../../debug/window-map.ts";
import { boundaryAt, pinning } from "./editor-actions.ts";
import { INDENT, type Line, type MapList } from "./editor-list.ts";
import { glyphOf, headWords, sizeWords } from "./editor-words.ts";
import { keyText } from "./key-text.ts";
import type { ScreenParts } from "./screen-parts.ts";

type Theme = ScreenParts["theme"];
type Color = Parameters<Theme["fg"]>[0];

/** Columns of a row's tokens and share, with the blank before them. */
const SIZE_WIDTH = 14;

/** Lines each of the things above the list may take. */
const HEAD_LINES = 2;

/**
 * The lines above the list: how folding goes, how full the window is, what comes next and what is staged. Where there is
 * room for `most` lines alone, each of these has one, and the last have none.
 */
export function headLines(
	map: WindowMap,
	{ theme }: Pick<ScreenParts, "theme">,
	width: number,
	most: number,
): string[] {
	const [goes, full, next, staged] = headWords(map);
	const title = "Fold editor";
	const isHalted = map.status.halt !== undefined;
	const lines = (each: number) => [
		...clipped(`${title}  ${goes}`, width, each).map((line, index) => {
			const color = isHalted ? "warning" : "muted";
			if (index > 0) return theme.fg(color, line);
			return theme.bold(theme.fg("accent", title)) + theme.fg(color, line.slice(title.length));
		}),
		...clipped(full, width, each).map((line) => theme.fg("text", line)),
		...clipped(next, width, each).map((line) => theme.fg("muted", line)),
		...clipped(staged, width, each).map((line) => theme.fg("muted", line)),
	];
	const all = lines(HEAD_LINES);
	return all.length <= most ? all : lines(1).slice(0, most);
}

/** One line of the list. */
export function listLine(
	list: MapList,
	line: Line,
	{ theme }: Pick<ScreenParts, "theme">,
	width: number,
	mark: "selected" | "anchor" | "between" | undefined,
): string {
	const before = { selected: "→ ", anchor: "◆ ", between: "┃ " }[mark ?? "selected"];
	const indent = " ".repeat(INDENT * Math.min(line.depth, Math.floor(width / 12)));
	const color = mark === "selected" ? "accent" : colorOf(line);
	const gutter = mark === undefined ? "  " : theme.fg("accent", before);
	if (line.text !== undefined)
		return `${gutter}${indent}${theme.fg(color, fitted(line.text, width - 2 - indent.length))}`;
	const { row } = line;
	const room = Math.max(4, width - SIZE_WIDTH - 2 - indent.length);
	const words = `${glyphOf(row, list.isOpen(line))} ${list.wordsOf(line)}`;
	const size = theme.fg(mark === "selected" ? "accent" : "muted", sizeWords(list.map, row));
	return `${gutter}${indent}${theme.fg(color, fitted(words, room, true))} ${size}`;
}

/** The border below, with what the selected row is called and where it is, as far as there is room. */
export function lowerBorder(
	{ theme }: Pick<ScreenParts, "theme">,
	width: number,
	[name, where]: readonly [string, string],
): string {
	const labels = [shownLine(name), where].filter((part) => part !== "");
	const lines = [` ${labels.join(" ── ")} `, ` ${where} `, ""].map((label) => `${label}──`);
	const end = lines.find((line) => visibleWidth(line) <= width) ?? "";
	return theme.fg("border", "─".repeat(width - visibleWidth(end)) + end);
}

/** What the keys do on a line, those that depend on it first. */
export function listHints(
	list: MapList,
	keybindings: ScreenParts["keybindings"],
	hasAnchor: boolean,
): string[] {
	const line = list.selected;
	const key = (name: Parameters<typeof keyText>[1]) => keyText(keybindings, name);
	const toggle =
		list.isOpen(line) || line.text !== undefined
			? `${key("tui.editor.cursorLeft")} close`
			: `${key("tui.select.confirm")} open`;
	const steps = list.isOpen(line) || line.parent !== undefined ? "back" : "close";
	const cancel = `${key("tui.select.cancel")} ${hasAnchor ? "drop" : steps}`;
	return [
		...(line.row.kind === "base" ? [] : [toggle]),
		...(boundaryAt(line) === undefined ? [] : [hasAnchor ? "m cut to here" : "m cut"]),
		...rowHints(line.row),
		...pinHint(list),
		"c commit",
		"? help",
		cancel,
	];
}

function pinHint({ map, selected }: MapList): string[] {
	const asked = pinning(map, selected);
	return "not" in asked ? [] : [`p ${asked.command.do}`];
}

function rowHints(row: MapRow): string[] {
	switch (row.kind) {
		case "mark":
			return row.next === "withdrawn" ? ["b brief"] : ["u withdraw", "b brief"];
		case "fold":
			return ["e expand", "u back to raw"];
		case "opened":
			return ["e refold"];
		case "entry":
		case "base":
		case "raw":
		case "receipt":
			return [];
		default:
			return row satisfies never;
	}
}

/** Everything the keys do, and what the signs mean. */
export function helpLines(keybindings: ScreenParts["keybindings"], width: number): string[] {
	const key = (name: Parameters<typeof keyText>[1]) => keyText(keybindings, name);
	const confirm = key("tui.select.confirm");
	const rows: [string, string][] = [
		[`${key("tui.select.up")} ${key("tui.select.down")}`, "select; by pages and to the ends too"],
		[
			`${confirm} ${key("tui.editor.cursorRight")}`,
			"open what is selected: its parts, its messages, their text",
		],
		[key("tui.editor.cursorLeft"), "close it, or what it is part of"],
		["m", "one end of a stretch of what is staged; m again on the other: staged as one"],
		["u", "withdraw a staged stretch, or put a fold back: at the next commit"],
		["b", "type a brief for a staged stretch, kept word for word"],
		["p", "pin a message with its exchange, or lift that; of a fold all of it: asks where it costs"],
		["e", "expand a fold in the window, or refold it; asks, for it costs"],
		["c", "commit now; asks too"],
		["/ n", "find in the rows shown; the next one"],
		[key("tui.select.cancel"), "back step by step: out of what is open, and at last away"],
		["▸ ▿", "a fold, and one that is open in the window"],
		["◇", "staged: the next commit folds it; “for later”: it is too young yet"],
		["·", "raw, and not staged yet"],
		["● ○", "pinned; held raw, as system messages and your last words are"],
		["(n)", "tokens that are out of view"],
	];
	const label = 9;
	return rows.flatMap(([left, right]) =>
		wrapTextWithAnsi(right, Math.max(10, width - label)).map(
			(part, index) => `${(index === 0 ? left : "").padEnd(label)}${part}`,
		),
	);
}

/** Plain text on lines of a width, cut short where it takes more than it may; what a terminal would obey is escaped. */
export function clipped(text: string, width: number, most: number): string[] {
	const lines = wrapTextWithAnsi(shownText(text), width);
	if (lines.length <= most) return lines;
	const last = `${lines[most - 1]} ${lines.slice(most).join(" ")}`;
	return [...lines.slice(0, most - 1), fitted(last, width)];
}

/** Plain text cut to a width; unlike the host's own cutting it leaves the colour of what is cut alone. */
function fitted(text: string, width: number, isPadded = false): string {
	const line = visibleWidth(text) <= width ? text : `${sliceByColumn(text, 0, width - 1, true)}…`;
	return isPadded ? line + " ".repeat(Math.max(0, width - visibleWidth(line))) : line;
}

function colorOf({ row, text }: Line): Color {
	if (text !== undefined) return "muted";
	switch (row.kind) {
		case "fold":
			return row.tokens > 0 ? "text" : "muted";
		case "opened":
		case "raw":
			return "text";
		case "mark":
			return row.next === "folds" ? "success" : "muted";
		case "entry":
			return row.standing === "folded" ? "dim" : row.standing === "raw" ? "muted" : "text";
		case "base":
		case "receipt":
			return "dim";
		default:
			return row satisfies never;
	}
}
