import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "../../projections/transcript.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { promptTokens } from "../../src/commands/commit-candidate.ts";
import { foldRows } from "../../src/debug/fold-rows.ts";
import { type MapRow, type WindowMap, windowMap } from "../../src/debug/window-map.ts";
import { endOf, entryIdsOf, isOpenable, rowsBelow, saidBy } from "../../src/debug/window-map-below.ts";
import { type Deciding, drive } from "../engine/drive.ts";
import { edit } from "../engine/made-entries.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";
import { MappedSession, opened } from "./mapped-session.ts";

const deciding = fc.array(fc.constantFrom<Deciding>("now", "undo", "due", "tighter"), { minLength: 1 });

/** A row in a few words. */
function words(row: MapRow): string {
	if ("fold" in row) {
		const level = row.kind === "fold" ? ` ${row.level}` : row.kind === "mark" ? ` ${row.next}` : "";
		return `${row.kind}${level} ${row.fold.from}..${row.fold.to}`;
	}
	if (row.kind === "entry") return `${row.standing} ${row.node.id}`;
	if (row.kind === "raw")
		return `raw ${row.items.flatMap((item) => ("node" in item ? item.node.id : [])).join(" ")}`;
	return row.kind;
}

const tops = (map: WindowMap) => map.rows.map(words);

const rowOf = (map: WindowMap, id: string) =>
	opened(map).find(({ key }) => key === `entry:${id}` || key === `fold:${id}`) as MapRow;

const marksOf = (map: WindowMap) => map.rows.flatMap((row) => (row.kind === "mark" ? [row.fold.id] : []));

/** Whatever stands in a window, the rows of its map add up to it, are told apart by their keys, and hold each message once. */
async function expectWhole(session: MappedSession): Promise<void> {
	const map = session.map();
	const { states } = session.engine;
	const plan = planAt(states, session.leaf);
	const sum = map.rows.reduce((tokens, { tokens: more }) => tokens + more, 0);
	expect(sum).toBeCloseTo(promptTokens(states, session.leaf, plan), 6);
	const rows = opened(map);
	const keys = rows.map(({ key }) => key);
	expect(new Set(keys).size).toBe(keys.length);
	const shown = rows.flatMap((row) => (row.kind === "entry" ? [row.node.id] : []));
	const sent = session.entries.filter(({ kind }) => kind === "message").map(({ id }) => id);
	expect(shown.sort()).toEqual(sent.sort());
}

test("before anything is folded it shows instructions, what no mark took, and marks by what the next commit does", async () => {
	const session = await MappedSession.of(4);
	const map = session.map();
	expect(tops(map)).toEqual([
		"base",
		"raw s0",
		"mark folds u1..r1",
		"mark folds a1..r2",
		"mark folds a2..r3",
		"mark waits a3..r4",
		"raw a4",
	]);
	expect(map.commit?.frees).toBeGreaterThan(1_000);
	await expectWhole(session);
});

test("a mark says what folding it takes out of the window, less what is pinned in it", async () => {
	const session = await MappedSession.of(4);
	const [first = ""] = marksOf(session.map());
	const before = rowOf(session.map(), first);
	if (before.kind !== "mark") throw new Error("no mark");
	expect(before.frees).toBeCloseTo(before.tokens - before.fold.text, 0);
	await session.decide({ do: "pin", ids: ["r1"] });
	const after = rowOf(session.map(), first);
	if (after.kind !== "mark") throw new Error("no mark");
	expect(after.frees).toBe(0);
	expect(rowsBelow(session.map().desk, after).map(words)).toEqual(["raw u1", "pinned c1", "pinned r1"]);
	await expectWhole(session);
});

test("after a commit it shows groups, folds, the receipt and what is held, in the order the model reads them", async () => {
	const session = await MappedSession.of(6);
	await session.decide({ do: "pin", ids: ["r2"] });
	await session.decide();
	const map = session.map();
	expect(tops(map)).toEqual([
		"base",
		"held s0",
		"fold 1 u1..r3",
		"pinned c2",
		"pinned r2",
		"fold 0 a3..r4",
		"fold 0 a4..r5",
		"receipt",
		"mark waits a5..r6",
		"raw a6",
	]);
	const group = map.rows[2] as MapRow;
	const parts = rowsBelow(map.desk, group);
	expect(parts.map(words)).toEqual(["fold 0 u1..r1", "fold 0 a1..r2", "fold 0 a2..r3"]);
	expect(parts.map(({ tokens }) => tokens)).toEqual([0, 0, 0]);
	const second = rowsBelow(map.desk, parts[1] as MapRow);
	expect(second.map(words)).toEqual(["folded a1", "folded u2"]);
	expect(map.rows.filter(isOpenable).map(words)).toHaveLength(5);
	expect(saidBy(map.desk, map.rows[7] as MapRow).text).not.toBe("");
	await expectWhole(session);
});

