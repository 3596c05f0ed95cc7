import { expect, test } from "vitest";
import type { Item } from "../../projections/window-plan.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { chain, custom, edit, reply, result, system, text, user } from "./made-entries.ts";
import { type Playing, Tape, type TapedWindow, withItems } from "./window-tape.ts";

const STRIPPING = { provider: "test", model: "breakpoint" };
const thought = { type: "thinking", text: "because ".repeat(20), signed: true } as const;
const thinking = { model: STRIPPING, blocks: [thought, text(20)] };

/** Five requests fold nothing; a commit comes before the sixth; the last two only grow. */
const SESSION = chain([
	system("s1"),
	user("u1", 60),
	reply("a1", 60),
	reply("a2", 100),
	user("u2", 60),
	reply("a3", 60),
	reply("a5", 9, ["x1", "x2", "x3"]),
	result("r2", "x2", 900),
	result("r1", "x1", 3_000),
	result("stray", "nobody"),
	edit("e", "r2", [text(7)]),
	reply("a6", 0, [], thinking),
	reply("a7", 30, [], { model: STRIPPING }),
	user("u3"),
	reply("a8", 0, [], thinking),
	custom("x"),
	reply("a9"),
]);

const SETTINGS = { minFoldChars: 100, consolidateAfter: 2, floorTokens: 900, toolFoldThreshold: 0.9 };
const tape = await Tape.of(SESSION, SETTINGS, [6]);
const last = tape.windows.length;

const nameOf = (item: Item) => {
	if (item.kind === "fold") return item.fold;
	if (item.kind === "shown") return "receipt";
	return item.kind === "answer" ? item.call : item.node.id;
};

/** An entry as it would stand raw. */
function raw(id: string): Item {
	const template = tape.windows[0]?.items[0];
	const entry = SESSION.find((one) => one.id === id);
	if (template?.kind !== "entry" || !entry) throw new TypeError(`no entry ${id}`);
	return { ...template, node: { ...template.node, id, digest: sha256Node(entry.bytes) } };
}

type Edit = (items: readonly Item[]) => Item[];

const without =
	(...names: string[]): Edit =>
	(items) =>
		items.filter((item) => !names.includes(nameOf(item)));

const behind =
	(name: string, ...added: Item[]): Edit =>
	(items) =>
		items.flatMap((item) => (nameOf(item) === name ? [item, ...added] : [item]));

const instead =
	(name: string, change: (item: Item) => Item): Edit =>
	(items) =>
		items.map((item) => (nameOf(item) === name ? change(item) : item));

/** Moves an item behind another. */
const moved =
	(name: string, after: string): Edit =>
	(items) => {
		const item = items.find((one) => nameOf(one) === name);
		return item ? behind(after, item)(without(name)(items)) : [];
	};

/** Invariants found broken when the last window alone is checked, with other items. */
function broken(edited: Edit, playing: Partial<Playing> = {}): number[] {
	const change = (window: TapedWindow) => withItems(window, edited(window.items));
	const faults = tape.play({ requests: [last], change, ...playing });
	return [...new Set(faults.map((fault) => fault.invariant))].sort();
}

const same: Edit = (items) => [...items];
const shown = (kind: Item["kind"]) => tape.windows[last - 1]?.items.find((item) => item.kind === kind);
const digestOfEntry = (id: string) =>
	sha256Node(SESSION.find((entry) => entry.id === id)?.bytes ?? new Uint8Array());

test("the session holds a group, a cut, and entries held, edited, clipped, unthought and answered for", () => {
	const kinds = tape.windows[last - 1]?.items.map((item) =>
		item.kind === "entry" && item.form === "unthought"
			? `unthought ${nameOf(item)}`
			: `${item.kind} ${nameOf(item)}`,
	);
	const head = ["entry s1", "fold g1-a2", "fold f3-a3", "shown receipt", "entry u2", "entry a5"];
	const tail = ["edited r2", "clipped r1", "answer x3", "unthought a6", "entry a7", "entry u3", "entry a8"];
	expect(kinds).toEqual([...head, ...tail]);
});

test("a good run has no fault, whole or in part", () => {
	const all = tape.windows.map((_, n) => n + 1);
	expect(tape.play({ requests: all })).toEqual([]);
	for (const request of all) expect(tape.play({ requests: [request] })).toEqual([]);
});

const text1 = instead(
	"f3-a3",
	(item) => ({ ...item, text: (shown("fold") as { text: string }).text }) as Item,
);
const whole = (item: Item) => ({ ...item, kind: "entry", form: "whole" }) as Item;
const wrongDigest = (item: Item) =>
	("node" in item ? { ...item, node: { ...item.node, digest: "0".repeat(64) } } : item) as Item;

