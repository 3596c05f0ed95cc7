import type { Input } from "@earendil-works/pi-tui";
import { SUPPLIED_CHARS } from "../../../projections/brief/brief.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import { shownLine } from "../../debug/screen-text.ts";
import { clipped } from "./editor-frame.ts";
import type { Said } from "./editor-session.ts";
import { keyText } from "./key-text.ts";
import type { ScreenParts } from "./screen-parts.ts";

/** What keys mean now, beside the list. */
export type Mode =
	| { readonly does: "look" }
	| { readonly does: "help"; from: number }
	/** something costs, and is asked once */
	| { readonly does: "ask"; readonly question: string; readonly go: () => void }
	| { readonly does: "brief"; readonly input: Input; readonly fold: string }
	| { readonly does: "find"; readonly input: Input };

/** Lines what is said may take. */
const SAID_LINES = 3;

/** Lines the hints may take. */
const HINT_LINES = 2;

/** What is said while one end of a stretch is set. */
export function cuttingFrom(id: string): Said {
	return { text: `from ${id}: m at the other end stages all between as one`, as: "waits" };
}

/** What is asked before a command that costs. */
export function questionOf({ do: what }: WindowCommand): string {
	if (what === "refold") return "Close it again";
	return what === "pin" ? "Pin it, raw from the next request on" : "Open it in the window";
}

/** The lines below the list: what was said last, a question, or a line to type on. One at least. */
export function belowLines(
	mode: Mode,
	said: Said | undefined,
	{ theme }: Pick<ScreenParts, "theme">,
	width: number,
): string[] {
	if (mode.does === "ask")
		return clipped(mode.question, width, SAID_LINES).map((line) => theme.fg("warning", line));
	if (!("input" in mode)) return saidLines(said, theme, width);
	const lines = [...mode.input.render(width)];
	if (mode.does === "brief") {
		const { length } = mode.input.getValue();
		const color = length > SUPPLIED_CHARS ? "error" : "muted";
		lines.push(theme.fg(color, `${length} of ${SUPPLIED_CHARS} characters, for ${shownLine(mode.fold)}`));
	}
	return said ? [...lines, ...saidLines(said, theme, width)] : lines;
}

/** What the keys do; on the list that is the list's to say. */
export function hintLines(
	{ does }: Mode,
	{ theme, keybindings }: Pick<ScreenParts, "theme" | "keybindings">,
	width: number,
	listHints: () => readonly string[],
): string[] {
	const key = (name: Parameters<typeof keyText>[1]) => keyText(keybindings, name);
	const back = `${key("tui.select.cancel")} back`;
	const hints = {
		look: listHints,
		help: () => [`${key("tui.select.up")}${key("tui.select.down")} more`, "any other key back"],
		ask: () => [`${key("tui.select.confirm")} yes`, "any other key no"],
		brief: () => [`${key("tui.input.submit")} keep`, back],
		find: () => [`${key("tui.input.submit")} next`, back],
	}[does]();
	return fittingHints(hints, width).map((line) => theme.fg("dim", line));
}

/** Hints on as many lines as they may take; where they take more, those before the last three are left out first. */
function fittingHints(hints: readonly string[], width: number): string[] {
	const kept = [...hints];
	const lines = () => clipped(kept.join(" · "), width, HINT_LINES + 1);
	while (lines().length > HINT_LINES && kept.length > 3) kept.splice(-4, 1);
	return clipped(kept.join(" · "), width, HINT_LINES);
}

function saidLines(said: Said | undefined, theme: ScreenParts["theme"], width: number): string[] {
	if (!said) return [""];
	const color = ({ done: "success", waits: "warning", refused: "error" } as const)[said.as];
	return clipped(said.text, width, SAID_LINES).map((line) => theme.fg(color, line));
}
