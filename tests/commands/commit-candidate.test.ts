import { expect, test } from "vitest";
import { cutOf } from "../../projections/forest.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import { clippableBehind } from "../../src/commands/clippable.ts";
import { candidateAt } from "../../src/commands/commit-candidate.ts";
import { withdrawMarks } from "../../src/commands/withdraw.ts";
import { fact, Given, line } from "./given.ts";

const given = (floorTokens: number) => new Given({ minFoldChars: 300, floorTokens, toolFoldThreshold: 0.5 });

const five = line([
	fact("s", "system", 30),
	fact("u1", "user", 300),
	fact("a1", "assistant", 300),
	fact("u2", "user", 300),
	fact("a2", "assistant", 300),
]);

test("nothing is foldable where no cut closed", () => {
	const log = given(0).entries([fact("u", "user", 299)]);
	expect(candidateAt(log.states, "u")).toBeUndefined();
	expect(candidateAt(log.states, null)).toBeUndefined();
});

test("nothing is foldable while the raw tail would fall below the floor", () => {
	expect(candidateAt(given(301).entries(five).states, "a2")).toBeUndefined();
	expect(candidateAt(given(300).entries(five).states, "a2")?.through?.id).toBe("f1-u1");
});

test("the deepest cut that leaves the floor is taken, and nearer ones are refused", () => {
	const candidate = candidateAt(given(150).entries(five).states, "a2");
	expect(candidate?.through?.id).toBe("f2-a1");
	expect(candidate?.refused).toEqual([
		{ cut: "f4-a2", why: "inside the floor" },
		{ cut: "f3-u2", why: "inside the floor" },
	]);
});

test("system messages and the last user message are held where they lie inside the span", () => {
	const candidate = candidateAt(given(50).entries(five).states, "a2");
	expect(candidate?.through?.id).toBe("f3-u2");
	expect(candidate?.held).toEqual([
		{ entry: "s", why: "system message" },
		{ entry: "u2", why: "last user message" },
	]);
	// of the last cut nothing is hidden, so it has no text
	expect(candidate?.head).toEqual({ chars: 2 * 50 + 30 + 300, images: 0 });
});

const tail = (thinking: number) =>
	line([
		fact("u", "user", 300),
		fact("a", "assistant", 300, { opens: ["x", "y", "z"], thinking }),
		fact("rx", "result", 2_001, { answers: "x" }),
		fact("ry", "result", 2_000, { answers: "y" }),
		fact("rz", "result", 9_000, { answers: "z" }),
		fact("b", "assistant", 5_000, { opens: ["w"] }),
		fact("rw", "result", 9_000, { answers: "w" }),
	]);

function clippable(log: Given): string[] {
	const through = candidateAt(log.states, "u");
	if (!through) throw new TypeError("nothing is foldable");
	return clippableBehind(log.states, "rw", through.through).map((node) => node.id);
}

test("results of more than 2,000 characters in the oldest share of the tail would be clipped", () => {
	expect(clippable(given(0).entries(tail(0)))).toEqual(["rx", "rz"]);
});

test("no result is clipped in a turn whose thinking stays", () => {
	expect(clippable(given(0).entries(tail(50)))).toEqual([]);
	expect(clippable(given(0).valuation({ reasoning: "strip" }).entries(tail(50)))).toEqual(["rx", "rz"]);
});

test("a result in a mark that was withdrawn is not clipped", () => {
	const log = given(0).entries(tail(0));
	const through = candidateAt(log.states, "u")?.through;
	const mark = cutOf(log.states.forest, nodeOf(log.states.tree, "b")?.cut ?? null)?.id ?? "";
	const command = { leaf: "rw", ordinal: 9, digest: () => "w", ids: [mark] };
	const leaf = log.decided(withdrawMarks(log.states, command), "rw");
	expect(planAt(log.states, leaf)?.withdrawn).toEqual(new Set([mark]));
	expect(clippableBehind(log.states, leaf, through)).toEqual([]);
});

test("a result the model has not answered yet is not clipped, however old it is", () => {
	const exchange = (id: string) => [
		fact(id, "assistant", 10, { opens: [`call-${id}`] }),
		fact(`r${id}`, "result", 9_000, { answers: `call-${id}` }),
	];
	const entries = line([fact("u", "user", 300), ...exchange("a"), fact("b", "assistant", 300)]);
	const log = new Given({ minFoldChars: 300, floorTokens: 0, toolFoldThreshold: 0.9 }).entries(entries);
	const through = candidateAt(log.states, "u")?.through;
	expect(clippableBehind(log.states, "ra", through)).toEqual([]);
	expect(clippableBehind(log.states, "b", through).map(({ id }) => id)).toEqual(["ra"]);
});
