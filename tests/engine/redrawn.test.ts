import { expect, test } from "vitest";
import { cutOf } from "../../projections/forest.ts";
import { planAt } from "../../projections/window-plan.ts";
import { Decided } from "./decided.ts";

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
