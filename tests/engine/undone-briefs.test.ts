import { expect, test } from "vitest";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { Decided } from "./decided.ts";

const SETTINGS = { floorTokens: 1, consolidateAfter: 2 };

/** The words of what stands in the window. */
function words({ engine, leaf }: Decided): string {
	return windowItems(engine.states, leaf, planAt(engine.states, leaf))
		.map((item) => (item.kind === "fold" ? new TextDecoder().decode(engine.content(item.text)) : ""))
		.join("\n");
}

/** Two marks, something supplied for the first before the second closed, and both groups closed over them. */
async function briefed(): Promise<{ session: Decided; brief: string }> {
	const session = await Decided.with(SETTINGS);
	await session.work(1, 1);
	const decision = await session.decide({ do: "brief", fold: "f1-r1", text: "See src/lexer.ts." });
	await session.work(2, 4);
	return { session, brief: decision?.id ?? "" };
}

test("what was supplied is told by a group that closed since, and once taken back by none", async () => {
	const { session, brief } = await briefed();
	await session.work(5, 5);
	const undone = await session.decide({ do: "undo", ids: [brief] });
	await session.commit();
	expect(session.window).toContain("g2-r4");
	expect(words(session)).not.toContain("src/lexer.ts");
	const commit = planAt(session.engine.states, session.leaf)?.id ?? "";
	await session.decide({ do: "undo", ids: [commit, undone?.id ?? ""] });
	await session.commit();
	expect(words(session)).toContain("src/lexer.ts");
});

test("what was supplied, taken back and given again is told by groups that closed in between", async () => {
	const session = await Decided.with(SETTINGS);
	await session.work(1, 1);
	const brief = await session.decide({ do: "brief", fold: "f1-r1", text: "See src/lexer.ts." });
	const undone = await session.decide({ do: "undo", ids: [brief?.id ?? ""] });
	await session.work(2, 5);
	await session.decide({ do: "undo", ids: [undone?.id ?? ""] });
	await session.commit();
	expect(words(session)).toContain("src/lexer.ts");
});

test("words that are taken back are so where it is decided again from nodes", async () => {
	const { session, brief } = await briefed();
	await session.work(5, 5);
	await session.decide({ do: "undo", ids: [brief] });
	await session.commit();
	const { session: fork, met } = await session.again(SETTINGS);
	expect(met).toEqual(["rebuilt", "rebuilt", "rebuilt"]);
	expect(words(fork)).toBe(words(session));
});
