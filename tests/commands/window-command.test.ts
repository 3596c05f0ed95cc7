import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { FoldText } from "../../projections/forest.ts";
import { planAt } from "../../projections/window-plan.ts";
import { CommandError, type CommandErrorCode } from "../../src/commands/command-error.ts";
import { commitNow, prospectAt } from "../../src/commands/commit.ts";
import { isDrawn } from "../../src/commands/recut.ts";
import {
	decideCommand,
	type PortableCommand,
	portable,
	type WindowCommand,
} from "../../src/commands/window-command.ts";
import { fact, Given, line } from "./given.ts";

/** Five exchanges of a call and its result, 10,000 characters each and a cut each; the floor is one of them. */
function worked() {
	const facts = Array.from({ length: 5 }, (_, n) => [
		fact(`a${n}`, "assistant", 1_000, { opens: [`call${n}`] }),
		fact(`r${n}`, "result", 9_000, { answers: `call${n}` }),
	]).flat();
	const log = new Given({ minFoldChars: 10_000, floorTokens: 3_000 }).valuation();
	log.entries(line([fact("u", "user", 10), ...facts]), 300);
	return { log, leaf: "r4" };
}

function folded() {
	const { log, leaf } = worked();
	const texts = { text: "t", chars: 100 };
	const request = {
		at: 0,
		leaf,
		model: "test/model",
		clip: () => undefined,
		receipt: () => texts,
		digest: () => "w",
	};
	return { log, leaf: log.decided(commitNow(log.states, request), leaf) };
}

const tools = (leaf: string, ordinal = 99) => ({
	leaf,
	ordinal,
	digest: () => "w",
	write: (cut: { id: string }, _pending: unknown, supplied: string) => ({
		texts: [
			{ fold: cut.id, level: 0, cut: cut.id, brief: "b", text: `says ${supplied}`, chars: supplied.length },
		],
		supplied: "s",
		renderer: "test@1",
	}),
	regroup: () => [],
	supplyAgain: (_drawn: unknown, told: readonly { cut: string; text: FoldText }[]) =>
		told.map(({ cut, text: { level, brief, text, chars } }) => ({
			fold: cut,
			level,
			cut,
			brief,
			text,
			chars,
		})),
});

const decide = (log: Given, leaf: string, command: WindowCommand | PortableCommand) =>
	decideCommand(log.states, command, tools(leaf));

function refusal(log: Given, leaf: string, command: WindowCommand): CommandErrorCode | undefined {
	try {
		decide(log, leaf, command);
		return undefined;
	} catch (error) {
		if (error instanceof CommandError) return error.code;
		throw error;
	}
}

const first = <T extends DomainEvent["type"]>(events: readonly DomainEvent[], type: T) => {
	const [event] = events;
	if (event?.type !== type) throw new TypeError(`${event?.type} instead of ${type}`);
	return event.data as Extract<DomainEvent, { type: T }>["data"];
};

test("an opened fold is raw in the plan and its price is what comes back", () => {
	const { log, leaf } = folded();
	const events = decide(log, leaf, { do: "expand", fold: "f2-r1" });
	const { quote, fixed } = first(events, "fold/expanded");
	expect(quote.after - quote.before).toBeCloseTo((10_000 - 300) / 3, -1);
	const before = planAt(log.states, leaf)?.fixed.chars ?? 0;
	expect(fixed.chars - before).toBe(10_000 - 300);
	const open = log.decided(events, leaf);
	expect([...(planAt(log.states, open)?.expanded.keys() ?? [])]).toEqual(["f2-r1"]);
	expect(decide(log, open, { do: "expand", fold: "f2-r1" })).toEqual([]);
	const closed = log.decided(decide(log, open, { do: "refold", fold: "f2-r1" }), open);
	expect(planAt(log.states, closed)?.fixed.chars).toBe(before);
});

test("what is not folded cannot be opened, what is not open cannot be closed, and what is unknown neither", () => {
	const { log, leaf } = folded();
	expect(refusal(log, leaf, { do: "expand", fold: "f5-r4" })).toBe("FOLD_PENDING");
	expect(refusal(log, leaf, { do: "refold", fold: "f1-r0" })).toBe("FOLD_NOT_OPEN");
	expect(refusal(log, leaf, { do: "expand", fold: "f9-x" })).toBe("FOLD_UNKNOWN");
});

