import * as tui from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { rowWords, sizeWords } from "../../src/adapters/pi/editor-words.ts";
import { MappedSession } from "../debug/mapped-session.ts";
import { said } from "../engine/hand-made.ts";
import { reply, user } from "../engine/made-entries.ts";
import { screen } from "./editor-at-hand.ts";
import { DOWN, END, ENTER, ESC, HOME, LEFT, PAGE_DOWN, PAGE_UP, RIGHT, UP } from "./keys.ts";

/** A session whose messages hold everything a terminal could stumble over. */
async function strange(): Promise<MappedSession> {
	const session = await MappedSession.of(6);
	const odd =
		"\x1b[31mred\x1b[0m\ttab \u202eback\u202c 漢字かな交じり文の長い行 👩‍👩‍👧‍👦 e\u0301\u0323 \x07\x9b2J ﷽ \ud800 \u{e0041}";
	await session.add(said(user("odd-entry-漢字\x1b[2J"), odd.repeat(60)), said(reply("odd-reply"), odd));
	await session.decide({ do: "brief", fold: "f6-r6", text: `${odd.toWellFormed()} supplied` });
	await session.decide({ do: "pin", ids: ["r2"] });
	await session.decide();
	return session;
}

test.each([
	[40, 24],
	[80, 24],
	[120, 24],
	[40, 50],
	[80, 50],
	[120, 50],
])(
	"at %i × %i no line is wider than the screen, and none too many, whatever is open, typed or said",
	async (width, height) => {
		const session = await strange();
		const { shown, press } = screen(session, { height });
		const check = () => {
			const drawn = shown.render(width);
			for (const line of drawn) expect(tui.visibleWidth(line)).toBeLessThanOrEqual(width);
			for (const odd of ["\x1b[2J", "\x9b", "\t", "\u202e"]) expect(drawn.join("")).not.toContain(odd);
			expect(drawn.length).toBeLessThanOrEqual(height - 4);
		};
		check();
		for (let row = 0; row < 60; row++) {
			await press(ENTER);
			check();
			await press(DOWN);
		}
		for (const keys of [
			["m"],
			["e"],
			[ESC],
			["?"],
			["x"],
			["b"],
			["c"],
			[ESC],
			["/", "字", ENTER],
			["p"],
			["u"],
		]) {
			await press(...keys);
			check();
		}
		await press("/", ..."漢字 and more than fits on the narrowest line of all of them");
		check();
	},
);

test("whatever a message holds, no line is wider than the screen, nor does it hold a control character", async () => {
	const words = fc.string({ unit: "binary", maxLength: 300 });
	await fc.assert(
		fc.asyncProperty(words, fc.integer({ min: 40, max: 60 }), async (text, width) => {
			const session = await MappedSession.of(0);
			await session.add(said(user("u1"), text));
			const { press, shown } = screen(session);
			await press(END, RIGHT, END, RIGHT);
			for (const line of shown.render(width)) {
				expect(tui.visibleWidth(line)).toBeLessThanOrEqual(width);
				expect(tui.stripTerminalSequences(line)).not.toMatch(/\p{Cc}/u);
			}
		}),
		{ seed: 3, numRuns: 100 },
	);
});

test("rows open to their parts, messages and text, and close from the innermost on", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const { press, select, selected, text, lines, close } = screen(session, { height: 60 });
	await select("group of 3 folds");
	await press(RIGHT);
	expect(lines().filter((line) => line.includes("▸ fold"))).toHaveLength(5);
	await select("fold · 3 entries");
	await press(ENTER);
	await select("Question 1");
	await select("- user · Question 1");
	await press(ENTER);
	expect(text()).toContain("u1, out of view:\n");
	expect(
		lines().filter((line) => line.includes("Question 1: look at topic-1 for me")).length,
	).toBeGreaterThan(1);
	await press(DOWN, DOWN, LEFT);
	expect(selected()).toContain("- user · Question 1");
	await press(LEFT);
	expect(selected()).toContain("▸ fold · 3 entries");
	await press(LEFT);
	expect(selected()).toContain("▸ group of 3 folds");
	await press(LEFT);
	expect(selected()).toContain("▸ group of 3 folds");
	expect(close).not.toHaveBeenCalled();
});

