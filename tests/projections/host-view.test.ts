import fc from "fast-check";
import { expect, test } from "vitest";
import { UNPRICED } from "../../projections/price.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { type Item, planAt, windowItems, windowWeight } from "../../projections/window-plan.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { chain, custom, edit, type Made, reply, result, system, text, user } from "../engine/made-entries.ts";

const SETTINGS = { ...DEFAULT_SETTINGS, minFoldChars: 100, floorTokens: 30, consolidateAfter: 2 };

const hash = (words: string) => sha256Node(new TextEncoder().encode(words));

function compaction(id: string, firstKept?: string): Made {
	const kept = firstKept === undefined ? {} : { firstKept };
	return { id, kind: "compaction", role: "summary", at: 0, blocks: [text(40)], ...kept };
}

async function engineOn(heedsCompactions: boolean): Promise<Engine> {
	const engine = new Engine({
		journal: forgetfulJournal(),
		hash: sha256Node,
		decode: () => expect.fail("entries are at hand"),
		driver: "live",
		heedsCompactions,
	});
	await engine.note([{ type: "session/settingsChanged", data: SETTINGS }], 0, "host");
	return engine;
}

/** Records a path; `commits` names entries behind which a decision is made. Returns the leaf. */
async function run(
	engine: Engine,
	made: readonly Made[],
	commits: ReadonlySet<string>,
): Promise<string | null> {
	let leaf: string | null = null;
	for (const entry of made) {
		const [placed] = chain([entry], leaf) as [TranscriptEntry];
		await engine.record(placed);
		leaf = placed.id;
		if (!commits.has(leaf)) continue;
		const decision = await engine.commitNow({ at: 0, leaf, model: "m" });
		if (!decision) continue;
		const [node] = chain([custom(`n-${leaf}`)], leaf) as [TranscriptEntry];
		await engine.record(node, decision.position);
		leaf = node.id;
	}
	return leaf;
}

async function windowOf(made: readonly Made[], commits: readonly string[] = [], heeds = true) {
	const engine = await engineOn(heeds);
	const leaf = await run(engine, made, new Set(commits));
	return windowItems(engine.states, leaf, planAt(engine.states, leaf)).flatMap((item) => {
		if (item.kind === "shown") return [];
		return item.kind === "fold" ? item.fold : item.kind === "entry" ? item.node.id : item.kind;
	});
}

const path = [
	system("s"),
	user("u1", 60),
	reply("a1", 60),
	user("u2", 60),
	reply("a2", 60),
	user("u3", 60),
	reply("a3", 60),
];

test("below a compaction stand its summary, what it keeps and what came later; prompt patches are restated", async () => {
	const later = [user("u4"), system("t"), reply("a4")];
	expect(await windowOf([...path, compaction("k", "u3"), ...later])).toEqual([
		"k",
		"u3",
		"a3",
		"u4",
		"t",
		"a4",
	]);
	const kept = ["k", "u1", "a1", "u2", "a2", "u3", "a3"];
	expect(await windowOf([...path, compaction("k", "s")])).toEqual(kept);
});

test("a compaction that keeps nothing, or what is not on its path, leaves its summary alone", async () => {
	expect(await windowOf([...path, compaction("k"), user("u4")])).toEqual(["k", "u4"]);
	expect(await windowOf([...path, compaction("k", "nowhere"), user("u4")])).toEqual(["k", "u4"]);
});

test("the last compaction counts, and an earlier summary is not shown again", async () => {
	const twice = [...path, compaction("k", "u2"), user("u4"), compaction("l", "a3"), user("u5")];
	expect(await windowOf(twice)).toEqual(["l", "a3", "u4", "u5"]);
});

test("where compactions are not heeded they change nothing", async () => {
	const all = ["s", "u1", "a1", "u2", "a2", "u3", "a3", "u4"];
	expect(await windowOf([...path, compaction("k", "u3"), user("u4")], [], false)).toEqual(all);
});

test("a fold is shown whole while the host keeps one of its entries, and not at all after that", async () => {
	const at = (kept: string) => windowOf([...path, compaction("k", kept), user("u4")], ["a3"]);
	expect(await windowOf(path, ["a3"])).toEqual(["s", "g1-a2", "u3", "a3"]);
	expect(await at("a2")).toEqual(["k", "g1-a2", "u3", "a3", "u4"]);
	expect(await at("u3")).toEqual(["k", "u3", "a3", "u4"]);
	expect(await at("a3")).toEqual(["k", "a3", "u4"]);
});