test("a pin takes the whole exchange, by any of its names", () => {
	const { log, leaf } = worked();
	for (const id of ["a1", "r1", "call1", "f2-r1"]) {
		expect(first(decide(log, leaf, { do: "pin", ids: [id] }), "pin/placed").entries).toEqual(["a1", "r1"]);
	}
	expect(refusal(log, leaf, { do: "pin", ids: ["nobody"] })).toBe("ENTRY_UNKNOWN");
});

test("a pin on folded entries holds them raw at once, and lifting it moves nothing", () => {
	const { log, leaf } = folded();
	const events = decide(log, leaf, { do: "pin", ids: ["r1"] });
	expect(first(events, "pin/placed")).toMatchObject({ held: ["u", "a1", "r1"] });
	const pinned = log.decided(events, leaf);
	expect(decide(log, pinned, { do: "pin", ids: ["a1"] })).toEqual([]);
	const lifted = log.decided(decide(log, pinned, { do: "unpin", ids: ["a1"] }), pinned);
	const plan = planAt(log.states, lifted);
	expect({ pins: [...(plan?.pins ?? [])], held: plan?.held }).toEqual({ pins: [], held: ["u", "a1", "r1"] });
});

test("pins above a quarter of the budget are refused", () => {
	const { log, leaf } = worked();
	log.valuation({ window: 20_000 });
	expect(refusal(log, leaf, { do: "pin", ids: ["r0", "r1"] })).toBe("PIN_OVER_SHARE");
	expect(refusal(log, leaf, { do: "pin", ids: ["r0"] })).toBeUndefined();
});

test("instead of pins that are too many some are offered that fit, or that another is lifted, and that works", () => {
	const { log, leaf } = worked();
	log.valuation({ window: 20_000 });
	const offered = (at: string, ids: readonly string[]) => {
		try {
			decide(log, at, { do: "pin", ids });
		} catch (error) {
			if (error instanceof CommandError) return error.instead;
		}
		return undefined;
	};
	expect(offered(leaf, ["r0", "r1"])).toEqual({ action: "pin", ids: ["r0"] });
	const pinned = log.decided(decide(log, leaf, { do: "pin", ids: ["r0"] }), leaf);
	const instead = offered(pinned, ["r0", "r1"]);
	expect(instead).toEqual({ action: "unpin", ids: ["r0"] });
	const lifted = log.decided(decide(log, pinned, { do: "unpin", ids: ["r0"] }), pinned);
	expect(refusal(log, lifted, { do: "pin", ids: ["r1"] })).toBeUndefined();
	log.valuation({ window: 10_000 });
	expect(offered(lifted, ["r1"])).toBeUndefined();
	expect(refusal(log, lifted, { do: "pin", ids: ["r1"] })).toBe("PIN_OVER_SHARE");
});

test("a withdrawn mark stays raw at the next commit; what is folded is no mark any more", () => {
	const { log, leaf } = worked();
	const events = decide(log, leaf, { do: "unmark", ids: ["f2-r1"] });
	expect(first(events, "mark/withdrawn").cuts).toEqual(["f2-r1"]);
	const withdrawn = log.decided(events, leaf);
	expect(decide(log, withdrawn, { do: "unmark", ids: ["f2-r1"] })).toEqual([]);
	const done = folded();
	expect(refusal(done.log, done.leaf, { do: "unmark", ids: ["f2-r1"] })).toBe("FOLD_STANDING");
	expect(decide(done.log, done.leaf, { do: "toRaw", ids: ["f2-r1"] })).toHaveLength(1);
});

test("marks merge into one, and those behind are counted anew", () => {
	const { log, leaf } = worked();
	const { cuts, replaces } = first(decide(log, leaf, { do: "recut", ids: ["f2-r1", "f3-r2"] }), "mark/recut");
	expect(replaces).toEqual(["f2-r1", "f3-r2", "f4-r3", "f5-r4"]);
	expect(cuts.map(({ id, from, to, chars }) => [id, from, to, chars])).toEqual([
		["f2-r2~r99", "a1", "r2", 20_000],
		["f3-r3~r99", "a3", "r3", 10_000],
		["f4-r4~r99", "a4", "r4", 10_000],
	]);
});

