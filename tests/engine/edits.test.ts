import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { imageBytes } from "../../projections/window-bytes.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { WindowChecker } from "../../src/debug/window-check.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { HandMade, said } from "./hand-made.ts";
import { custom, edit, reply, user } from "./made-entries.ts";

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, minFoldChars: 100, floorTokens: 30, consolidateAfter: 2 };

/** A session in which each user message names something of its own, and each exchange is a cut. */
class Told extends HandMade {
	readonly engine: Engine;
	readonly checker: WindowChecker;

	constructor() {
		super();
		const content = (digest: string) => this.engine.content(digest);
		this.checker = new WindowChecker({ content, hash: sha256Node });
		this.engine = new Engine({
			journal: { ...forgetfulJournal(), hash: (position) => `hash ${position}` },
			hash: sha256Node,
			decode: () => expect.fail("entries are at hand"),
			driver: "live",
			heedsCompactions: true,
			observer: this.checker,
		});
	}

	static async of(exchanges: number, chars = 100, more: Partial<Settings> = {}): Promise<Told> {
		const told = new Told();
		await told.engine.note([{ type: "session/settingsChanged", data: { ...SETTINGS, ...more } }], 0, "host");
		for (let n = 1; n <= exchanges; n++) await told.exchange(n, chars);
		return told;
	}

	async exchange(n: number, chars = 100): Promise<void> {
		await this.add(said(user(`u${n}`), `look at ${secret(n)} for me`), reply(`a${n}`, chars));
	}

	/** The window at the leaf: texts of folds as they read, entries by id. */
	async window(): Promise<string[]> {
		await this.engine.prepare(this.request);
		expect(this.checker.faults).toEqual([]);
		return this.shown(this.leaf);
	}

	shown(leaf: string | null): string[] {
		const { states } = this.engine;
		return windowItems(states, leaf, planAt(states, leaf)).flatMap((item) => {
			const text = "text" in item ? new TextDecoder().decode(this.engine.content(item.text)) : "";
			if (item.kind === "fold") return `${item.fold}: ${text}`;
			if (item.kind === "shown") return `receipt: ${text}`;
			return "node" in item ? item.node.id : [];
		});
	}
}

const secret = (n: number) => `src/secret-${"abcdefghij"[n]}.ts`;
const words = (text: string) => [{ type: "text" as const, text }];

/** What of the secrets a window names, by number. */
function named(window: readonly string[]): number[] {
	return [1, 2, 3, 4, 5, 6].filter((n) => window.some((text) => text.includes(secret(n))));
}

test("what is edited after a commit is in no text of the next window, and what stands instead is", async () => {
	const told = await Told.of(5);
	await told.decide();
	expect(named(await told.window())).toEqual([1, 2, 3, 4]);
	await told.add(edit("e1", "u2"));
	expect(named(await told.window())).toEqual([1, 3, 4]);
	await told.add(edit("e2", "u3", words("look at src/other.ts for me")));
	const window = await told.window();
	expect(named(window)).toEqual([1, 4]);
	expect(window.some((text) => text.includes("src/other.ts"))).toBe(true);
	expect(named(told.shown("e1"))).toEqual([1, 3, 4]);
});

test("what is edited between its cut and the commit is in no text of the commit", async () => {
	const told = await Told.of(5);
	await told.add(edit("e1", "u2"));
	await told.decide();
	expect(named(await told.window())).toEqual([1, 3, 4]);
});

test("a group made after an edit of one of its parts does not name it either", async () => {
	const told = await Told.of(1);
	await told.add(edit("e1", "u1", words("look at nothing for me")));
	for (const n of [2, 3, 4]) await told.exchange(n);
	await told.decide();
	const window = await told.window();
	expect(window[0]).toMatch(/^g1-a2: /);
	expect(named(window)).toEqual([2, 3]);
});

test("a fold of which nothing is left is not shown, its part of a group neither, and comes back with an edit", async () => {
	const told = await Told.of(6);
	await told.decide();
	const before = await told.window();
	expect(before.map((item) => item.slice(0, 6))).toEqual(["g2-a4:", "f5-a5:", "receip", "u6", "a6"]);
	await told.add(edit("e1", "u5"), edit("e2", "a5"));
	expect((await told.window()).map((item) => item.slice(0, 6))).toEqual(["g2-a4:", "receip", "u6", "a6"]);
	await told.add(edit("e3", "u1"), edit("e4", "a1"));
	expect((await told.window())[0]).toContain("in place of 6 messages");
	await told.add(edit("e5", "u5", words("look at the end")));
	const after = await told.window();
	expect(after[1]).toMatch(/^f5-a5: .*in place of 1 message;/);
	expect(named(after)).toEqual([2, 3, 4]);
});

test("another branch keeps the text as it was", async () => {
	const told = await Told.of(5);
	await told.decide();
	const { leaf } = told;
	await told.add(edit("e1", "u2"));
	expect(named(await told.window())).toEqual([1, 3, 4]);
	told.leaf = leaf;
	await told.add(user("v", 20));
	expect(named(await told.window())).toEqual([1, 2, 3, 4]);
	await told.add(edit("e2", "u3"));
	expect(named(await told.window())).toEqual([1, 2, 4]);
});

