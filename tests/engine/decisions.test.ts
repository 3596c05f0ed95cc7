import { expect, test } from "vitest";
import { cutOf } from "../../projections/forest.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import type { Decision } from "../../src/engine/decision.ts";
import { Decided, SETTINGS } from "./decided.ts";
import { edit, reply, result, user } from "./made-entries.ts";

test("an opened group of groups is shown by its groups, by the last of them too", async () => {
	const session = await Decided.with();
	await session.work(1, 5);
	await session.commit();
	expect(session.window).toEqual(["g2-r4", "a5", "r5"]);
	await session.decide({ do: "expand", fold: "g2-r4" });
	expect(session.window).toEqual(["g1-r2", "g1-r4", "a5", "r5"]);
});

test("a group that is shown by its parts, for one of them is open, is open already", async () => {
	const session = await Decided.with();
	await session.work(1, 3);
	await session.commit();
	await session.decide({ do: "toRaw", ids: ["f2-r2"] });
	await session.work(4, 4);
	await session.commit();
	expect(session.window).toEqual(["f1-r1", "a2", "r2", "f3-r3", "a4", "r4"]);
	expect(await session.decide({ do: "expand", fold: "g1-r2" })).toBe(undefined);
});

test("a clipped result that was pinned stays whole once its pin is lifted, up to the next commit", async () => {
	const session = await Decided.with({ floorTokens: 3_000, toolFoldThreshold: 1 });
	await session.work(1, 5);
	await session.add(user("u"), reply("b"));
	await session.commit();
	expect(session.window).toContain("clipped r4");
	await session.decide({ do: "pin", ids: ["r4"] });
	expect(session.window).toContain("r4");
	const pinned = session.window;
	await session.decide({ do: "unpin", ids: ["r4"] });
	expect(session.window).toEqual(pinned);
});

test("a request is told the newest decision that moved its window, not the newest", async () => {
	const session = await Decided.with();
	await session.work(1, 3);
	await session.commit();
	await session.engine.prepare(session.request);
	await session.decide({ do: "expand", fold: "g1-r2" });
	await session.decide({ do: "toRaw", ids: ["f1-r1"] });
	const { change } = await session.engine.prepare(session.request);
	expect(change).toEqual({ item: 0, cause: "expand" });
});

test("a replay goes on behind cuts that were drawn anew", async () => {
	const session = await Decided.with({}, "replay");
	await session.work(1, 3);
	await session.decide({ do: "recut", ids: ["f1-r1", "f2-r2"] });
	await session.work(4, 5);
	await session.commit();
	expect(session.cuts.map((id) => id.replace(/~r\d+/, "~"))).toEqual(["f1-r2~", "f2-r3~", "f3-r4", "f4-r5"]);
});

test("a group named for a recut reaches from its first cut", async () => {
	const session = await Decided.with();
	await session.work(1, 3);
	await session.decide({ do: "recut", ids: ["g1-r2"] });
	expect(session.cuts.map((id) => id.replace(/~r\d+/, "~"))).toEqual(["f1-r2~", "f2-r3~"]);
});

test("a result nobody waited for is pinned alone", async () => {
	const session = await Decided.with();
	await session.work(1, 1);
	await session.add(result("late", "c1"));
	await session.decide({ do: "pin", ids: ["late"] });
	expect([...(planAt(session.engine.states, session.leaf)?.pins ?? [])]).toEqual(["late"]);
});

test("a stretch that closes open on two branches has one text, by whatever rules the second goes", async () => {
	const session = await Decided.with();
	await session.add(user("u", 3_000), reply("a", 10, ["c"]));
	const open = session.leaf;
	await session.add(user("v"));
	const text = cutOf(session.engine.states.forest, "f1-u")?.texts;
	await session.engine.settle({ ...SETTINGS, briefs: "truncation", consolidateAfter: 3 }, 0, "host");
	session.leaf = open;
	await session.add(user("w"));
	expect(session.cuts).toEqual(["f1-u"]);
	expect(cutOf(session.engine.states.forest, "f1-u")?.texts).toEqual(text);
});

