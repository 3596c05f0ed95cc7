import { expect, test } from "vitest";
import type { Said } from "../../src/adapters/pi/editor-session.ts";
import { MappedSession } from "../debug/mapped-session.ts";
import { reply, user } from "../engine/made-entries.ts";
import { screen } from "./editor-at-hand.ts";
import { DOWN, ENTER, ESC, HOME } from "./keys.ts";

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

test("p on a fold asks with the price, for all of it is in view then, and says so below", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const { press, select, decided, text, selected } = screen(session);
	await select("group of 3 folds");
	expect(text()).toContain(" · p pin · ");
	await press("p");
	expect(text()).toContain("Pin it, raw from the next request on: from ~1 to ~2 tokens?");
	await press("x");
	expect(decided).toEqual([]);
	await press(ENTER, DOWN);
	await select("▸ fold");
	await press("p", ENTER);
	expect(decided).toEqual([{ do: "pin", ids: expect.arrayContaining([expect.stringMatching(/^r\d$/)]) }]);
	// nothing that is in view moves when it is unpinned
	await select("● pinned");
	expect(text()).toContain(" · p unpin · ");
	await press("p");
	expect(decided.at(-1)).toMatchObject({ do: "unpin" });
	expect(selected()).not.toBe("");
});

test("what is pasted while nothing is typed asks for nothing, and what was refused stays said", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const { press, select, decided, text } = screen(session);
	await select("group of 3 folds");
	await press("b", "\x1b[200~up\x1b[201~");
	expect(text()).toContain("it is folded already");
	expect(decided).toEqual([]);
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
	await press("b");
	expect(text()).toContain("it is folded already");
	expect(decided).toEqual([]);
});

test("m is offered where something is staged, and elsewhere refused in the words of the map", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	await session.exchange(7);
	await session.add(...[user("u8"), reply("a8")]);
	const { press, select, selected, decided, text, lines } = screen(session, { height: 60 });
	const hints = () => lines().findLast((line) => line.includes("? help")) ?? "";
	await select("group of 3 folds");
	await press(ENTER);
	let offered = 0;
	for (let row = 0; row < 40; row++) {
		const isStaged = selected().includes("◇");
		expect(hints().includes("m cut")).toBe(isStaged);
		offered += isStaged ? 1 : 0;
		if (!isStaged) {
			await press("m");
			expect(text()).toContain(
				"only what is staged can be cut: select a staged stretch, ◇, or a message in one",
			);
			expect(text()).not.toContain("at the other end");
		}
		await press(DOWN);
	}
	expect(offered).toBeGreaterThan(0);
	await select("◇");
	await press(ENTER, DOWN);
	await select("- user · Question 6");
	expect(hints()).toContain("m cut");
	await press("m");
	expect(hints()).toContain("m cut to here");
	await press(HOME);
	expect(hints()).not.toContain("m cut");
	expect(decided).toEqual([]);
});

test("a short cut is refused with its code", async () => {
	const session = await MappedSession.of(4);
	const { press, select, text } = screen(session);
	await select('Question 1"');
	await press(ENTER);
	await select("- user · Question 1");
	await press("m", "m");
	expect(text()).toContain("SPAN_INVALID: ");
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