test("an edit that comes between the end of a cut and what closes it is heeded on its branch alone", async () => {
	const told = await Told.of(1);
	const open = reply("a2", 0, ["c"], {
		blocks: [...words(secret(2).repeat(8)), { type: "call", callId: "c", tool: "run", args: {} }],
	});
	await told.add(open);
	const branch = told.leaf;
	for (const edits of [[edit("e", "a2", words("nothing"))], []]) {
		told.leaf = branch;
		const mark = edits.length;
		await told.add(
			...edits,
			user(`v${mark}`, 60),
			reply(`b${mark}`, 60),
			user(`w${mark}`, 60),
			reply(`d${mark}`, 60),
		);
		await told.decide();
		expect(named(await told.window())).toEqual(edits.length > 0 ? [1] : [1, 2]);
	}
});

test("a supplied sentence stands on in the text written anew, and goes with the last message", async () => {
	const told = await Told.of(5);
	const sentence = "the door is in src/door.ts";
	await told.decide({ do: "brief", fold: "f2-a2", text: sentence });
	await told.decide();
	await told.add(edit("e1", "u2"));
	const window = await told.window();
	expect(named(window)).toEqual([1, 3, 4]);
	expect(window.some((text) => text.includes("src/door.ts"))).toBe(true);
	await told.decide({ do: "expand", fold: "g2-a4" });
	await told.decide({ do: "expand", fold: "g1-a2" });
	const parts = await told.window();
	expect(parts.find((text) => text.startsWith("f2-a2"))).toContain(`Note: ${sentence}`);
	expect(named(parts)).toEqual([1, 3, 4]);
	await told.add(edit("e2", "a2"));
	expect((await told.window()).some((text) => text.startsWith("f2-a2"))).toBe(false);
});

test("a sentence taken back, or replaced, comes back without what was edited away meanwhile", async () => {
	const told = await Told.of(5);
	await told.decide({ do: "brief", fold: "f2-a2", text: "first sentence" });
	const second = await told.decide({ do: "brief", fold: "f2-a2", text: "second sentence" });
	await told.add(edit("e1", "u2"));
	await told.decide({ do: "undo", ids: [second] });
	await told.decide();
	await told.decide({ do: "expand", fold: "g2-a4" });
	await told.decide({ do: "expand", fold: "g1-a2" });
	const window = await told.window();
	expect(window.find((text) => text.startsWith("f2-a2"))).toContain("Note: first sentence");
	expect(named(window)).toEqual([1, 3, 4]);
});

test("cuts drawn anew after an edit heed it, and so do those that come back when that is undone", async () => {
	const told = await Told.of(5, 2_000);
	await told.add(edit("e1", "u2"));
	const recut = await told.decide({ do: "recut", ids: ["f2-a2", "f3-a3"] });
	await told.add(edit("e2", "u3"));
	const { leaf } = told;
	await told.decide();
	expect(named(await told.window())).toEqual([1, 4]);
	told.leaf = leaf;
	await told.decide({ do: "undo", ids: [recut] });
	await told.decide();
	expect(named(await told.window())).toEqual([1, 4]);
});

test("decisions below edits are proven by the path alone, where their events are not at hand", async () => {
	const told = await Told.of(5);
	await told.decide();
	await told.add(edit("e1", "u2"), edit("e2", "u3", words("look at src/other.ts")));
	await told.decide({ do: "expand", fold: "g2-a4" });
	await told.exchange(6);
	await told.decide();
	await told.add(edit("e3", "u1"), user("end", 20));
	const again = await Told.of(0);
	for (const entry of told.entries) {
		const node = told.nodes.get(entry.id);
		if (node) expect(await again.engine.meet(entry, { ...node, hash: "elsewhere" })).toBe("rebuilt");
		else await again.engine.record(entry);
	}
	again.leaf = told.leaf;
	expect(await again.window()).toEqual(await told.window());
});

test("a receipt that quotes what was said quotes nothing once any of that is edited, before the commit or after", async () => {
	const told = await Told.of(6, 100, { postFoldNotice: true, floorTokens: 120 });
	await told.add(edit("e1", "u4"));
	await told.decide();
	const receipt = (window: readonly string[]) => window.filter((item) => item.startsWith("receipt: "));
	const before = receipt(await told.window());
	expect(named(before)).toEqual([5, 6]);
	const { leaf } = told;
	for (const target of ["u1", "u5"]) {
		told.leaf = leaf;
		await told.add(edit(`e-${target}`, target));
		const after = receipt(await told.window());
		expect(named(after)).toEqual([]);
		expect(after).toHaveLength(1);
		expect(receipt(told.shown(leaf))).toEqual(before);
	}
});

test("an image that is edited away takes no bytes of the next request", async () => {
	const told = await Told.of(2);
	const image = { type: "image", mime: "image/png", bytes: 90 } as const;
	await told.add({ ...user("u"), blocks: [image] }, reply("a"));
	const bytes = () => imageBytes(told.engine.states, told.leaf, planAt(told.engine.states, told.leaf));
	expect(bytes()).toBeGreaterThan(0);
	await told.add(edit("e1", "u", words("no image")));
	expect(bytes()).toBe(0);
});

test("an edit of what is in no cut yet, or speaks to no model, writes no text", async () => {
	const told = await Told.of(2);
	const { version } = told.engine;
	await told.add(user("u", 10), edit("e1", "u"), custom("x"), edit("e2", "x"), edit("e3", "nowhere"));
	expect(told.engine.version - version).toBe(5);
	expect(nodeOf(told.engine.states.tree, "e1")?.changes).toEqual({ chars: -10, images: 0 });
});