test("a stretch that closes open is told from itself on another branch where cuts before it were drawn anew", async () => {
	const session = await Decided.with();
	await session.work(1, 2);
	await session.add(reply("a", 3_000, ["c"]));
	const open = session.leaf;
	await session.add(user("v"));
	const before = session.cuts;
	session.leaf = open;
	await session.decide({ do: "recut", ids: ["f1-r1", "f2-r2"] });
	await session.add(user("w"));
	expect(session.cuts.at(-1)).toBe("f2-a~w");
	session.leaf = "v";
	expect(session.cuts).toEqual(before);
});

test("a brief rewrites the groups that cover its cut, in the base they were made in", async () => {
	const session = await Decided.with();
	await session.work(1, 4);
	await session.engine.settle({ ...SETTINGS, consolidateAfter: 4 }, 0, "host");
	const briefed = async (fold: string) => {
		const decision = await session.decide({ do: "brief", fold, text: "All is well." });
		return decision?.event.type === "brief/supplied"
			? decision.event.data.texts.map((text) => text.fold)
			: [];
	};
	expect(await briefed("f3-r3")).toEqual(["f3-r3", "g1-r4", "g2-r4"]);
	expect(await briefed("f1-r1")).toEqual(["f1-r1", "g1-r2", "g2-r4"]);
});

test("a pin is made again in a fork, however small the budget is there", async () => {
	const session = await Decided.with();
	await session.work(1, 3);
	await session.decide({ do: "pin", ids: ["r1"] });
	await session.commit();
	const { session: fork, met } = await session.again({ inputBudget: 3_000 });
	expect(met).toEqual(["rebuilt", "rebuilt"]);
	expect(fork.window).toEqual(session.window);
});

test("no commit goes through a cut of another branch, whatever its number", async () => {
	const session = await Decided.with();
	await session.work(1, 1);
	const fork = session.leaf;
	await session.work(2, 2);
	session.leaf = fork;
	await session.work(3, 4);
	expect(await session.commit("f2-r2")).toBe(undefined);
	expect((await session.commit("f2-r3"))?.id).toBe("c2-r4");
});

test("cuts are not drawn anew where those of the path begin elsewhere", async () => {
	const session = await Decided.with();
	await session.work(1, 4);
	await session.decide({ do: "recut", ids: ["f3-r3", "f4-r4"] });
	const { session: other, met } = await session.again({ minFoldChars: 9_000 });
	expect(met).toEqual(["refused"]);
	expect(other.cuts).toEqual(["f1-r3"]);
});

test("a result goes with its call, whatever the settings keep raw when it comes", async () => {
	const session = await Decided.with({ keepRaw: ["run"] });
	await session.add(user("u"), reply("a", 3_000, ["c"]));
	await session.engine.settle(SETTINGS, 0, "host");
	await session.add(result("r", "c"));
	await session.work(1, 2);
	await session.commit();
	expect(session.window).toEqual(["g1-r1", "u", "a", "r", "a2", "r2"]);
});

test("where an undo is taken back with the undo before it, cuts are as they were before both", async () => {
	const session = await Decided.with();
	await session.work(1, 3);
	const undo = (...decisions: (Decision | undefined)[]) =>
		session.decide({ do: "undo", ids: decisions.flatMap((decision) => decision?.id ?? []) });
	const first = await session.commit();
	const [cuts, window] = [session.cuts, session.window];
	const undone = await undo(first);
	const drawn = await session.decide({ do: "recut", ids: ["f1-r1", "f2-r2"] });
	const second = await session.commit();
	expect(session.cuts).not.toEqual(cuts);
	const both = await undo(second, drawn);
	expect(session.cuts).toEqual(cuts);
	await undo(both, undone);
	expect(session.cuts).toEqual(cuts);
	expect(session.window).toEqual(window);
});