test.each<[string, Edit]>([
	["an entry is missing", without("a7")],
	["a system message is missing", without("s1")],
	["the last user message is missing", without("u3")],
	["a fold is missing", without("f3-a3")],
	["the first fold is missing", without("g1-a2")],
	["an entry stands twice", behind("a7", raw("a7"))],
	["an entry stands twice, apart", behind("u3", raw("a7"))],
	["a fold stands twice", (items) => behind("f3-a3", ...items.slice(2, 3))(items)],
	["two entries change places", moved("a7", "u3")],
	["two folds change places", moved("g1-a2", "f3-a3")],
	["a held entry stands before the text that covers it", moved("u2", "g1-a2")],
	["an entry that is folded stands raw as well", behind("u2", raw("a3"))],
	["an entry is shown under another digest", instead("a7", wrongDigest)],
	["an entry is there that is not on the path", behind("a7", { ...raw("a7"), node: { id: "no" } } as Item)],
	["an entry is there that no model is sent", behind("u3", raw("x"))],
	["a fold shows the text of another", text1],
	["a fold claims another length", instead("f3-a3", (item) => ({ ...item, chars: 1 }) as Item)],
	["a fold is shown that nobody wrote", instead("f3-a3", (item) => ({ ...item, fold: "f9-a3" }) as Item)],
	["a part stands for its whole group", instead("g1-a2", (item) => ({ ...item, fold: "f2-a2" }) as Item)],
	["an edit is not heeded", instead("r2", whole)],
	[
		"an edit is shown that is not there",
		instead("a7", (item) => ({ ...item, kind: "edited", edit: { id: "e" } }) as Item),
	],
	[
		"a result is clipped in other words",
		instead("r1", (item) => ({ ...item, clip: { text: "no" } }) as Item),
	],
	["thinking is gone that no commit took", instead("a8", (item) => ({ ...item, form: "unthought" }) as Item)],
])("lossless: found when %s", (_, edited) => {
	expect(broken(edited)).toEqual([1]);
});

test("lossless: found when what is out of view is gone, or is no longer what it was", () => {
	const fold = shown("fold") as Extract<Item, { kind: "fold" }>;
	const clipped = shown("clipped") as Extract<Item, { kind: "clipped" }>;
	const digests = [
		...["u1", "a1", "a2", "a3", "r1", "r2", "a6"].map(digestOfEntry),
		fold.text,
		clipped.clip.text,
	];
	for (const digest of digests) {
		const lost = (asked: string, bytes?: Uint8Array) => (asked === digest ? undefined : bytes);
		const other = (asked: string, bytes?: Uint8Array) => (asked === digest ? new Uint8Array([1]) : bytes);
		expect(broken(same, { content: lost })).toEqual([1]);
		expect(broken(same, { content: other })).toEqual([1]);
	}
	const raw = ["s1", "a5", "a7", "u3", "a8", "stray"].map(digestOfEntry);
	const spared = (asked: string, bytes?: Uint8Array) => (raw.includes(asked) ? undefined : bytes);
	expect(broken(same, { content: spared })).toEqual([]);
});

/** The first commit folds the group g1-b2 and the cut f3-b3; then b1 goes, and all of the cut. */
const REWRITTEN = await Tape.of(
	chain([
		...[1, 2, 3].flatMap((n) => [user(`v${n}`, 60), reply(`b${n}`, 60)]),
		...[user("v4", 60), reply("b4", 60), reply("b5", 9)],
		...[edit("e1", "b1"), edit("e2", "v3"), edit("e3", "b3"), reply("b6", 9)],
	]),
	{ minFoldChars: 100, consolidateAfter: 2, floorTokens: 20 },
	[5],
);

test("lossless: found when a fold tells of what was edited, or of nothing", () => {
	const [before, after] = REWRITTEN.windows.slice(-2).map(({ items }) => items);
	const folds = (items: readonly Item[] = []) => items.filter((item) => item.kind === "fold");
	expect(folds(before).map(nameOf)).toEqual(["g1-b2", "f3-b3"]);
	expect(folds(after).map(nameOf)).toEqual(["g1-b2"]);
	const requests = [REWRITTEN.windows.length];
	const old = folds(before);
	const faults = (edited: Edit, event?: Playing["event"]) =>
		REWRITTEN.play({
			requests,
			change: (window) => withItems(window, edited(window.items)),
			...(event && { event }),
		}).map(({ what }) => what);
	expect(faults(same)).toEqual([]);
	expect(faults(instead("g1-b2", () => old[0] as Item))).toContain("a text that does not heed an edit");
	expect(faults(behind("g1-b2", old[1] as Item))).toContain(
		"a fold of which edits left nothing, or nothing that is not raw",
	);
	const unwritten: Playing["event"] = (one) =>
		one.type === "brief/rewritten" ? { ...one, data: { ...one.data, texts: [] } } : one;
	expect(
		faults(
			instead("g1-b2", () => old[0] as Item),
			unwritten,
		),
	).toEqual(["a text that does not heed an edit"]);
});

test("lossless: found when an entry is recorded under another digest than its bytes have", () => {
	const event: Playing["event"] = (one) =>
		one.type === "entry/recorded" && one.data.id === "a2"
			? { ...one, data: { ...one.data, digest: "0" } }
			: one;
	expect(broken(same, { event })).toEqual([1]);
});

