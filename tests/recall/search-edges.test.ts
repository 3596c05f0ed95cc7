import { expect, test, vi } from "vitest";
import { parseQuery } from "../../projections/recall/query.ts";
import { scanRecall } from "../../src/debug/recall/scan.ts";
import { entriesOf, type Said, sessionWith } from "./recalled.ts";

const said = (...texts: string[]): Said[] => texts.map((says) => ({ says }));

test("a phrase of more words than are looked up is found all the same", async () => {
	const long = Array.from({ length: 40 }, (_, n) => `part${n}`).join(" ");
	const texts = said(long.replace("part39", "part0"), long);
	const { recall, engine } = await sessionWith(texts);
	const { leaf } = engine.states.tree;
	const found = await recall.search(parseQuery(`"${long}"`), { leaf, scope: "branch", limit: 5 });
	expect(found.hits.map(({ id }) => id)).toEqual(["e2"]);
	const { hits } = await scanRecall(entriesOf(texts), parseQuery(`"${long}"`), { scope: "all", limit: 5 });
	expect(hits.map(({ id }) => id)).toEqual(["e2"]);
});

test("a search that fails on its way leaves nothing behind that the next one stumbles over", async () => {
	const { recall, index, engine } = await sessionWith(said("a walrus swims", "a lost walrus"));
	const { leaf } = engine.states.tree;
	const ask = (typed: string) => recall.search(parseQuery(typed), { leaf, scope: "branch", limit: 5 });
	const find = index.find.bind(index);
	const finding = vi.spyOn(index, "find").mockImplementation((space, term, stem) => {
		if (term === "lost") throw new Error("its row is gone");
		return find(space, term, stem);
	});
	await expect(ask("walrus lost")).rejects.toThrow("its row is gone");
	finding.mockRestore();
	expect((await ask("walrus")).hits.map(({ id }) => id)).toEqual(["e2", "e1"]);
});