test("what is said of a mark follows its stretch where that is counted anew, and goes where it is drawn anew", () => {
	const { log, leaf } = worked();
	let at = log.decided(decide(log, leaf, { do: "unmark", ids: ["f3-r2", "f4-r3"] }), leaf);
	at = log.decided(decide(log, at, { do: "brief", fold: "f5-r4", text: "it was fetched" }), at);
	at = log.decided(decide(log, at, { do: "recut", ids: ["f2-r1", "f3-r2"] }), at);
	const plan = planAt(log.states, at);
	expect([...(plan?.withdrawn ?? [])]).toEqual(["f3-r3~r99"]);
	expect(plan?.texts.get("f4-r4~r99")?.text).toBe("says it was fetched");
});

test("a cut's name says whether it was drawn anew, and not merely closed late on another branch", () => {
	expect(["f2-r2~r99", "f2-r2~e1", "f2-r2"].map(isDrawn)).toEqual([true, false, false]);
});

test("only what is marked and not folded can be cut anew", () => {
	const { log, leaf } = folded();
	expect(refusal(log, leaf, { do: "recut", ids: ["f1-r0", "f2-r1"] })).toBe("SPAN_INVALID");
	expect(refusal(log, leaf, { do: "recut", ids: ["r3", "r4"] })).toBe("SPAN_INVALID");
});

test("a brief is kept for a mark, replaced by another, and refused for a fold, or where it says nothing", () => {
	const { log, leaf } = worked();
	const said = log.decided(decide(log, leaf, { do: "brief", fold: "f1-r0", text: "it was fetched" }), leaf);
	expect(planAt(log.states, said)?.texts.get("f1-r0")?.text).toBe("says it was fetched");
	expect(decide(log, said, { do: "brief", fold: "f1-r0", text: "it was fetched" })).toEqual([]);
	expect(refusal(log, said, { do: "brief", fold: "f1-r0", text: "…" })).toBe("BRIEF_INVALID");
	expect(refusal(log, said, { do: "brief", fold: "f1-r0", text: "x".repeat(601) })).toBe("BRIEF_INVALID");
	const done = folded();
	expect(refusal(done.log, done.leaf, { do: "brief", fold: "f1-r0", text: "too late" })).toBe(
		"FOLD_STANDING",
	);
});

test("an undo takes the newest decisions back, with all that build on them, and can be taken back itself", () => {
	const { log, leaf } = folded();
	const commit = planAt(log.states, leaf)?.id ?? "";
	const open = log.decided(decide(log, leaf, { do: "expand", fold: "f2-r1" }), leaf);
	const expand = planAt(log.states, open)?.id ?? "";
	expect(refusal(log, open, { do: "undo", ids: [commit] })).toBe("UNDO_HAS_DEPENDENTS");
	expect(refusal(log, open, { do: "undo", ids: ["c9-x"] })).toBe("DECISION_UNKNOWN");
	const bare = log.decided(decide(log, open, { do: "undo", ids: [commit, expand] }), open);
	expect(planAt(log.states, bare)).toMatchObject({ through: null, cut: 0, commit: null });
	const redo = log.decided(
		decide(log, bare, { do: "undo", ids: [planAt(log.states, bare)?.id ?? ""] }),
		bare,
	);
	expect(planAt(log.states, redo)).toMatchObject({ cut: 4, commit });
	expect([...(planAt(log.states, redo)?.expanded.keys() ?? [])]).toEqual(["f2-r1"]);
});