test("the header tells how full the window is and what comes next; a pause comes first", async () => {
	const session = await MappedSession.of(4);
	expect(screen(session).text(80)).toMatch(
		/Fold editor {2}folding by itself, economic\n\[░+\] not measured yet; the budget is 183,616 tokens\n/,
	);
	const { text } = screen(session, { halt: { how: "paused", why: "you asked for it" } });
	expect(text(80)).toContain("Fold editor  paused: you asked for it; only /fold makes new folds");
	expect(text(80)).toMatch(/4 staged, ~[\d,]+ tokens · a commit now frees ~[\d,]+, rewrites ~[\d,]+/);
});

test("each row says what it takes, and its share", async () => {
	const session = await MappedSession.of(4);
	await session.decide({ do: "pin", ids: ["r1"] });
	await session.decide();
	const { lines } = screen(session);
	const row = (text: string) => lines().find((line) => line.includes(text)) ?? "";
	expect(row("● pinned · result")).toMatch(/● pinned · result · output of topic-1 .* {3}806 {2}0\.4%$/);
	expect(row("○ held raw · system")).toMatch(/20 {4}0%$/);
	expect(row("≡ receipt")).toMatch(/\d+ +[\d.]+%$/);
	expect(row("◇ staged by automatic, for later")).toMatch(/frees ~\d+ tokens · 4 entries · /);
});

test("what instructions and tools take is told as the estimate it is, and not at all before a request was billed", async () => {
	const { desk, ...map } = (await MappedSession.of(1)).map();
	const { states } = desk;
	const told = (tokens: number, measured: number) => {
		const calibration = { ...states.calibration, measured };
		const row = { key: "base", kind: "base", tokens } as const;
		const then = { ...desk, states: { ...states, calibration } };
		return `${rowWords(then, row)} ${sizeWords({ ...map, desk: then }, row)}`.trim();
	};
	expect(told(0, 0)).toBe("instructions and tools: not measured yet");
	expect(told(0, 3)).toBe("instructions and tools: too little to tell from the rest");
	expect(told(3_389, 3)).toMatch(/^about what instructions and tools take; no commit folds it +3,389 +1.8%$/);
});

test("/ finds in the rows shown, whatever the case of letters, n the next one, and what is not there is said", async () => {
	const session = await MappedSession.of(6);
	const { press, selected, text } = screen(session);
	await press("/", ..."QUESTION 4", ENTER);
	expect(selected()).toContain("Question 4");
	await press("/", ..."question", ENTER);
	const first = selected();
	await press("n");
	expect(selected()).not.toBe(first);
	await press("/", ..."nowhere", ENTER);
	expect(text()).toContain('"nowhere" stands in no row shown; /fold search looks everywhere');
});

test("Esc drops the end that is set first, and closes the screen then", async () => {
	const session = await MappedSession.of(4);
	const { press, select, close, text } = screen(session);
	await select('Question 1"');
	await press("m", ESC);
	expect(close).not.toHaveBeenCalled();
	expect(text()).not.toContain("from f1-r1");
	await press("?");
	expect(text()).toContain("pin a message with its exchange");
	await press(ESC, ESC);
	expect(close).toHaveBeenCalledOnce();
});

test("the selection stays on its row while the session goes on, and on what its row became part of", async () => {
	const session = await MappedSession.of(6);
	const { shown, select, selected, press } = screen(session);
	await select('Question 4"');
	const before = selected();
	await session.exchange(7);
	await shown.refresh();
	expect(selected().slice(0, 60)).toBe(before.slice(0, 60));
	await select('Question 2"');
	await session.decide();
	await shown.refresh();
	expect(selected()).toContain("▸ group of 3 folds");
	await press(UP, DOWN);
	expect(selected()).toContain("▸ group of 3 folds");
});

test("what is opened comes into view, and the selection with it", async () => {
	const session = await MappedSession.of(12);
	const { press, selected, lines } = screen(session);
	await press(END, UP, RIGHT);
	expect(selected()).toContain("◇");
	expect(lines().filter((line) => line.includes("    - "))).toHaveLength(4);
	await press(HOME, PAGE_DOWN);
	expect(selected()).not.toBe("");
	await press(PAGE_UP);
	expect(selected()).toContain("instructions and tools");
});

