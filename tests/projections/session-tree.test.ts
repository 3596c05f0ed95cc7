import { expect, test } from "vitest";
import { type EntryNode, isAtOrAbove, nodeOf, onlyGrew } from "../../projections/session-tree.ts";
import { fact, Given, line } from "../commands/given.ts";

const edited = fact("e", undefined, 0, { kind: "contextEdit", target: "a", omits: true });
const { tree } = new Given()
	.entries(line([fact("u", "user", 10), fact("a", "assistant", 10), fact("b", "assistant", 10)]))
	.entries(line([edited], "b"))
	.entries(line([fact("s", "summary", 10, { kind: "compaction" })], "b"))
	.entries(line([fact("c", "assistant", 10)], "a")).states;
const node = (id: string) => nodeOf(tree, id) as EntryNode;

test("an entry is at or above itself and whatever follows it, on its own branch alone", () => {
	expect(isAtOrAbove(tree, node("b"), node("b"))).toBe(true);
	expect(isAtOrAbove(tree, node("u"), node("c"))).toBe(true);
	expect(isAtOrAbove(tree, node("c"), node("u"))).toBe(false);
	expect(isAtOrAbove(tree, node("b"), node("c"))).toBe(false);
});

test("what the host sends only grew where nothing between two entries leads elsewhere, edits or compacts", () => {
	expect(onlyGrew(tree, node("u"), node("b"))).toBe(true);
	expect(onlyGrew(tree, node("b"), node("c"))).toBe(false);
	expect(onlyGrew(tree, node("b"), node("e"))).toBe(false);
	expect(onlyGrew(tree, node("b"), node("s"))).toBe(false);
});
