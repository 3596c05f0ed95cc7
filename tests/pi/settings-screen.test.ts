import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tui from "@earendil-works/pi-tui";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { CHOICE_KEYS, type ChoiceKey, type Choices } from "../../src/adapters/pi/choices.ts";
import { type ModelInUse, SettingsInForce } from "../../src/adapters/pi/settings-in-force.ts";
import { SettingsScreen } from "../../src/adapters/pi/settings-screen.ts";
import { BACKSPACE, DOWN, ENTER, ESC, LEFT, RIGHT, UP } from "./keys.ts";

const root = mkdtempSync(join(tmpdir(), "palimpsest-screen-"));
const path = join(root, "a folder of a name that is longer than others", "settings.json");
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => rmSync(path, { force: true }));

const model = {
	provider: "p",
	id: "a-model-with-a-rather-long-name",
	api: "anthropic-messages",
	contextWindow: 200_000,
	cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
} as ModelInUse;

/** A screen, what it was given, and what stands on it. */
function screen(
	options: {
		fixed?: Choices;
		keys?: ConstructorParameters<typeof tui.KeybindingsManager>[1];
		height?: number;
	} = {},
) {
	const settings = new SettingsInForce(options.fixed ?? {}, () => path);
	const { height = 50 } = options;
	const close = vi.fn();
	const redraw = vi.fn();
	const shown = new SettingsScreen(settings, model, {
		theme: { fg: (_color, text) => `\x1b[35m${text}\x1b[39m`, bold: (text) => `\x1b[1m${text}\x1b[22m` },
		keybindings: new tui.KeybindingsManager(tui.TUI_KEYBINDINGS, options.keys),
		height: () => height,
		redraw,
		close,
	});
	return {
		settings,
		close,
		redraw,
		shown,
		press: (...keys: string[]) => {
			for (const key of keys) shown.handleInput(key);
		},
		select: (key: ChoiceKey) => {
			for (let n = 0; n < CHOICE_KEYS.indexOf(key); n++) shown.handleInput(DOWN);
		},
		lines: (width = 80) => shown.render(width).map(tui.stripTerminalSequences),
		line: (label: string) =>
			shown
				.render(80)
				.map(tui.stripTerminalSequences)
				.find((line) => line.includes(label)) ?? "",
	};
}

test.each([40, 80, 120])(
	"at a width of %i no line is wider, whatever is selected, typed, wrong or broken",
	(width) => {
		const check = (shown: SettingsScreen) => {
			for (const line of shown.render(width)) expect(tui.visibleWidth(line)).toBeLessThanOrEqual(width);
		};
		for (const fixed of [{}, { policy: "calm", maxTarget: 0.8 } as const]) {
			const { shown, press, settings } = screen({ fixed });
			settings.choose(
				"blacklistAutoFoldTools",
				new Set(["a_tool_of_a_long_name", "読み取りツール", "another"]),
			);
			for (const _key of CHOICE_KEYS) {
				check(shown);
				press(ENTER);
				check(shown);
				press(..."some words that cannot be meant, and more of them than fit on a line of this", ENTER);
				check(shown);
				press(ESC, RIGHT);
				check(shown);
				press(DOWN);
			}
			writeFileSync(path, '{"no such key": 1}');
			settings.reload();
			check(shown);
			rmSync(path);
		}
	},
);

test.each([40, 80])(
	"at %i columns it leaves the host its lines in 24, whatever is typed, wrong or broken",
	(width) => {
		const { shown, press, settings } = screen({ height: 24 });
		const check = () => expect(shown.render(width).length).toBeLessThanOrEqual(20);
		for (const _key of CHOICE_KEYS) {
			for (const keys of [[RIGHT], [ENTER], [..."words", ENTER], [ESC], [DOWN]]) {
				press(...keys);
				check();
			}
		}
		writeFileSync(path, '{"speed": 1}');
		settings.reload();
		if (width === 80) check();
	},
);

test.each([40, 80])("at %i × 14 title, position, the selected row and the keys are still there", (width) => {
	const { lines, press, settings } = screen({ height: 14 });
	const check = (hint: string) => {
		const drawn = lines(width);
		expect(drawn.length).toBeLessThanOrEqual(10);
		expect(drawn[1]).toContain("Fold settings");
		expect(drawn.at(-1)).toMatch(/ \d of 9 ──$/);
		expect(drawn.some((line) => line.startsWith("→ "))).toBe(true);
		expect(drawn.join(" ")).toContain(hint);
	};
	const walk = () => {
		for (const _key of CHOICE_KEYS) {
			check("esc close");
			press(RIGHT);
			check("esc close");
			press(ENTER);
			check("enter save");
			press(..."!", ENTER);
			check("esc ");
			press(ESC);
			check("esc close");
			press(DOWN);
		}
	};
	walk();
	writeFileSync(path, '{"speed": 1}');
	settings.reload();
	walk();
});

