import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { type Item, planAt, windowItems } from "../../projections/window-plan.ts";
import { drive } from "../engine/drive.ts";
import { chain, custom, edit, reply, result, system, text, user } from "../engine/made-entries.ts";

const SETTINGS = { ...DEFAULT_SETTINGS, minFoldChars: 100, floorTokens: 30, consolidateAfter: 2 };

async function windowOf(entries: readonly TranscriptEntry[], decide: "now" | "due" = "due") {
	const leaf = entries.at(-1)?.id ?? null;
	const { engine, checker } = await drive(entries, { settings: SETTINGS, decide: () => decide });
	expect(checker.faults).toEqual([]);
	const { states } = engine;
	return windowItems(states, leaf, planAt(states, leaf))
		.filter(({ kind }) => kind !== "shown")
		.map(nameOf);
}

function nameOf(item: Item): string {
	if (item.kind === "fold") return item.fold;
	if (item.kind === "shown") return "receipt";
	if (item.kind === "answer") return `answer ${item.call}`;
	return item.kind === "entry" ? item.node.id : `${item.kind} ${item.node.id}`;
}

const folded = [user("u1", 60), reply("a1", 60), user("u2", 60), reply("a2", 60)];

test("results follow their calls, and a call that never got one is answered", async () => {
	const path = [user("u"), reply("a", 9, ["c1", "c2"]), result("r2", "c2"), user("v")];
	expect(await windowOf(chain(path))).toEqual(["u", "a", "r2", "answer c1", "v"]);
});

test("a call id that one message uses twice is answered once", async () => {
	expect(await windowOf(chain([reply("a", 9, ["c", "c"]), user("u")]))).toEqual(["a", "answer c", "u"]);
	const path = [reply("a", 9, ["c", "c"]), result("r1", "c"), result("r2", "c"), user("u")];
	expect(await windowOf(chain(path))).toEqual(["a", "r1", "u"]);
});

test("a result goes with the call that an edit took away, and stays with one it left", async () => {
	const called = [user("u"), reply("a", 9, ["c"]), result("r", "c")];
	expect(await windowOf(chain([...called, edit("e", "a", [text(5)])]))).toEqual(["u", "edited a"]);
	const call = { type: "call", callId: "c", tool: "run", args: {} } as const;
	expect(await windowOf(chain([...called, edit("e", "a", [call])]))).toEqual(["u", "edited a", "r"]);
	expect(await windowOf(chain([...called, edit("e", "a")]))).toEqual(["u"]);
	expect(await windowOf(chain([...called, edit("e", "r")]))).toEqual(["u", "a", "answer c"]);
});

test("system messages and the last user message stand raw behind the text that covers them", async () => {
	const path = [system("s1"), ...folded, system("s2"), reply("a3", 100), reply("a4", 100), reply("a5", 9)];
	const window = ["s1", "g1-a2", "u2", "f3-a3", "s2", "a4", "a5"];
	expect(await windowOf(chain(path), "now")).toEqual(window);
});

test("an edit of a held message is heeded", async () => {
	const path = [...folded, reply("a3", 100), reply("a4", 100), reply("a5", 100)];
	const replaced = await windowOf(chain([...path, edit("e", "u2", [text(5)])]), "now");
	expect(replaced).toEqual(["g1-a2", "edited u2", "f3-a3", "a4", "a5"]);
	const omitted = await windowOf(chain([...path, edit("e", "u2")]), "now");
	expect(omitted).toEqual(["g1-a2", "f3-a3", "a4", "a5"]);
});

test("a commit is in force below its node and nowhere else", async () => {
	const path = chain([...folded, reply("a3", 100), reply("a4", 100)]);
	const branch = chain([custom("x")], "a3");
	expect(await windowOf(path, "now")).toEqual(["g1-a2", "u2", "a3", "a4"]);
	expect(await windowOf([...path, ...branch], "now")).toEqual(["f1-a1", "u2", "a2", "a3"]);
	const before = chain([custom("y")], "a1");
	expect(await windowOf([...path, ...before], "now")).toEqual(["u1", "a1"]);
});
