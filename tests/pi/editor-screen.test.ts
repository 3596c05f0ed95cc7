import * as tui from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { EditorScreen } from "../../src/adapters/pi/editor-screen.ts";
import type { EditorSession, Said } from "../../src/adapters/pi/editor-session.ts";
import { CommandError } from "../../src/commands/command-error.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Halt } from "../../src/debug/fold-status.ts";
import { MappedSession, said } from "../debug/mapped-session.ts";
import { reply, user } from "../engine/made-entries.ts";

const UP = "\x1b[A";
const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const LEFT = "\x1b[D";
const PAGE_UP = "\x1b[5~";
const PAGE_DOWN = "\x1b[6~";
const HOME = "\x1b[H";
const END = "\x1b[F";
const ENTER = "\r";
const ESC = "\x1b";

interface Options {
	readonly height?: number;
	readonly keys?: ConstructorParameters<typeof tui.KeybindingsManager>[1];
	readonly halt?: Halt;
	/** what a decision is answered with, instead of being made */
	readonly busy?: Said;
}

/** A screen over a session by hand: its keys decide for real. */
function screen(session: MappedSession, { height = 24, keys, halt, busy }: Options = {}) {
	const decided: (WindowCommand | "commit")[] = [];
	const map = () => {
		const now = session.map();
		return halt ? { ...now, status: { ...now.status, halt } } : now;
	};
	const done = async (command: WindowCommand | undefined, effect: string): Promise<Said> => {
		if (busy) return busy;
		decided.push(command ?? "commit");
		try {
			return { text: `${effect} ${await session.decide(command)}`, as: "done" };
		} catch (error) {
			return { text: `${error instanceof CommandError ? error.code : "?"}: ${error}`, as: "refused" };
		}
	};
	const asked: EditorSession = {
		map: async () => map(),
		price: async (command) => {
			try {
				session.engine.wouldDecide(command, session.request);
				return { text: "from ~1 to ~2 tokens", as: "waits" };
			} catch (error) {
				return { text: `${error instanceof CommandError ? error.code : "?"}: ${error}`, as: "refused" };
			}
		},
		decide: async (command, effect, told) => told(await done(command, effect)),
		commit: async (told) => told(await done(undefined, "folded")),
	};
	const close = vi.fn();
	const redraw = vi.fn();
	const shown = new EditorScreen(map(), asked, {
		theme: { fg: (_color, text) => `\x1b[35m${text}\x1b[39m`, bold: (text) => `\x1b[1m${text}\x1b[22m` },
		keybindings: new tui.KeybindingsManager(tui.TUI_KEYBINDINGS, keys),
		redraw,
		close,
		height: () => height,
	});
	const lines = (width = 120) => shown.render(width).map(tui.stripTerminalSequences);
	const press = async (...pressed: string[]) => {
		for (const key of pressed) {
			shown.handleInput(key);
			// what a key asks of the session is answered
			await new Promise((answered) => setImmediate(answered));
		}
	};
	return {
		shown,
		decided,
		close,
		redraw,
		press,
		lines,
		text: (width?: number) => lines(width).join("\n"),
		selected: () => lines().find((line) => line.startsWith("→ ")) ?? "",
		/** selects the first row, from the top, that holds a text */
		select: async (text: string) => {
			await press(HOME);
			for (let n = 0; n < 200 && !(lines().find((line) => line.startsWith("→ ")) ?? "").includes(text); n++)
				await press(DOWN);
		},
	};
}

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

test("m sets one end and m again the other, and what is between is staged as one", async () => {
	const session = await MappedSession.of(5);
	const { press, select, decided, text, lines } = screen(session);
	await select('Question 1"');
	await press("m");
	expect(text()).toContain("from f1-r1: m at the other end stages all between as one");
	await press(DOWN, DOWN);
	expect(lines().filter((line) => /^[◆┃→] ◇/.test(line))).toHaveLength(3);
	await press("m");
	expect(decided).toEqual([{ do: "recut", ids: ["f1-r1", "f3-r3"] }]);
	expect(text()).toContain("staged as one: the next commit heeds it recut-");
	expect(text()).toMatch(/→ ◇ staged, drawn anew · frees ~\d[\d,]+ tokens · 11 entries/);
});