test("below a compaction a commit folds what is still shown, and nothing else", async () => {
	const later = [user("u4", 60), reply("a4", 60), user("u5", 60), reply("a5", 60)];
	const folded = await windowOf([...path, compaction("k", "a3"), ...later], ["a5"]);
	expect(folded).toEqual(["k", "g2-a4", "u5", "a5"]);
	expect(await windowOf([...path, compaction("k")], ["k"])).toEqual(["k"]);
});

test("the size of a window is the sum of what it shows, whatever was compacted, edited and folded", async () => {
	const step = fc.record({
		does: fc.constantFrom(
			...["user", "reply", "think", "result", "system", "compaction", "none", "commit"],
			...["omit", "replace", "rephrase"],
		),
		size: fc.integer({ min: 5, max: 4000 }),
		which: fc.nat(30),
	});
	let shortened = 0;
	let edited = 0;
	const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
		const made: Made[] = [];
		const commits = new Set<string>();
		for (const [n, { does, size, which }] of steps.entries()) {
			const id = `e${n}`;
			if (does === "user") made.push(user(id, size));
			if (does === "reply") made.push(reply(id, size));
			if (does === "think")
				made.push(
					reply(id, 0, [], {
						blocks: [{ type: "thinking", text: "hm ".repeat(size), signed: true }, text(9)],
					}),
				);
			if (does === "result") made.push(reply(id, size, [`c${n}`]), result(`r${n}`, `c${n}`, size));
			if (does === "system") made.push(system(id, size % 50));
			if (does === "compaction") made.push(compaction(id, made[which % Math.max(1, made.length)]?.id));
			if (does === "none") made.push(compaction(id));
			const target = made.filter(isEditable)[which % Math.max(1, made.filter(isEditable).length)];
			if (target && does === "omit") made.push(edit(id, target.id));
			if (target && does === "replace") made.push(edit(id, target.id, [text(size)]));
			if (target && does === "rephrase") {
				const calls = target.blocks.filter(({ type }) => type === "call");
				made.push(edit(id, target.id, [text(size % 90), ...calls]));
			}
			const last = made.at(-1);
			if (does === "commit" && last) commits.add(last.id);
		}
		const engine = await engineOn(true);
		await engine.value({ ...UNPRICED, reasoning: steps.length % 2 ? "strip" : "keep" }, 0);
		const leaf = await run(engine, made, commits);
		for (let node = nodeOf(engine.states.tree, leaf); node; node = nodeOf(engine.states.tree, node.parent)) {
			const commit = planAt(engine.states, node.id);
			const items = windowItems(engine.states, node.id, commit);
			const sum = items.reduce((chars, item) => chars + charsOf(item), 0);
			// a call whose result the host hid is answered, and that result left out: 5 to 4,000 characters
			if (hidesCall(engine, items, node)) continue;
			expect(windowWeight(engine.states, node.id, commit).chars).toBe(sum);
			if (commit && items[0]?.kind === "entry" && items[0].node.keeps) shortened++;
			if (items.some((item) => item.kind === "edited")) edited++;
		}
		const prepared = await engine.prepare({ at: 0, leaf, model: "m" });
		expect(prepared.window).toBe(
			digestOf(windowItems(engine.states, leaf, planAt(engine.states, leaf)), hash),
		);
	});
	await fc.assert(property, { seed: 5, numRuns: 150 });
	expect(shortened).toBeGreaterThan(100);
	expect(edited).toBeGreaterThan(100);
});

/** Whether the host lets extensions edit an entry. */
function isEditable({ kind, role }: Made): boolean {
	return kind === "message" && role !== "system";
}

/** Whether the host's first kept entry is a result whose call is gone. */
function hidesCall(engine: Engine, items: readonly Item[], leaf: EntryNode): boolean {
	const by = nodeOf(engine.states.tree, leaf.lastCompaction);
	if (!by?.keeps || by.keeps.from === by.depth) return false;
	let first: EntryNode | undefined = by;
	while (first && first.depth > by.keeps.from) first = nodeOf(engine.states.tree, first.parent);
	return (
		first?.role === "result" && !items.some((item) => item.kind === "entry" && item.node.id === first?.id)
	);
}

function charsOf(item: Item): number {
	if (item.kind === "fold" || item.kind === "shown") return item.chars;
	if (item.kind === "clipped") return item.clip.chars;
	if (item.kind === "edited") return item.edit.leaves?.chars ?? Number.NaN;
	if (item.kind !== "entry") return 0;
	if (item.node.keeps) return item.node.keeps.weight.chars;
	return item.node.weight.chars - (item.form === "unthought" ? item.node.thinking : 0);
}
