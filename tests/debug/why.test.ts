import { expect, test } from "vitest";
import { whyAt } from "../../src/debug/why.ts";
import { edit, text } from "../engine/made-entries.ts";
import { MappedSession } from "./mapped-session.ts";

test("what an edit took out or replaced is told of by the edit, and what is folded by its fold all the same", async () => {
	const session = await MappedSession.of(6);
	const why = (id: string) => whyAt(session.engine.states, session.leaf, id);
	expect(why("a6")).toMatchObject({ about: "entry", entry: { state: "raw" } });
	expect(why("a6")).not.toHaveProperty("edited");
	await session.add(edit("x1", "a6"), edit("x2", "u6", [text(9)]));
	expect(why("a6")).toMatchObject({ edited: { by: "x1" } });
	expect(why("u6")).toMatchObject({ edited: { by: "x2" } });
	const commit = await session.decide();
	expect(why("r1")).toMatchObject({ entry: { state: "folded" }, commit: { id: commit } });
	expect(why("r1")).not.toHaveProperty("edited");
});