test("the host's own key bindings count, and are the ones told of", async () => {
	const session = await MappedSession.of(4);
	const { press, selected, text, close } = screen(session, {
		keys: {
			"tui.select.down": "ctrl+n",
			"tui.select.confirm": "ctrl+o",
			"tui.select.cancel": "ctrl+g",
			"tui.editor.cursorLeft": "ctrl+h",
		},
	});
	const first = selected();
	await press(DOWN);
	expect(selected()).toBe(first);
	await press("\x0e", "\x0e");
	expect(selected()).toContain("◇");
	expect(text()).toContain("ctrl+o open");
	await press(ENTER);
	expect(text()).not.toContain("    - user");
	await press("\x0f");
	expect(text()).toContain("    - user");
	expect(text()).toContain("ctrl+h close");
	await press(ESC);
	expect(text()).toContain("ctrl+g back");
	await press("\x07");
	expect(text()).not.toContain("    - user");
	expect(text()).toContain("ctrl+g close");
	expect(close).not.toHaveBeenCalled();
	await press("\x07");
	expect(close).toHaveBeenCalledOnce();
});

test("Esc steps out of what is open, from the innermost on, and closes the screen then", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const { press, select, selected, text, close } = screen(session, { height: 60 });
	await select("group of 3 folds");
	await press(ENTER);
	await select("▸ fold · 3 entries");
	await press(ENTER);
	await select("- user · Question 1");
	for (const row of ["▸ fold · 3 entries", "▸ group of 3 folds"]) {
		expect(text()).toContain("esc back");
		await press(ESC);
		expect(selected()).toContain(row);
	}
	expect(text()).toContain("esc close");
	expect(close).not.toHaveBeenCalled();
	await press(ESC);
	expect(close).toHaveBeenCalledOnce();
});

test.each([40, 80])("at %i × 14 title, position and the most needed keys are still there", async (width) => {
	const session = await strange();
	const { press, lines } = screen(session, { height: 14 });
	const check = (hint: string) => {
		const drawn = lines(width);
		expect(drawn.length).toBeLessThanOrEqual(10);
		expect(drawn[1]).toContain("Fold editor");
		expect(drawn.at(-1)).toMatch(/\d+ of \d+ ──$/);
		expect(drawn.slice(-3, -1).join("\n")).toContain(hint);
		return drawn;
	};
	for (let row = 0; row < 30; row++) {
		for (const hint of ["c commit", "? help", "esc "]) check(hint);
		expect(check("esc ").some((line) => line.startsWith("→ "))).toBe(true);
		await press(row % 3 === 0 ? ENTER : DOWN);
	}
	await press("?");
	check("any other key back");
	await press(ESC, "/", "x");
	check("esc back");
});

test("letters count as terminals of every kind send them", async () => {
	const session = await MappedSession.of(4);
	const { press, select, text } = screen(session);
	await select('Question 1"');
	await press("\x1b[109u");
	expect(text()).toContain("from f1-r1");
	await press(ESC, "\x1b[47:63;2u");
	expect(text()).toContain("pin a message with its exchange");
});

test("the cursor is drawn for input methods only while something is typed", async () => {
	const session = await MappedSession.of(4);
	const { press, shown } = screen(session);
	const cursor = () => shown.render(80).some((line) => line.includes("\x1b_pi:c"));
	shown.focused = true;
	expect(cursor()).toBe(false);
	await press("/");
	expect(cursor()).toBe(true);
	shown.focused = false;
	expect(cursor()).toBe(false);
});

test("a stretch of thousands of messages opens, and only what is drawn of it is read", async () => {
	const session = await MappedSession.of(0, { minFoldChars: 1_000_000 });
	await session.add(...Array.from({ length: 1_000 }, (_, n) => [user(`q${n}`), reply(`p${n}`)]).flat());
	const { press, text, shown } = screen(session);
	const read = vi.spyOn(session.engine, "entry");
	await press(END, RIGHT);
	expect(text()).toContain("of 2,003");
	await press(END, PAGE_UP, PAGE_DOWN);
	shown.render(80);
	expect(read.mock.calls.length).toBeLessThan(200);
});
