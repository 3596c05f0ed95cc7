import type { KeybindingsManager } from "@earendil-works/pi-coding-agent";
import {
	decodeKittyPrintable,
	Input,
	replaceControlCharacters,
	truncateToWidth,
} from "@earendil-works/pi-tui";
import { whole } from "../../debug/numbers.ts";
import type { WindowMap } from "../../debug/window-map.ts";
import { type Asked, boundaryAt, briefed, opening, pinning, withdrawing } from "./editor-actions.ts";
import { findIn } from "./editor-find.ts";
import { headLines, helpLines, listHints, listLine, lowerBorder } from "./editor-frame.ts";
import { type Line, MapList } from "./editor-list.ts";
import { belowLines, cuttingFrom, hintLines, type Mode, questionOf } from "./editor-mode.ts";
import type { EditorSession, Said, Told } from "./editor-session.ts";
import { HOST_LINES, type ScreenParts } from "./screen-parts.ts";

/** What stands above the list leaves it so many lines, as far as there are any. */
const LEAST_LIST = 3;

/** The screen of `/fold-editor`: the window as a list, changed from the keyboard. */
export class EditorScreen {
	readonly #session: EditorSession;
	readonly #parts: ScreenParts;
	readonly #list: MapList;
	#mode: Mode = { does: "look" };
	#anchor: { readonly key: string; readonly id: string } | undefined;
	#wanted = "";
	#said: Said | undefined;
	#page = 1;
	#focused = false;
	#reads = 0;

	constructor(map: WindowMap, session: EditorSession, parts: ScreenParts) {
		this.#list = new MapList(map);
		this.#session = session;
		this.#parts = parts;
	}

	get focused(): boolean {
		return this.#focused;
	}

