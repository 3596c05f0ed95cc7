import type { KeybindingsManager } from "@earendil-works/pi-coding-agent";
import { Input, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { CHOICE_KEYS, type ChoiceKey } from "./choices.ts";
import { lowerBorder } from "./editor-frame.ts";
import { keyText } from "./key-text.ts";
import { HOST_LINES, type ScreenParts } from "./screen-parts.ts";
import { nextStep, ROWS } from "./setting-rows.ts";
import { asideWords, explanation, shownOf, valueText } from "./setting-texts.ts";
import type { ModelInUse, SettingsInForce } from "./settings-in-force.ts";

/** Lines kept for the explanation, so that the screen does not jump at common widths. */
const EXPLANATION_LINES = 2;

/** Where not all fits, lines for what is said below the rows, and at least so many rows. */
const LEAST_BELOW = 2;
const LEAST_ROWS = 3;

const LABEL_WIDTH = Math.max(...CHOICE_KEYS.map((key) => visibleWidth(ROWS[key].label)));

/** What stands beside a label: an arrow before it, and behind it a value of 20 columns between its own two. */
const BESIDE_LABEL = 28;

/** The screen of `/fold-settings`: a line for each choice, stepped through or typed, saved at once. */
export class SettingsScreen {
	readonly #settings: SettingsInForce;
	readonly #model: ModelInUse;
	readonly #parts: ScreenParts;
	#selected = 0;
	#entry: Input | undefined;
	#said: { readonly text: string; readonly isWrong: boolean } | undefined;
	#focused = false;

	constructor(settings: SettingsInForce, model: ModelInUse, parts: ScreenParts) {
		this.#settings = settings;
		this.#model = model;
		this.#parts = parts;
	}

	get focused(): boolean {
		return this.#focused;
	}

	set focused(focused: boolean) {
		this.#focused = focused;
		if (this.#entry) this.#entry.focused = focused;
	}

	invalidate(): void {
		this.#entry?.invalidate();
	}

	handleInput(data: string): void {
		if (this.#entry) this.#entry.handleInput(data);
		else this.#handleKey(data);
		this.#parts.redraw();
	}

	render(width: number): string[] {
		const { theme } = this.#parts;
		const rows = CHOICE_KEYS.map((key, index) => this.#row(key, width, index === this.#selected));
		const height = this.#parts.height() - HOST_LINES - 2;
		const kept = theme.fg("dim", `kept in ${this.#settings.path}`);
		const lines = [
			...this.#header(width),
			...rows,
			"",
			...this.#explanation(width),
			...this.#answer(width),
			...this.#hints(width),
			kept,
		];
		const dense = lines.filter((line) => line !== "");
		const body = [lines, dense, dense.slice(0, -1)].find(({ length }) => length <= height);
		const drawn = (body ?? this.#least(rows, width, height)).map((line) => truncateToWidth(line, width, "…"));
		const where = `${this.#selected + 1} of ${rows.length}`;
		return [theme.fg("border", "─".repeat(width)), ...drawn, lowerBorder(this.#parts, width, ["", where])];
	}

	/** What is left where not all fits: the title, the rows around the selected one, what is said of it, and the keys. */
	#least(rows: readonly string[], width: number, height: number): string[] {
		const hints = this.#hints(width);
		const below = [...this.#explanation(width), ...this.#answer(width)].filter((line) => line !== "");
		const said = this.#said ? below.slice(-LEAST_BELOW) : below.slice(0, LEAST_BELOW);
		if (this.#entry)
			said.splice(0, said.length, ...below.slice(0, 1), ...below.slice(1).slice(1 - LEAST_BELOW));
		const room = height - said.length - hints.length;
		const header = this.#header(width)
			.filter((line) => line !== "")
			.slice(0, Math.max(1, room - LEAST_ROWS));
		const shown = Math.max(1, room - header.length);
		const from = Math.max(0, Math.min(this.#selected - Math.floor(shown / 2), rows.length - shown));
		return [...header, ...rows.slice(from, from + shown), ...said, ...hints];
	}

	get #key(): ChoiceKey {
		return CHOICE_KEYS[this.#selected] ?? "policy";
	}

	#handleKey(data: string): void {
		const is = (key: Parameters<KeybindingsManager["matches"]>[1]) =>
			this.#parts.keybindings.matches(data, key);
		if (is("tui.select.cancel")) this.#parts.close();
		else if (is("tui.select.up")) this.#move(-1);
		else if (is("tui.select.down")) this.#move(1);
		else if (is("tui.editor.cursorLeft")) this.#step(-1);
		else if (is("tui.editor.cursorRight")) this.#step(1);
		else if (is("tui.select.confirm")) this.#open();
		else if (is("tui.editor.deleteCharBackward") || is("tui.editor.deleteCharForward"))
			this.#choose(undefined);
	}

	#move(by: 1 | -1): void {
		this.#selected = (this.#selected + by + CHOICE_KEYS.length) % CHOICE_KEYS.length;
		this.#said = undefined;
	}

	#step(direction: 1 | -1): void {
		const step = nextStep(this.#settings, this.#key, direction);
		if (step) this.#choose(step.value);
	}

	/** Typing begins with nothing, the standing value behind it: what is typed replaces it. */
	#open(): void {
		this.#said = undefined;
		if (this.#settings.isFixed(this.#key)) return;
		const { theme } = this.#parts;
		const entry = new Input({
			prompt: `${ROWS[this.#key].label}: `,
			placeholder: valueText(this.#key, shownOf(this.#settings, this.#model)),
			placeholderStyle: (text) => theme.fg("dim", text),
		});
		entry.focused = this.#focused;
		entry.onEscape = () => this.#closeEntry();
		entry.onSubmit = (text) => this.#submit(text);
		this.#entry = entry;
	}

	#submit(text: string): void {
		if (text.trim() === "") {
			this.#closeEntry();
			return;
		}
		const { parse, example } = ROWS[this.#key];
		const value = parse(text);
		if (value === undefined) this.#said = { text: `That is not understood; type ${example}.`, isWrong: true };
		else if (this.#choose(value)) this.#entry = undefined;
	}

	#closeEntry(): void {
		this.#entry = undefined;
		this.#said = undefined;
	}

	#choose(value: Parameters<SettingsInForce["choose"]>[1]): boolean {
		const objection = this.#settings.choose(this.#key, value);
		const { putAside } = this.#settings;
		const saved = `Saved; in force from the next request on.${putAside ? ` ${asideWords(putAside)}.` : ""}`;
		this.#said = {
			text: objection === undefined ? saved : inWords(objection),
			isWrong: objection !== undefined,
		};
		return objection === undefined;
	}

	#header(width: number): string[] {
		const { theme } = this.#parts;
		const { budget } = shownOf(this.#settings, this.#model);
		const title = theme.bold(theme.fg("accent", "Fold settings"));
		const model = this.#model?.id ?? "no model yet";
		const right =
			budget === undefined ? model : `${model} · ${budget.toLocaleString("en-US")} tokens a request`;
		const gap = width - visibleWidth(title) - visibleWidth(right);
		const line = gap >= 2 ? `${title}${" ".repeat(gap)}${theme.fg("muted", right)}` : title;
		const { refused } = this.#settings;
		if (refused === undefined) return [line, ""];
		const text = `The settings file is not followed: ${refused}. A change made here puts it aside and begins a new one.`;
		return [line, ...wrapTextWithAnsi(text, width).map((part) => theme.fg("warning", part))];
	}

	#row(key: ChoiceKey, width: number, isSelected: boolean): string {
		const { theme } = this.#parts;
		const labelWidth = Math.max(12, Math.min(LABEL_WIDTH, width - BESIDE_LABEL));
		const label = truncateToWidth(ROWS[key].label, labelWidth, "…", true);
		const value = valueText(key, shownOf(this.#settings, this.#model));
		const isFixed = this.#settings.isFixed(key);
		const text = isFixed ? `${value} (fixed by the host)` : value;
		if (!isSelected) return `  ${label}    ${theme.fg(isFixed ? "dim" : "muted", text)}`;
		const before = nextStep(this.#settings, key, -1) ? "‹ " : "  ";
		const after = nextStep(this.#settings, key, 1) ? " ›" : "";
		return theme.fg("accent", `→ ${label}  ${before}${text}${after}`);
	}

	#explanation(width: number): string[] {
		const { theme } = this.#parts;
		const text = this.#entry
			? `For example ${ROWS[this.#key].example}.`
			: explanation(this.#key, shownOf(this.#settings, this.#model));
		const lines = wrapTextWithAnsi(text, width).map((line) => theme.fg("muted", line));
		if (this.#entry) lines.unshift(...this.#entry.render(width));
		while (lines.length < EXPLANATION_LINES) lines.push("");
		return lines;
	}

	#answer(width: number): string[] {
		const { theme } = this.#parts;
		const { text: said, isWrong } = this.#said ?? { text: "", isWrong: false };
		const color = isWrong ? "error" : "success";
		return wrapTextWithAnsi(said, width).map((line) => theme.fg(color, line));
	}

	#hints(width: number): string[] {
		const { theme } = this.#parts;
		const key = (name: Parameters<KeybindingsManager["getKeys"]>[0]) =>
			keyText(this.#parts.keybindings, name);
		const hints = this.#entry
			? [`${key("tui.input.submit")} save`, `${key("tui.select.cancel")} leave as it was`]
			: [
					`${key("tui.editor.cursorLeft")}${key("tui.editor.cursorRight")} change`,
					`${key("tui.select.confirm")} type a value`,
					`${key("tui.editor.deleteCharBackward")} default`,
					`${key("tui.select.cancel")} close`,
				];
		return wrapTextWithAnsi(hints.join(" · "), width).map((line) => theme.fg("dim", line));
	}
}

/** An objection as a sentence that calls each choice what the screen calls it. */
function inWords(objection: string): string {
	let text = objection;
	for (const key of CHOICE_KEYS)
		text = text.replaceAll(new RegExp(`\\b${key}\\b`, "g"), `“${ROWS[key].label}”`);
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
