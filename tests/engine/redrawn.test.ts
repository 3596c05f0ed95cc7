import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import { cutOf } from "../../projections/forest.ts";
import { planAt } from "../../projections/window-plan.ts";
import { Decided } from "./decided.ts";
import { chain, custom } from "./made-entries.ts";

/** Four marks, something asked of some, and the first two drawn as one. */
async function redrawn(...asked: Parameters<Decided["decide"]>[0][]): Promise<Decided> {
	const session = await Decided.with({ floorTokens: 1, consolidateAfter: 3 });
	await session.work(1, 4);
	for (const command of asked) await session.decide(command);
	await session.decide({ do: "recut", ids: ["f1-r1", "f2-r2"] });
	return session;
}

/** The words of what stands at a leaf for a fold. */
function wordsOf({ engine, leaf }: Decided, fold: string): string {
	const { forest } = engine.states;
	const written = forest.cuts.flatMap((bucket) => [...bucket.values()].flatMap(({ texts }) => texts));
	const text = planAt(engine.states, leaf)?.texts.get(fold) ?? written.find((one) => one.fold === fold);
	return new TextDecoder().decode(engine.content(text?.text ?? ""));
}

test("a mark that is merely counted anew stays withdrawn, and one that is drawn anew does not", async () => {
	const session = await redrawn({ do: "unmark", ids: ["f2-r2"] }, { do: "unmark", ids: ["f4-r4"] });
	await session.work(5, 6);
	await session.commit();
	const [first = "", second = ""] = session.cuts;
	expect(session.window.slice(0, 4)).toEqual([first, second, "a4", "r4"]);
});

test("a mark that is merely counted anew keeps what was supplied for it, and so does the group that covers it", async () => {
	const session = await redrawn(
		{ do: "brief", fold: "f2-r2", text: "See src/lexer.ts." },
		{ do: "brief", fold: "f3-r3", text: "See src/parser.ts." },
		{ do: "brief", fold: "f4-r4", text: "See src/sky.ts." },
	);
	const [first = "", second = "", third = ""] = session.cuts;
	expect(wordsOf(session, first)).not.toContain("src/lexer.ts");
	expect(wordsOf(session, second)).toContain("See src/parser.ts.");
	expect(wordsOf(session, third)).toContain("See src/sky.ts.");
	const group = cutOf(session.engine.states.forest, third)?.texts[1]?.fold ?? "";
	expect(wordsOf(session, group)).toMatch(/src\/parser\.ts.*src\/sky\.ts/);
});

test("what follows a stretch that is counted anew is the same where it is decided again from nodes", async () => {
	const session = await redrawn(
		{ do: "brief", fold: "f3-r3", text: "See src/parser.ts." },
		{ do: "unmark", ids: ["f4-r4"] },
	);
	await session.work(5, 6);
	await session.commit();
	const { session: fork, met } = await session.again({ floorTokens: 1, consolidateAfter: 3 });
	expect(met).toEqual(["rebuilt", "rebuilt", "rebuilt", "rebuilt"]);
	expect(fork.window).toEqual(session.window);
});

/** The stretches of all cuts, by their names, as the log's marks draw them. */
function drawnIn(events: readonly DomainEvent[]): Map<string, Set<string>> {
	const spans = new Map<string, Set<string>>();
	for (const event of events) {
		const cuts =
			event.type === "mark/recut" ? event.data.cuts : event.type === "mark/set" ? [event.data] : [];
		for (const { id, before, from, to } of cuts)
			spans.set(id, new Set(spans.get(id)).add(`${before} ${from} ${to}`));
	}
	return spans;
}

test("no two stretches share a name, whichever branches they are drawn on, taken back and drawn again", async () => {
	const events: DomainEvent[] = [];
	const session = await Decided.with({}, "live", (event) => events.push(event));
	await session.work(1, 3);
	const fork = session.leaf;
	for (const ids of [
		["f1-r1", "f2-r2"],
		["f2-r2", "f3-r3"],
		["f1-r1", "f2-r2"],
	]) {
		session.leaf = fork;
		const drawn = await session.decide({ do: "recut", ids });
		await session.decide({ do: "undo", ids: [drawn?.id ?? ""] });
		await session.decide({ do: "recut", ids: ids.toReversed() });
	}
	expect(events.filter(({ type }) => type === "mark/recut")).toHaveLength(6);
	expect([...drawnIn(events).values()].filter(({ size }) => size > 1)).toEqual([]);
});

test("a recut of another copy of the session is not made again under names that stand for other stretches here", async () => {
	const events: DomainEvent[] = [];
	const here = await Decided.with({}, "live", (event) => events.push(event));
	const there = await Decided.with();
	for (const session of [here, there]) await session.work(1, 3);
	const fork = here.leaf;
	await here.decide({ do: "recut", ids: ["f1-r1", "f2-r2"] });
	await there.decide({ do: "recut", ids: ["f2-r2", "f3-r3"] });
	const [name = "", node] = [...there.nodes].at(-1) ?? [];
	const [entry] = chain([custom(`${name}-there`)], fork);
	if (!node || !entry) expect.fail("a recut has a node");
	expect(await here.engine.meet(entry, node)).toBe("refused");
	expect([...drawnIn(events).values()].filter(({ size }) => size > 1)).toEqual([]);
});