test("a mark that was renamed by a recut before it is meant by its old name too, one that is gone is not", () => {
	const { log, leaf } = worked();
	const at = log.decided(decide(log, leaf, { do: "recut", ids: ["f2-r1", "f3-r2"] }), leaf);
	const now = "f3-r3~r99";
	expect(first(decide(log, at, { do: "unmark", ids: ["f4-r3"] }), "mark/withdrawn").cuts).toEqual([now]);
	expect(first(decide(log, at, { do: "brief", fold: "f4-r3", text: "said" }), "brief/supplied").fold).toBe(
		now,
	);
	expect(first(decide(log, at, { do: "pin", ids: ["f4-r3"] }), "pin/placed").entries).toEqual(["a3", "r3"]);
	expect(refusal(log, at, { do: "unmark", ids: ["f3-r2"] })).toBe("FOLD_UNKNOWN");
});

test("a recut is taken back until a cut closes behind it", () => {
	const { log, leaf } = worked();
	const drawn = log.decided(decide(log, leaf, { do: "recut", ids: ["f1-r0", "f2-r1"] }), leaf);
	const id = planAt(log.states, drawn)?.id ?? "";
	expect(first(decide(log, drawn, { do: "undo", ids: [id] }), "commit/undone").cut).toBe("f5-r4");
	log.entries(line([fact("v", "user", 12_000)], drawn));
	expect(refusal(log, "v", { do: "undo", ids: [id] })).toBe("UNDO_HAS_DEPENDENTS");
});

test("what a node carries of a decision decides the same again", () => {
	const commands: WindowCommand[] = [
		{ do: "pin", ids: ["r1"] },
		{ do: "unmark", ids: ["f2-r1"] },
		{ do: "recut", ids: ["f2-r1", "f3-r2"] },
		{ do: "brief", fold: "f1-r0", text: "it was fetched" },
	];
	for (const command of commands) {
		const { log, leaf } = worked();
		const [event] = decide(log, leaf, command);
		if (!event) throw new TypeError(`${command.do} came to nothing`);
		expect(decide(log, leaf, portable(event, "it was fetched"))).toEqual([event]);
	}
	for (const command of [
		{ do: "expand", fold: "f2-r1" },
		{ do: "pin", ids: ["r0"] },
	] as const) {
		const { log, leaf } = folded();
		const [event] = decide(log, leaf, command);
		if (event) expect(decide(log, leaf, portable(event, ""))).toEqual([event]);
	}
});

test("more than a quarter of the budget is not put back raw", () => {
	const { log, leaf } = folded();
	log.valuation({ window: 20_000 });
	expect(refusal(log, leaf, { do: "toRaw", ids: ["f1-r0", "f2-r1"] })).toBe("RAW_OVER_SHARE");
	expect(refusal(log, leaf, { do: "toRaw", ids: ["f1-r0"] })).toBeUndefined();
});

test("what is open gives way before the floor does, and a withdrawn cut that does is not withdrawn any more", () => {
	const { log, leaf } = worked();
	const withdrawn = log.decided(decide(log, leaf, { do: "unmark", ids: ["f1-r0", "f2-r1"] }), leaf);
	log.valuation({ window: 12_000 });
	const texts = { text: "t", chars: 100 };
	const request = {
		at: 0,
		leaf: withdrawn,
		model: "test/model",
		clip: () => undefined,
		receipt: () => texts,
		digest: () => "w",
	};
	const events = commitNow(log.states, request);
	expect(first(events, "commit/applied")).toMatchObject({
		floor: 3_000,
		cut: 4,
		expanded: [],
		dropped: ["f1-r0", "f2-r1"],
	});
	const committed = log.decided(events, withdrawn);
	expect([...(planAt(log.states, committed)?.withdrawn ?? [])]).toEqual([]);
});

test("what was taken back is not folded again for eight requests, unless the window is over its budget", () => {
	const { log, leaf } = folded();
	const id = planAt(log.states, leaf)?.id ?? "";
	const undone = log.decided(decide(log, leaf, { do: "undo", ids: [id] }), leaf);
	const due = (window: number) => {
		log.valuation({ window });
		const next = { at: 0, leaf: undone, model: "test/model" };
		return prospectAt(log.states, next)?.trigger;
	};
	expect(due(21_000)).toBeUndefined();
	expect(due(16_000)).toBe("budget");
	for (let n = 0; n < 8; n++) log.sent(n, "test/model");
	expect(due(21_000)).toBe("budget");
});