test("lossless: found when a cut or a group leaves entries between itself and the one before", () => {
	const cut: Playing["event"] = (one) =>
		one.type === "mark/set" && one.data.id === "f3-a3" ? { ...one, data: { ...one.data, from: "a3" } } : one;
	expect(broken(same, { event: cut })).toEqual([]);
	expect(broken(without("u2"), { event: cut })).toEqual([1]);
	const short: Playing["event"] = (one) =>
		one.type === "mark/set" && one.data.id === "f1-a1" ? { ...one, data: { ...one.data, from: "a1" } } : one;
	expect(broken(same, { event: short })).toEqual([1]);
});

const call = (name: string): Item => ({ kind: "answer", call: name });

test.each<[string, Edit]>([
	["a call has no answer", without("x3")],
	["a call is answered twice", behind("x3", call("x3"))],
	["an answer comes for a call that was answered", behind("x3", call("x1"))],
	["an answer comes for a call nobody made", behind("a8", call("nobody"))],
	["an answer comes before its call", moved("x3", "u2")],
	["an answer comes after the next message", moved("x3", "a6")],
	["a result answers a call nobody made", behind("r1", raw("stray"))],
])("pair-safe: found when %s", (_, edited) => {
	expect(broken(edited)).toEqual([3]);
});

test.each<[string, Edit]>([
	["a result is missing", without("r1")],
	["a result comes before its call", moved("r2", "u2")],
	["a result comes after the next message", moved("r1", "a7")],
	["the message with the calls is missing", without("a5")],
])("lossless and pair-safe: found when %s", (_, edited) => {
	expect(broken(edited)).toEqual([1, 3]);
});

test("a result whose place an answer took is a loss", () => {
	expect(broken(instead("r1", () => call("x1")))).toEqual([1]);
});

/** Invariants found broken in the last of some requests, when it is recorded otherwise. */
function recorded(
	requests: readonly number[],
	more: Partial<TapedWindow["prepared"]>,
	edited: Edit = same,
): number[] {
	const change = (window: TapedWindow) => {
		const { items, prepared } = withItems(window, edited(window.items));
		return { items, prepared: { ...prepared, ...more } };
	};
	return tape.play({ requests, change }).map((fault) => fault.invariant);
}

const unrecorded = { change: undefined } as unknown as Partial<TapedWindow["prepared"]>;

test("append-only: found when a window changed and the record does not say so, or says it wrong", () => {
	const commit = { item: 1, cause: "commit" };
	expect(recorded([5, 6], { change: commit })).toEqual([]);
	expect(recorded([5, 6], unrecorded)).toEqual([2]);
	expect(recorded([5, 6], { change: { item: 0, cause: "commit" } })).toEqual([2]);
	for (const cause of ["leaf", "contextEdit", "answer", "undo", "unknown"]) {
		expect(recorded([5, 6], { change: { item: 1, cause } })).toEqual([2]);
	}
});

test("append-only: found when a change is recorded although the window only grew", () => {
	expect(recorded([6, 7], { change: { item: 3, cause: "unknown" } })).toEqual([2]);
	expect(recorded([1], { change: { item: 0, cause: "leaf" } })).toEqual([2]);
});

test("append-only: found when a window that should only grow has lost or changed what it had", () => {
	const unthink = instead("a7", (item) => ({ ...item, form: "unthought" }) as Item);
	expect(recorded([7, 8], { change: { item: 9, cause: "unknown" } }, unthink)).toEqual([2, 1]);
	expect(recorded([7, 8], unrecorded, without("s1"))).toEqual([2, 1]);
});

test("append-only: found when a window is recorded under another digest, length, leaf or commit", () => {
	expect(recorded([8], { window: "0" })).toEqual([2]);
	expect(recorded([8], { items: 11 })).toEqual([2]);
	expect(recorded([8], { commit: "c2-a6" })).toEqual([2]);
});

test("append-only: found when a fold stands where no commit is in force", () => {
	const fold = shown("fold") as Item;
	const folded: Edit = (items) => [
		...items.slice(0, 1),
		fold,
		...items.filter((item) => nameOf(item) === "u2"),
	];
	expect(recorded([3], {}, folded)).toContain(2);
});

test("append-only: found when a window keeps thinking that its commit took away", () => {
	expect(broken(instead("a6", whole))).toEqual([2]);
});

test("append-only: found when the window is not the one its commit decided", () => {
	const event: Playing["event"] = (one) =>
		one.type === "commit/applied" ? { ...one, data: { ...one.data, window: "0" } } : one;
	expect(tape.play({ requests: [6], event }).map((fault) => fault.invariant)).toEqual([2]);
});

test("a fault names the request, the item and the entry", () => {
	const change = (window: TapedWindow) => withItems(window, behind("a7", raw("a7"))(window.items));
	expect(tape.play({ requests: [last], change })).toEqual([
		{ request: 1, invariant: 1, what: "an entry stands twice", at: 11, id: "a7" },
	]);
});
