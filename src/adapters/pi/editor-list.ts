import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { count } from "../../debug/numbers.ts";
import { shownLine } from "../../debug/screen-text.ts";
import type { MapRow, WindowMap } from "../../debug/window-map.ts";
import { endOf, isOpenable, rowsBelow, saidBy } from "../../debug/window-map-below.ts";
import { rowWords } from "./editor-words.ts";

/** Lines of a brief shown below its fold. */
const BRIEF_LINES = 6;

/** Columns a row's words begin at, for each level they are set in. */
export const INDENT = 2;

/** A line of the list: a row of the map, or a line of what one says. */
export interface Line {
	readonly key: string;
	readonly row: MapRow;
	readonly depth: number;
	/** the line of the row this one is opened from */
	readonly parent: Line | undefined;
	/** a line of what the row says; absent for the row itself */
	readonly text?: string;
}

/** The rows of a map that are shown, with what is opened below them, and the one that is selected. */
export class MapList {
	readonly #open = new Set<string>();
	#below = new WeakMap<MapRow, readonly MapRow[]>();
	#words = new WeakMap<MapRow, string>();
	#map: WindowMap;
	#lines: readonly Line[] = [];
	#width = 80;
	#selected = 0;
	#top = 0;
	#height = 1;

	constructor(map: WindowMap) {
		this.#map = map;
		this.#layOut();
	}

	get map(): WindowMap {
		return this.#map;
	}

	get lines(): readonly Line[] {
		return this.#lines;
	}

	get selected(): Line {
		return this.#lines[this.#selected] as Line;
	}

	get selectedIndex(): number {
		return this.#selected;
	}

	/** Takes in a newer map. What was open stays open; the selection stays on its row, or goes to what that is part of now. */
	show(map: WindowMap): void {
		this.#map = map;
		this.#below = new WeakMap();
		this.#words = new WeakMap();
		this.#layOut();
	}

	/** Moves the selection by so many lines, as far as there are any. */
	move(by: number): void {
		this.select(this.#selected + by);
	}

	select(index: number): void {
		this.#selected = Math.max(0, Math.min(this.#lines.length - 1, index));
	}

	indexOf(key: string): number {
		return this.#lines.findIndex((line) => line.key === key);
	}

	isOpen(line: Line): boolean {
		return line.text === undefined && this.#open.has(line.key);
	}

	/** Opens what is selected; `false` where there is nothing to open. */
	open(): boolean {
		const { selected } = this;
		if (selected.text !== undefined || this.isOpen(selected) || !opens(selected.row)) return false;
		this.#open.add(selected.key);
		const block: Line[] = [];
		this.#add(block, selected.row, selected.parent);
		this.#replace(1, block);
		// what is below it comes into view, as far as it stays in view itself
		const end = this.#selected + block.length;
		this.#top = Math.min(this.#selected, Math.max(this.#top, end - this.#height));
		return true;
	}

	/** Closes what is selected, or where that is not open what it is part of; `false` where there is nothing to close. */
	close(): boolean {
		const { selected } = this;
		const line = this.isOpen(selected) ? selected : selected.parent;
		if (!line) return false;
		this.#open.delete(line.key);
		this.select(this.indexOf(line.key));
		const rest = this.#lines.slice(this.#selected + 1);
		const size = rest.findIndex(({ depth }) => depth <= line.depth);
		this.#replace(1 + (size === -1 ? rest.length : size), [{ ...line }]);
		return true;
	}

	/** The lines to draw in so many lines of a width, the selected one among them. */
	visible(height: number, width: number): { readonly from: number; readonly lines: readonly Line[] } {
		if (width !== this.#width) {
			this.#width = width;
			this.#layOut();
		}
		this.#height = height;
		const last = Math.max(0, this.#lines.length - height);
		this.#top = Math.min(last, Math.max(this.#selected - height + 1, Math.min(this.#top, this.#selected)));
		return { from: this.#top, lines: this.#lines.slice(this.#top, this.#top + height) };
	}

	/** A line's words, which for a row are found out once a map. */
	wordsOf({ row, text }: Line): string {
		if (text !== undefined) return text;
		const words = this.#words.get(row) ?? rowWords(this.#map.desk, row);
		this.#words.set(row, words);
		return words;
	}

	/** Puts lines in place of so many, from the selected one on. */
	#replace(count: number, lines: readonly Line[]): void {
		const at = this.#selected;
		this.#lines = [...this.#lines.slice(0, at), ...lines, ...this.#lines.slice(at + count)];
	}

	#layOut(): void {
		const before = this.#lines.length > 0 ? this.selected : undefined;
		const lines: Line[] = [];
		for (const row of this.#map.rows) this.#add(lines, row, undefined);
		this.#lines = lines;
		if (before) this.select(this.#placeOf(before));
	}

	/** Where a line of before is now, or what it is part of; or what stands now where it stood. */
	#placeOf(before: Line): number {
		for (let line: Line | undefined = before; line; line = line.parent) {
			const index = this.indexOf(line.key);
			if (index !== -1) return index;
		}
		const { desk } = this.#map;
		const end = endOf(desk, before.row);
		if (end === undefined) return this.#selected;
		const around = this.#lines.findIndex(({ row, depth }) => depth === 0 && (endOf(desk, row) ?? -1) >= end);
		return around === -1 ? this.#selected : around;
	}

	#add(lines: Line[], row: MapRow, parent: Line | undefined): void {
		const line: Line = { key: row.key, row, depth: parent ? parent.depth + 1 : 0, parent };
		lines.push(line);
		if (!this.#open.has(line.key)) return;
		for (const [index, text] of this.#said(line).entries())
			lines.push({ key: `${row.key}#${index}`, row, depth: line.depth + 1, parent: line, text });
		for (const part of this.#rowsBelow(row)) this.#add(lines, part, line);
	}

	#rowsBelow(row: MapRow): readonly MapRow[] {
		const below = this.#below.get(row) ?? (isOpenable(row) ? rowsBelow(this.#map.desk, row) : []);
		this.#below.set(row, below);
		return below;
	}

	#said({ row, depth }: Line): string[] {
		const { text, left } = saidBy(this.#map.desk, row);
		const width = Math.max(12, this.#width - INDENT * (depth + 2));
		const head = row.kind === "entry" ? [headOf(row)] : [];
		if (text === "") return head;
		const wrapped = wrapTextWithAnsi(text, width);
		if (row.kind !== "entry" && row.kind !== "receipt" && wrapped.length > BRIEF_LINES) {
			const more = wrapped.length - BRIEF_LINES + 1;
			return [...wrapped.slice(0, BRIEF_LINES - 1), `… ${count(more, "line")} more of its brief`];
		}
		const rest = left > 0 ? [`… ${count(left, "character")} more; the model peeks with the id above`] : [];
		return [...head, ...wrapped, ...rest];
	}
}

/** What stands above an entry's text: its name, and where the model is not sent all of it, that. */
function headOf({ node, standing }: Extract<MapRow, { kind: "entry" }>): string {
	const id = shownLine(node.id);
	if (standing === "clipped") return `${id}, of which the model sees the head:`;
	return standing === "folded" ? `${id}, out of view:` : `${id}:`;
}

function opens(row: MapRow): boolean {
	return isOpenable(row) || row.kind === "entry" || row.kind === "receipt" || row.kind === "opened";
}