test("keys step through values, and each is saved at once", () => {
	const { press, line, settings, redraw, select } = screen();
	select("maxTarget");
	expect(line("Start folding at")).toMatch(/^→ .*‹ 80 % · 146,892 tokens ›$/);
	press(RIGHT, RIGHT, RIGHT);
	expect(line("Start folding at")).toMatch(/‹ 95 % · 174,435 tokens$/);
	expect(new SettingsInForce({}, () => path).choices.maxTarget).toBe(0.95);
	press(RIGHT);
	expect(settings.choices.maxTarget).toBe(0.95);
	press(LEFT);
	expect(settings.choices.maxTarget).toBe(0.9);
	expect(redraw).toHaveBeenCalledTimes(6);
});

test("the selection goes round", () => {
	const { press, lines } = screen();
	press(UP);
	expect(lines().some((line) => line.startsWith("→ Tools never folded"))).toBe(true);
	press(DOWN);
	expect(lines().some((line) => line.startsWith("→ Policy"))).toBe(true);
});

test("the policy is asked in the user's words", () => {
	const { press, line, settings } = screen();
	expect(line("Policy")).toContain("lower cost ›");
	press(RIGHT);
	expect(line("Policy")).toContain("‹ balanced ›");
	press(RIGHT);
	expect(line("Policy")).toContain("‹ longer memory ›");
	expect(settings.choices.policy).toBe("longer-memory");
});

test("what is typed replaces the value, and Enter on nothing leaves it", () => {
	const { press, lines, settings, select } = screen();
	select("minFoldChars");
	press(ENTER);
	expect(lines().join("\n")).toContain("Smallest fold: 8,000 characters");
	press(..."9500", ENTER);
	expect(settings.choices.minFoldChars).toBe(9_500);
	expect(lines().join("\n")).toContain("Saved; in force from the next request on.");
	press(ENTER, ENTER);
	expect(settings.choices.minFoldChars).toBe(9_500);
});

test("what cannot be chosen stays typed and is objected to, by the names on the screen", () => {
	const { press, lines, settings, select } = screen();
	select("minTarget");
	press(ENTER, ..."97", ENTER);
	expect(lines().join("\n")).toContain("“Fold down to”, 0.97, must be below “Start folding at”, 0.8.");
	expect(lines().join("\n")).toContain("Fold down to: 97");
	press(ENTER);
	press(..."x", ENTER);
	expect(lines().join("\n")).toContain("That is not understood; type 20 %.");
	press(ESC);
	expect(lines().join("\n")).not.toContain("not understood");
	expect(settings.choices.minTarget).toBe(0.2);
});

test("Esc leaves what is typed first, and then the screen", () => {
	const { press, close } = screen();
	press(ENTER, "x", ESC);
	expect(close).not.toHaveBeenCalled();
	press(ESC);
	expect(close).toHaveBeenCalledOnce();
});

test("backspace takes a choice back", () => {
	const { press, settings, select } = screen();
	select("providerInputBudget");
	press(ENTER, ..."50k", ENTER);
	expect(settings.choices.providerInputBudget).toBe(50_000);
	press(BACKSPACE);
	expect(settings.choices.providerInputBudget).toBeUndefined();
});

test("what the host fixed is shown as that, and no key changes it", () => {
	const { press, line, settings } = screen({ fixed: { policy: "band" } });
	press(RIGHT, LEFT, ENTER, ..."off", ENTER, BACKSPACE);
	expect(line("Policy")).toMatch(/^→ Policy {2,}band \(fixed by the host\)$/);
	expect(settings.choices.policy).toBe("band");
});

test("the host's own key bindings count, and are the ones told of", () => {
	const { press, lines, settings, close } = screen({
		keys: { "tui.editor.cursorRight": "ctrl+n", "tui.select.cancel": "ctrl+g" },
	});
	press(RIGHT, ESC);
	expect(settings.choices.policy).toBe("lower-cost");
	expect(close).not.toHaveBeenCalled();
	press("\x0e");
	expect(settings.choices.policy).toBe("balanced");
	expect(lines().join("\n")).toContain("ctrl+g close");
	press("\x07");
	expect(close).toHaveBeenCalledOnce();
});

test("a broken file is told of on the screen, until a choice put it aside, and where to", () => {
	const { settings, press, lines } = screen();
	settings.choose("policy", "off");
	writeFileSync(path, '{"speed": 1}');
	settings.reload();
	expect(lines().join(" ")).toContain("The settings file is not followed: speed is not known");
	press(RIGHT);
	expect(lines().join(" ")).not.toContain("not followed");
	expect(lines().join(" ").replaceAll(/\s+/g, " ")).toMatch(
		/is kept as .*settings\.json\.refused: speed is not known/,
	);
	press(LEFT);
	expect(lines().join(" ")).not.toContain("kept as");
});

test("the cursor is drawn for input methods only while something is typed", () => {
	const { press, shown } = screen();
	const cursor = () => shown.render(80).some((line) => line.includes("\x1b_pi:c"));
	shown.focused = true;
	expect(cursor()).toBe(false);
	press(ENTER);
	expect(cursor()).toBe(true);
	shown.focused = false;
	expect(cursor()).toBe(false);
});