test("u withdraws a mark and has a fold put back, and neither twice", async () => {
	const session = await MappedSession.of(6);
	const { press, select, decided, text, selected } = screen(session);
	await select('Question 1"');
	await press("u");
	expect(selected()).toContain("◇ withdrawn, raw at the next commit");
	await press("u");
	expect(text()).toContain("it is raw at the next commit already");
	await press("c", ENTER);
	await select("▸ fold");
	await press("u");
	expect(text()).toContain("put back at the next commit");
	expect(selected()).toContain("raw at the next commit");
	expect(decided).toEqual([
		{ do: "unmark", ids: ["f1-r1"] },
		"commit",
		{ do: "toRaw", ids: [expect.stringMatching(/^f\d-r\d$/)] },
	]);
});

test("p pins a message with its exchange, and lifts that again", async () => {
	const session = await MappedSession.of(4);
	const { press, select, decided, selected } = screen(session);
	await select('Question 1"');
	await press(ENTER);
	await select("- result");
	await press("p");
	expect(selected()).toContain("● pinned · result");
	await press("p");
	expect(selected()).toContain("- result");
	expect(decided).toEqual([
		{ do: "pin", ids: ["r1"] },
		{ do: "unpin", ids: ["r1"] },
	]);
});

test("b types a brief for a mark; Enter keeps it, and it is there to be changed", async () => {
	const session = await MappedSession.of(4);
	const { press, select, decided, text, selected } = screen(session);
	await select('Question 2"');
	await press("b", ..."dead end");
	expect(text()).toContain("8 of 600 characters, for f2-r2");
	await press(ENTER);
	expect(decided).toEqual([{ do: "brief", fold: "f2-r2", text: "dead end" }]);
	expect(selected()).toContain("brief: dead end");
	await press("b", ..."s");
	expect(text()).toContain("brief: dead ends");
	await press(ESC);
	expect(text()).not.toContain("dead ends");
});

test("a brief that is too long or says nothing is refused with its code, and stays typed", async () => {
	const session = await MappedSession.of(4);
	const { press, select, text } = screen(session);
	await select('Question 2"');
	await press("b", `\x1b[200~${"x".repeat(601)}\x1b[201~`);
	expect(text()).toContain("601 of 600 characters");
	await press(ENTER);
	expect(text()).toContain("BRIEF_INVALID");
	expect(text()).toContain("601 of 600 characters");
	await press(ESC, "b", "-", ENTER);
	expect(text()).toContain("BRIEF_INVALID");
});

test("e asks once, with the price, before it expands a fold or refolds it", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const { press, select, decided, text, selected } = screen(session);
	await select("group of 3 folds");
	await press("e");
	expect(text()).toContain("Open it in the window: from ~1 to ~2 tokens?");
	await press(ESC);
	expect(decided).toEqual([]);
	await press("e", ENTER);
	expect(selected()).toContain("▿ opened group");
	await press("e");
	expect(text()).toContain("Close it again: from ~1 to ~2 tokens?");
	await press("y");
	expect(selected()).toContain("▸ group of 3 folds");
	expect(decided.map((command) => (command === "commit" ? "" : command.do))).toEqual(["expand", "refold"]);
});

test("what may not happen is said with its code, and nothing is asked", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const { press, select, decided, text } = screen(session);
	await select("group of 3 folds");
	await press(ENTER);
	await select("▸ fold");
	await press("e");
	expect(text()).toContain("FOLD_NESTED");
	await press("m", DOWN, "m");
	expect(text()).toContain("SPAN_INVALID");
	await press("b");
	expect(text()).toContain("it is folded already");
	expect(decided.map((command) => (command === "commit" ? "" : command.do))).toEqual(["recut"]);
});

test("c asks before it commits, and says so where nothing is foldable", async () => {
	const session = await MappedSession.of(5);
	const { press, decided, text } = screen(session);
	await press("c");
	expect(text()).toMatch(/Commit now: it frees ~[\d,]+ tokens and has ~[\d,]+ taken in again\?/);
	await press("x");
	expect(decided).toEqual([]);
	await press("c", ENTER);
	expect(decided).toEqual(["commit"]);
	expect(text()).toContain("folded c4-a5");
	await press("c");
	expect(text()).toContain("nothing is foldable yet");
});

test("while the model works the screen says that it waits", async () => {
	const session = await MappedSession.of(4);
	const busy: Said = { text: "the model is at work", as: "waits" };
	const { press, select, text } = screen(session, { busy });
	await select('Question 1"');
	await press("u");
	expect(text()).toContain("the model is at work");
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
	expect(close).not.toHaveBeenCalled();
	await press("\x07");
	expect(close).toHaveBeenCalledOnce();
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
