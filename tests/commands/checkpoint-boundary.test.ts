import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeBoundary } from "../../src/commands/checkpoint-boundary.ts";
import { boundaryOf, compacted, pathOf, type Step, shownOf } from "./paths.ts";

const TURNS: Step[] = [
	"user",
	"calls a b",
	"result a",
	"result b",
	"says",
	"user",
	"calls c",
	"result c",
	"says",
];

/** Where a path is cut, by the number of the entry. */
function cutOf(steps: readonly Step[], proposed: number): string | undefined {
	return boundaryOf(pathOf(steps), `e${proposed}`)?.kept.id;
}

describe("a boundary", () => {
	test.each([
		["before a user message stands", TURNS, 5, "e5"],
		["before a reply that makes calls stands", TURNS, 6, "e6"],
		["between a call and its result moves before the call", TURNS, 7, "e6"],
		["inside a parallel batch moves before the batch", TURNS, 3, "e1"],
		["before metadata stands", ["user", "says", "model", "thinking", "user", "says"], 2, "e2"],
		[
			"before metadata behind a call moves before the call",
			["user", "calls a", "model", "result a"],
			2,
			"e1",
		],
		["before a note of an extension stands", ["user", "says", "note", "says"], 2, "e2"],
		["behind an aborted call that nobody answered stands", ["user", "aborted a", "user", "says"], 2, "e2"],
		["before an aborted call that nobody answered stands", ["user", "says", "aborted a", "user"], 2, "e2"],
		["before a call that nobody answered stands", ["user", "says", "calls a", "user", "says"], 2, "e2"],
		[
			"before an orphan of a result stands only where something may come first",
			["user", "says", "result x", "user"],
			2,
			"e1",
		],
		["keeps an orphan that stood there before", ["user", "says", "user", "result x", "user"], 2, "e2"],
		[
			"between a call and the second result of one id stands before the call",
			["user", "says", "calls a", "result a", "user", "result a"],
			4,
			"e4",
		],
		["before an entry that was taken out stands", ["user", "says", "user", "says", "omit 2"], 2, "e2"],
		[
			"may part a call from a result that was taken out",
			["user", "calls a", "result a", "user", "omit 2"],
			3,
			"e3",
		],
		[
			"before a result whose call was taken out moves",
			["user", "calls a", "result a", "user", "omit 1"],
			2,
			"e1",
		],
	] as const)("%s", (_rule, steps, proposed, cut) => {
		expect(cutOf(steps, proposed)).toBe(cut);
	});

	test.each([
		["at the first entry", ["user", "says"], 0],
		["where nothing that was said would leave", ["model", "thinking", "user", "says"], 2],
		["at an entry that is not there", ["user", "says"], 7],
		["where every cut would part the one exchange there is", ["calls a", "result a"], 1],
		["before a system message alone", ["prompt", "user"], 1],
	] as const)("there is none %s", (_rule, steps, proposed) => {
		expect(cutOf(steps, proposed)).toBeUndefined();
	});

	test("is never looked for beyond the compaction before", () => {
		const steps = ["user", "says", "user", "calls a", "compacts 3", "result a", "says"];
		// e3 is the first entry that is shown, and a cut behind it parts the call from its result
		expect(cutOf(steps, 5)).toBeUndefined();
	});

	test("may lie in what the compaction before kept, and counts that one among what leaves", () => {
		const steps = ["user", "says", "user", "says", "user", "compacts 2", "says"];
		const boundary = boundaryOf(pathOf(steps), "e4");
		expect(boundary?.kept.id).toBe("e4");
		expect(boundary?.gone.map(({ id }) => id)).toEqual(["e5", "e2", "e3"]);
	});

	test("tells whether it lies inside a turn", () => {
		expect(boundaryOf(pathOf(TURNS), "e6")?.isSplitTurn).toBe(true);
		expect(boundaryOf(pathOf(TURNS), "e5")?.isSplitTurn).toBe(false);
	});

	test("counts what leaves and what stays, without system messages", () => {
		const boundary = boundaryOf(pathOf(["prompt", "user", "says", "user", "prompt", "says"]), "e3");
		expect(boundary?.gone.map(({ id }) => id)).toEqual(["e1", "e2"]);
		expect(boundary?.stays).toBe(2);
	});

	test("is none where the host cannot project the path, and the path is left as it was", () => {
		const path = pathOf(TURNS);
		const before = structuredClone(path);
		const project = () => {
			throw new Error("no such path");
		};
		const compaction = (kept: string) => compacted(path, kept);
		expect(safeBoundary({ branch: path, proposed: "e5", project, compaction })).toBeUndefined();
		expect(boundaryOf(path, "e5")).toBeDefined();
		expect(path).toEqual(before);
	});

	test("is none where the host would show something else than what lies behind it", () => {
		const path = pathOf(TURNS);
		const compaction = (kept: string) => compacted(path, kept);
		const project = (shown: readonly SessionEntry[]) =>
			shownOf(shown).filter(({ sourceEntry }) => sourceEntry.id !== "e8");
		const forgetful = (shown: readonly SessionEntry[]) =>
			shown.length > path.length ? project(shown) : shownOf(shown);
		expect(safeBoundary({ branch: path, proposed: "e5", project: forgetful, compaction })).toBeUndefined();
	});
});