test("a fold of which all is held raw shows no text, for it would hide nothing", async () => {
	const session = await Decided.with({ floorTokens: 1, consolidateAfter: 9 });
	await session.work(1, 4);
	await session.decide({ do: "pin", ids: ["r2"] });
	await session.commit();
	expect(session.window).toEqual(["f1-r1", "a2", "r2", "f3-r3", "a4", "r4"]);
	await session.decide({ do: "pin", ids: ["r3"] });
	expect(session.window).toEqual(["f1-r1", "a2", "r2", "a3", "r3", "a4", "r4"]);
	await session.decide({ do: "unpin", ids: ["r2", "r3"] });
	await session.work(5, 5);
	await session.commit();
	expect(session.window).toEqual(["f1-r1", "f2-r2", "f3-r3", "f4-r4", "a5", "r5"]);
});

test("a fold of which an edit left nothing but what is held raw shows no text", async () => {
	const session = await Decided.with({ floorTokens: 1, consolidateAfter: 9 });
	await session.add(user("u"));
	await session.work(1, 2);
	await session.add(user("v"));
	await session.decide({ do: "pin", ids: ["r1"] });
	await session.commit("f1-r1");
	expect(session.window).toEqual(["f1-r1", "a1", "r1", "a2", "r2", "v"]);
	await session.add(edit("e", "u"));
	expect(session.window).toEqual(["a1", "r1", "a2", "r2", "v"]);
});

test("where other briefs are asked for, each text goes on as what wrote it began, and no group mixes them", async () => {
	for (const [first, then] of [
		["index", "truncation"],
		["truncation", "index"],
	] as const) {
		const session = await Decided.with({ briefs: first, floorTokens: 1, consolidateAfter: 2 });
		await session.work(1, 1);
		await session.engine.settle({ ...SETTINGS, floorTokens: 1, briefs: then }, 0, "host");
		await session.decide({ do: "brief", fold: "f1-r1", text: "See src/lexer.ts." });
		await session.work(2, 4);
		await session.add(edit("e", "r1", [{ type: "text", text: "See src/parser.ts." }]));
		await session.work(5, 5);
		await session.commit();
		expect(session.window).toEqual(["f1-r1", "f2-r2", "g1-r4", "a5", "r5"]);
		const { engine, leaf } = session;
		const shown = windowItems(engine.states, leaf, planAt(engine.states, leaf)).flatMap((item) =>
			item.kind === "fold" ? new TextDecoder().decode(engine.content(item.text)) : [],
		);
		const isTruncation = shown.map((text) => text.startsWith("[pi-fold"));
		expect(isTruncation).toEqual([first, then, then].map((briefs) => briefs === "truncation"));
		expect(shown[0]).toContain("src/lexer.ts");
	}
});

test("in a fork, what is opened stays open for as many requests as it would have, those before the fork counted", async () => {
	const settings = { floorTokens: 1, consolidateAfter: 99 };
	const openAfter = async (before: number, behind: number) => {
		const session = await Decided.with(settings);
		await session.work(1, 2);
		await session.commit();
		await session.decide({ do: "expand", fold: "f1-r1" });
		const exchange = async (on: Decided, n: number) => {
			await on.engine.prepare(on.request);
			await on.work(n, n);
		};
		for (let n = 3; n < 3 + before; n++) await exchange(session, n);
		await session.commit();
		const { session: fork, met } = await session.again(settings);
		expect(met).toEqual(["rebuilt", "rebuilt", "rebuilt"]);
		for (let n = 3 + before; n < 3 + before + behind; n++) await exchange(fork, n);
		await fork.commit();
		return fork.window.includes("r1");
	};
	expect(await openAfter(5, 2)).toBe(true);
	expect(await openAfter(5, 3)).toBe(false);
});

test("a result that comes once its call is pinned is held with it", async () => {
	const session = await Decided.with({ floorTokens: 1 });
	await session.add(user("u"), reply("a", 500, ["b", "c"]), result("rb", "b", 1_500));
	await session.decide({ do: "pin", ids: ["rb"] });
	await session.add(result("rc", "c", 1_500), user("v"));
	await session.work(1, 1);
	await session.commit();
	expect(session.window.slice(0, 5)).toEqual(["f1-rc", "a", "rb", "rc", "v"]);
});