test("an opened group is a row before its parts, and an opened fold holds its messages", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const group = session.map().rows.find((row) => row.kind === "fold" && row.level === 1);
	if (group?.kind !== "fold") throw new Error("no group");
	await session.decide({ do: "expand", fold: group.fold.id });
	expect(tops(session.map()).slice(2, 6)).toEqual([
		"opened u1..r3",
		"fold 0 u1..r1",
		"fold 0 a1..r2",
		"fold 0 a2..r3",
	]);
	await expectWhole(session);
	const part = session.map().rows[4];
	if (part?.kind !== "fold") throw new Error("no fold");
	await session.decide({ do: "expand", fold: part.fold.id });
	const map = session.map();
	expect(tops(map).slice(2, 6)).toEqual(["opened u1..r3", "fold 0 u1..r1", "opened a1..r2", "fold 0 a2..r3"]);
	expect(map.rows[4]?.key).toBe(part.key);
	expect(rowsBelow(map.desk, map.rows[4] as MapRow).map(words)).toEqual([
		"raw a1",
		"raw u2",
		"raw c2",
		"raw r2",
	]);
	await expectWhole(session);
});

test("what was withdrawn, drawn anew or given a brief says so, and keeps its row where its name stays", async () => {
	const session = await MappedSession.of(5);
	const [first = "", second = ""] = marksOf(session.map());
	await session.decide({ do: "unmark", ids: [first] });
	await session.decide({ do: "brief", fold: second, text: "topic two was a dead end" });
	expect(rowOf(session.map(), first)).toMatchObject({ kind: "mark", next: "withdrawn", isDrawn: false });
	const briefed = rowOf(session.map(), second);
	expect(briefed).toMatchObject({ kind: "mark", fold: { supplied: true } });
	if (briefed.kind !== "mark") throw new Error("no mark");
	expect(session.map().desk.suppliedIn(briefed.fold.brief)).toBe("topic two was a dead end");
	await session.decide({ do: "recut", ids: ["u3", "a3"] });
	expect(tops(session.map()).slice(2)).toEqual([
		"mark withdrawn u1..r1",
		"mark folds a1..r2",
		"mark folds a2..a3",
		"mark folds u4..r4",
		"mark waits a4..r5",
		"raw a5",
	]);
	expect(session.map().rows[4]).toMatchObject({ isDrawn: true });
	await expectWhole(session);
	await session.decide();
	expect(rowOf(session.map(), first).kind).toBe("opened");
	await expectWhole(session);
});

test("a fold inside a group tells what was supplied for it, opened groups too, on the map and in lists", async () => {
	const session = await MappedSession.of(5);
	const [, second = ""] = marksOf(session.map());
	const told = "topic two was a dead end";
	await session.decide({ do: "brief", fold: second, text: told });
	await session.decide();
	const { states } = session.engine;
	const group = session.map().rows.find((row) => row.kind === "fold" && row.level === 1);
	if (group?.kind !== "fold") throw new Error("no group");
	const nested = rowsBelow(session.map().desk, group).find((row) => row.key === `fold:${second}`);
	const listed = foldRows(states, session.leaf).find(({ id }) => id === second);
	const briefs = [nested?.kind === "fold" && nested.fold.brief, listed?.brief];
	expect(briefs.map((brief) => session.engine.suppliedIn(brief || ""))).toEqual([told, told]);
	const closed = group.fold.brief;
	await session.decide({ do: "expand", fold: group.fold.id });
	expect(rowOf(session.map(), group.fold.id)).toMatchObject({ kind: "opened", fold: { brief: closed } });
	const [open] = foldRows(session.engine.states, session.leaf);
	expect(open).toMatchObject({ id: group.fold.id, state: "open", brief: closed, supplied: true });
});