const step = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom("user", "says", "note", "model", "prompt") },
	{ weight: 4, arbitrary: fc.constantFrom("calls a", "calls b c", "calls a b", "aborted a") },
	{ weight: 5, arbitrary: fc.constantFrom("result a", "result b", "result c") },
	{ weight: 1, arbitrary: fc.nat({ max: 12 }).map((n) => `omit ${n}`) },
	{ weight: 1, arbitrary: fc.nat({ max: 12 }).map((n) => `compacts ${n}`) },
);

/** Pairs of a call and the result that answers it, by the entries that hold them; and results without a call. */
function pairsIn(path: readonly SessionEntry[]): { pairs: Set<string>; orphans: Set<string> } {
	const open: { call: string; by: string }[] = [];
	const pairs = new Set<string>();
	const orphans = new Set<string>();
	for (const { sourceEntry, messages } of shownOf(path)) {
		for (const message of messages) {
			if (message.role === "assistant")
				for (const part of message.content)
					if (part.type === "toolCall") open.push({ call: part.id, by: sourceEntry.id });
			if (message.role !== "toolResult") continue;
			const at = open.findIndex(({ call }) => call === message.toolCallId);
			if (at < 0) orphans.add(sourceEntry.id);
			else pairs.add(`${open.splice(at, 1)[0]?.by} ${sourceEntry.id}`);
		}
	}
	return { pairs, orphans };
}

test("no boundary orphans a result, whatever the path holds and wherever the host would cut", () => {
	fc.assert(
		fc.property(fc.array(step, { minLength: 2, maxLength: 16 }), fc.nat({ max: 16 }), (steps, proposed) => {
			const path = pathOf(steps.map((one, at) => (targetOf(one) < at ? one : "says")));
			const boundary = boundaryOf(path, `e${proposed}`);
			if (!boundary) return;
			const { id } = boundary.kept;
			const number = (entry: string) => Number(entry.slice(1));
			expect(number(id)).toBeLessThanOrEqual(proposed);
			const before = pairsIn(path);
			const after = pairsIn([...path, compacted(path, id)]);
			for (const orphan of after.orphans) expect(before.orphans).toContain(orphan);
			const shown = new Set(shownOf([...path, compacted(path, id)]).map(({ sourceEntry }) => sourceEntry.id));
			for (const { sourceEntry } of shownOf(path))
				expect(
					shown.has(sourceEntry.id) ||
						boundary.gone.some((one) => one.id === sourceEntry.id) ||
						isPrompt(sourceEntry),
				).toBe(true);
		}),
		{ numRuns: 500 },
	);
});

function isPrompt(entry: SessionEntry): boolean {
	return entry.type === "message" && entry.message.role === "system";
}

/** The entry a step names; -1 for none. */
function targetOf(one: Step): number {
	const [what, name] = one.split(" ");
	return what === "omit" || what === "compacts" ? Number(name) : -1;
}
