import { expect, test } from "vitest";
import { planAt } from "../../projections/window-plan.ts";
import { commitNow } from "../../src/commands/commit.ts";
import { memoryNoteDue, type ToTell } from "../../src/commands/memory-note.ts";
import { fact, Given, line, requestAt } from "./given.ts";

const NOTHING: ToTell = { standing: [], isWhole: true, touched: [] };

function dueAt(given: Given, leaf: string | null, more: Partial<ToTell>) {
	return memoryNoteDue(given.states, leaf, { ...NOTHING, ...more });
}

/** A message of ours below an entry; its id is the one given. */
function note(given: Given, id: string, parent: string | null, memory: object): string {
	given.entries([{ ...fact(id, "note", 40, { kind: "note", memory }), parent }]);
	return id;
}

/** Many exchanges below an entry; the last one's id is returned. */
function work(given: Given, name: string, parent: string | null, count = 12): string {
	const facts = Array.from({ length: count }, (_, n) =>
		fact(`${name}${n}`, n % 2 ? "assistant" : "user", 1_000),
	);
	given.entries(line(facts, parent));
	return `${name}${count - 1}`;
}

function folded(given: Given, leaf: string): string {
	return given.decided(commitNow(given.states, requestAt(leaf)), leaf);
}

test("nothing is told where nothing is remembered", () => {
	expect(dueAt(new Given(), null, {})).toBeUndefined();
});

test("the block is told once, before anything was said or after", () => {
	const given = new Given();
	expect(dueAt(given, null, { standing: ["a", "b"] })).toEqual({ block: ["a", "b"] });
	const leaf = note(given, "n0", work(given, "u", null, 1), { block: ["a", "b"] });
	expect(dueAt(given, leaf, { standing: ["a", "b"] })).toBeUndefined();
	expect(dueAt(given, "u0", { standing: ["a", "b"] })).toEqual({ block: ["a", "b"] });
});

test("where it is not known what is remembered, nothing is said of it", () => {
	const given = new Given();
	const leaf = note(given, "n0", null, { block: ["a"] });
	expect(dueAt(given, leaf, { standing: undefined })).toBeUndefined();
	expect(dueAt(given, leaf, { standing: [] })).toEqual({ gone: ["a"] });
});

test("where not all that stands is known, nothing is said to hold no more", () => {
	const given = new Given();
	const leaf = note(given, "n0", null, { block: ["a"] });
	expect(dueAt(given, leaf, { standing: [], isWhole: false })).toBeUndefined();
	expect(dueAt(given, leaf, { standing: ["b"], isWhole: false })).toEqual({ told: ["b"] });
});

test("what changed since is told once, at the tail", () => {
	const given = new Given();
	const first = note(given, "n0", null, { block: ["a", "b"] });
	expect(dueAt(given, first, { standing: ["b", "c"] })).toEqual({ told: ["c"], gone: ["a"] });
	const second = note(given, "n1", work(given, "u", first, 2), { told: ["c"], gone: ["a"] });
	expect(dueAt(given, second, { standing: ["b", "c"] })).toBeUndefined();
	expect(dueAt(given, second, { standing: ["a", "b", "c"] })).toEqual({ told: ["a"] });
	expect(dueAt(given, second, { standing: [] })).toEqual({ gone: ["b", "c"] });
});

test("the block and what changed since are not folded, and one block takes their place after a commit", () => {
	const given = new Given({ minFoldChars: 2_000, floorTokens: 500 });
	const block = note(given, "n0", null, { block: ["a"] });
	const delta = note(given, "n1", work(given, "u", block), { told: ["b"] });
	const leaf = folded(given, work(given, "v", delta));
	expect(planAt(given.states, leaf)?.held).toEqual(expect.arrayContaining(["n0", "n1"]));
	expect(dueAt(given, leaf, { standing: ["a", "b"] })).toEqual({ block: ["a", "b"] });
	const fresh = note(given, "n2", leaf, { block: ["a", "b"] });
	expect(dueAt(given, fresh, { standing: ["a", "b"] })).toBeUndefined();
	const later = folded(given, work(given, "w", fresh));
	expect(planAt(given.states, later)?.held).toContain("n2");
	expect(planAt(given.states, later)?.held).not.toContain("n0");
	expect(dueAt(given, later, { standing: ["a", "b"] })).toBeUndefined();
});

test("a line about a file is told again only once it has left the window", () => {
	const given = new Given({ minFoldChars: 2_000, floorTokens: 500 });
	const told = note(given, "n0", work(given, "u", null, 2), { lines: ["f"] });
	expect(dueAt(given, told, { touched: ["f"] })).toBeUndefined();
	const leaf = folded(given, work(given, "v", told));
	expect(dueAt(given, leaf, { touched: ["f"] })).toEqual({ lines: ["f"] });
	expect(dueAt(given, leaf, {})).toBeUndefined();
});

test("after a compaction of the host's the block comes again", () => {
	const given = new Given();
	const told = note(given, "n0", null, { block: ["a"] });
	const last = work(given, "u", told, 4);
	given.entries([{ ...fact("c0", "summary", 300, { kind: "compaction", firstKept: "u3" }), parent: last }]);
	expect(dueAt(given, "c0", { standing: ["a"] })).toEqual({ block: ["a"] });
	expect(dueAt(given, "c0", { standing: [] })).toBeUndefined();
});