	set focused(focused: boolean) {
		this.#focused = focused;
		if ("input" in this.#mode) this.#mode.input.focused = focused;
	}

	invalidate(): void {
		if ("input" in this.#mode) this.#mode.input.invalidate();
	}

	/** Reads the window anew: the session went on. The newest reading counts. */
	async refresh(): Promise<void> {
		const read = ++this.#reads;
		const map = await this.#session.map().catch(() => undefined);
		if (map && read === this.#reads) this.#list.show(map);
		this.#parts.redraw();
	}

	handleInput(data: string): void {
		const mode = this.#mode;
		if ("input" in mode) mode.input.handleInput(data);
		else if (mode.does === "help") this.#handleHelp(mode, data);
		else if (mode.does === "ask") this.#handleAnswer(mode, data);
		// a pasted text asks for nothing
		else if (!data.startsWith("\x1b[200~")) this.#handleKey(data);
		this.#parts.redraw();
	}

	render(width: number): string[] {
		const { theme } = this.#parts;
		const said = this.#said ?? (this.#anchor && cuttingFrom(this.#anchor.id));
		const foot = [
			...belowLines(this.#mode, said, this.#parts, width),
			...hintLines(this.#mode, this.#parts, width, () =>
				listHints(this.#list, this.#parts.keybindings, this.#anchor !== undefined),
			),
		];
		const room = this.#parts.height() - HOST_LINES - 2 - foot.length;
		const head = headLines(this.#list.map, this.#parts, width, Math.max(1, room - LEAST_LIST));
		const body = this.#body(Math.max(1, room - head.length), width);
		const { row } = this.#list.selected;
		const name = "fold" in row ? row.fold.id : row.kind === "entry" ? row.node.id : "";
		const where = `${whole(this.#list.selectedIndex + 1)} of ${whole(this.#list.lines.length)}`;
		return [
			theme.fg("border", "─".repeat(width)),
			...[...head, ...body, ...foot].map((line) => truncateToWidth(line, width, "…")),
			lowerBorder(this.#parts, width, [name, where]),
		];
	}

	#is(data: string, name: Parameters<KeybindingsManager["matches"]>[1]): boolean {
		return this.#parts.keybindings.matches(data, name);
	}

	#handleKey(data: string): void {
		const list = this.#list;
		this.#said = undefined;
		if (this.#is(data, "tui.select.up")) list.move(-1);
		else if (this.#is(data, "tui.select.down")) list.move(1);
		else if (this.#is(data, "tui.select.pageUp")) list.move(-this.#page);
		else if (this.#is(data, "tui.select.pageDown")) list.move(this.#page);
		else if (this.#is(data, "tui.editor.cursorLineStart")) list.select(0);
		else if (this.#is(data, "tui.editor.cursorLineEnd")) list.select(list.lines.length - 1);
		else if (this.#is(data, "tui.select.confirm")) this.#toggle();
		else if (this.#is(data, "tui.editor.cursorRight")) list.open();
		else if (this.#is(data, "tui.editor.cursorLeft")) list.close();
		else if (this.#is(data, "tui.select.cancel")) this.#back();
		else this.#handleLetter(decodeKittyPrintable(data) ?? data);
	}

	#handleLetter(letter: string): void {
		const { selected, map } = this.#list;
		if (letter === "m") this.#boundary(selected);
		else if (letter === "u") this.#decide(withdrawing(selected));
		else if (letter === "p") void this.#ask(pinning(map, selected), true);
		else if (letter === "b") this.#typeBrief(selected);
		else if (letter === "e") void this.#ask(opening(selected));
		else if (letter === "c") this.#askCommit();
		else if (letter === "/")
			this.#mode = { does: "find", input: this.#input("find: ", (text) => this.#find(text)) };
		else if (letter === "n") this.#find(this.#wanted);
		else if (letter === "?") this.#mode = { does: "help", from: 0 };
	}

	#handleHelp(mode: Extract<Mode, { does: "help" }>, data: string): void {
		if (this.#is(data, "tui.select.up")) mode.from--;
		else if (this.#is(data, "tui.select.down")) mode.from++;
		else if (this.#is(data, "tui.select.pageUp")) mode.from -= this.#page;
		else if (this.#is(data, "tui.select.pageDown")) mode.from += this.#page;
		else this.#look();
	}

	#handleAnswer({ go }: Extract<Mode, { does: "ask" }>, data: string): void {
		const isYes = this.#is(data, "tui.select.confirm") || (decodeKittyPrintable(data) ?? data) === "y";
		this.#look();
		if (isYes) go();
		else this.#said = undefined;
	}

	#toggle(): void {
		if (this.#list.isOpen(this.#list.selected)) this.#list.close();
		else this.#list.open();
	}

	#back(): void {
		if (this.#anchor) this.#anchor = undefined;
		else if (!this.#list.close()) this.#parts.close();
	}

	#look(): void {
		this.#mode = { does: "look" };
	}

	#boundary(line: Line): void {
		const id = boundaryAt(line);
		const anchor = this.#anchor;
		if (id === undefined)
			this.#refuse("only what is staged can be cut: select a staged stretch, ◇, or a message in one");
		else if (!anchor) {
			this.#anchor = { key: line.row.key, id };
		} else {
			this.#anchor = undefined;
			const ids = [...new Set([anchor.id, id])];
			this.#decide({ command: { do: "recut", ids }, effect: "staged as one: the next commit heeds it" });
		}
	}

	#decide(asked: Asked): void {
		if ("not" in asked) this.#refuse(asked.not);
		else void this.#session.decide(asked.command, asked.effect, this.#told);
	}

	/** Asks with the price, unless what moves nothing may go on at once. */
	async #ask(asked: Asked, mayGoOn = false): Promise<void> {
		if ("not" in asked) return this.#refuse(asked.not);
		const { text, as } = await this.#session.price(asked.command);
		if (as === "refused") this.#refuse(text);
		else if (as === "done" && mayGoOn) this.#decide(asked);
		else
			this.#mode = {
				does: "ask",
				question: `${questionOf(asked.command)}: ${text}?`,
				go: () => this.#decide(asked),
			};
		this.#parts.redraw();
	}

	#askCommit(): void {
		const { frees, rewrites } = this.#list.map.commit ?? {};
		if (frees === undefined || rewrites === undefined) {
			this.#refuse("nothing is foldable yet");
			return;
		}
		const price = `it frees ~${whole(frees)} tokens and has ~${whole(rewrites)} taken in again`;
		const go = () => void this.#session.commit(this.#told);
		this.#mode = { does: "ask", question: `Commit now: ${price}?`, go };
	}

	#typeBrief(line: Line): void {
		const mark = briefed(line);
		if ("not" in mark) {
			this.#refuse(mark.not);
			return;
		}
		const { id } = mark.fold;
		const told: Told = async (said) => {
			if (said.as !== "refused") this.#look();
			return this.#told(said);
		};
		const effect = "kept: it stands word for word once this is folded";
		const input = this.#input("brief: ", (text) => {
			if (text.trim() === "") this.#look();
			else void this.#session.decide({ do: "brief", fold: id, text }, effect, told);
		});
		const supplied = this.#list.map.desk.suppliedIn(mark.fold.brief) ?? "";
		// pasted, for then the cursor stands behind it
		input.handleInput(`\x1b[200~${replaceControlCharacters(supplied)}\x1b[201~`);
		this.#mode = { does: "brief", input, fold: id };
	}

	#input(prompt: string, onSubmit: (text: string) => void): Input {
		const input = new Input({ prompt });
		input.focused = this.#focused;
		input.onSubmit = onSubmit;
		input.onEscape = () => {
			this.#look();
			this.#said = undefined;
		};
		return input;
	}

	#find(text: string): void {
		this.#look();
		this.#wanted = text;
		if (text.trim() === "") return;
		this.#said = { text: `looking for "${text}"`, as: "waits" };
		void findIn(this.#list, text, () => this.#wanted !== text).then((index) => {
			this.#said = undefined;
			if (index === undefined)
				this.#refuse(`"${text}" stands in no row shown; /fold search looks everywhere`);
			else this.#list.select(index);
			this.#parts.redraw();
		});
	}

	readonly #told: Told = (said) => {
		this.#said = said;
		return this.refresh();
	};

	#refuse(text: string): void {
		this.#said = { text, as: "refused" };
	}

	#body(height: number, width: number): string[] {
		this.#page = height - 1;
		if (this.#mode.does === "help") {
			const lines = helpLines(this.#parts.keybindings, width);
			this.#mode.from = Math.max(0, Math.min(this.#mode.from, lines.length - height));
			return padded(lines.slice(this.#mode.from, this.#mode.from + height), height);
		}
		const list = this.#list;
		const { from, lines } = list.visible(height, width);
		const anchored = this.#anchor ? list.indexOf(this.#anchor.key) : -1;
		const [first, last] = [anchored, list.selectedIndex].sort((a, b) => a - b) as [number, number];
		const drawn = lines.map((line, offset) => {
			const index = from + offset;
			const isBetween = anchored !== -1 && index >= first && index <= last;
			const isAnchor = index === anchored;
			const isSelected = index === list.selectedIndex;
			const mark = isSelected ? "selected" : isAnchor ? "anchor" : isBetween ? "between" : undefined;
			return listLine(list, line, this.#parts, width, mark);
		});
		return padded(drawn, height);
	}
}

function padded(lines: string[], height: number): string[] {
	return [...lines, ...Array.from({ length: Math.max(0, height - lines.length) }, () => "")];
}