test("clipped and edited messages stand as they are shown, with what they weigh then", async () => {
	const session = await MappedSession.of(5, { toolFoldThreshold: 0.9, floorTokens: 2_500 });
	await session.decide();
	const clipped = opened(session.map()).filter((row) => row.kind === "entry" && row.standing === "clipped");
	expect(clipped.length).toBeGreaterThan(0);
	for (const row of clipped) if (row.kind === "entry") expect(row.tokens).toBeLessThan(row.source);
	await expectWhole(session);
	await session.add(edit("e1", "a5", [{ type: "text", text: "edited" }]));
	const edited = rowOf(session.map(), "a5");
	expect(edited).toMatchObject({ standing: "edited", edit: { id: "e1" } });
	expect(saidBy(session.map().desk, edited).text).toBe("edited");
	await expectWhole(session);
});

test("a row names the messages that pinning it pins, and where its last one is", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const map = session.map();
	const group = map.rows.find((row) => row.kind === "fold") as MapRow;
	expect(entryIdsOf(map.desk, group)).toEqual([
		"u1",
		"c1",
		"r1",
		"a1",
		"u2",
		"c2",
		"r2",
		"a2",
		"u3",
		"c3",
		"r3",
	]);
	const ends = map.rows.flatMap((row) => endOf(map.desk, row) ?? []);
	expect(ends).toEqual([...ends].sort((a, b) => a - b));
});

test("a map of a session in which nothing was said but instructions has no rows to change", async () => {
	const session = await MappedSession.of(0);
	expect(tops(session.map())).toEqual(["base", "raw s0"]);
	expect(session.map().commit).toBeUndefined();
});

test("whatever a session holds and whoever decides, the map adds up to the window, and every item is in one row", async () => {
	let folds = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, deciding, async (entries, rules, chosen) => {
			const decide = (request: number) => chosen[request % chosen.length] ?? "due";
			const { engine } = await drive(entries, { settings: rules, decide });
			const { states } = engine;
			const { leaf } = states.tree;
			const plan = planAt(states, leaf);
			const map = windowMap({
				states,
				request: { at: 0, leaf, model: "test/prefix" },
				entry: (id) => engine.entry(id),
				briefOf: (digest) => engine.briefText(digest),
				suppliedIn: (digest) => engine.suppliedIn(digest),
				content: (digest) => engine.content(digest),
			});
			const sum = map.rows.reduce((tokens, row) => tokens + row.tokens, 0);
			expect(sum).toBeCloseTo(promptTokens(states, leaf, plan), 6);
			const rows = opened(map);
			expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
			const inView = (row: MapRow) => row.kind === "entry" && row.standing !== "folded";
			const items = windowItems(states, leaf, plan);
			expect(rows.filter(inView).map((row) => row.key)).toEqual(
				items.flatMap((item) => ("node" in item ? [`entry:${item.node.id}`] : [])),
			);
			const stands = (row: MapRow) => row.kind === "fold" && row.fold.state === "standing";
			expect(map.rows.filter(stands).map((row) => row.key)).toEqual(
				items.flatMap((item) => (item.kind === "fold" ? [`fold:${item.fold}`] : [])),
			);
			folds += map.rows.filter(stands).length;
		}),
		{ seed: 11, numRuns: 60, interruptAfterTimeLimit: 30_000 },
	);
	expect(folds).toBeGreaterThan(30);
});

test("below a compaction of the host's it shows the summary, and of folds and marks what the host still shows", async () => {
	const session = await MappedSession.of(6);
	await session.decide();
	const blocks: readonly Block[] = [{ type: "text", text: "the story so far" }];
	await session.add({ id: "k1", kind: "compaction", role: "summary", at: 0, blocks, firstKept: "u5" });
	const map = session.map();
	expect(tops(map)).toEqual([
		"base",
		"summary k1",
		"fold 0 a4..r5",
		"receipt",
		"mark waits a5..r6",
		"raw a6",
	]);
	const sum = map.rows.reduce((tokens, row) => tokens + row.tokens, 0);
	const { states } = session.engine;
	expect(sum).toBeCloseTo(promptTokens(states, session.leaf, planAt(states, session.leaf)), 6);
});
