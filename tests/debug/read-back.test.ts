import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { BeyondEnd, type ReadBack, readBack, type Slice } from "../../src/debug/read-back.ts";
import { drive } from "../engine/drive.ts";
import { chain, edit, reply, result, text, user } from "../engine/made-entries.ts";

const turns = Array.from({ length: 8 }, (_, n) => [
	user(`u${n}`, 40),
	reply(`r${n}`, 40, [`c${n}`]),
	{ ...result(`t${n}`, `c${n}`), blocks: [{ type: "text" as const, text: "naïve 日本語 ".repeat(60) }] },
	{ ...reply(`s${n}`), blocks: [text(30)] },
]).flat();
const entries = chain(turns);
const settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 300,
	consolidateAfter: 3,
	floorTokens: 100,
	inputBudget: 2_000,
};

async function reader(): Promise<(id: string, slice?: Partial<Slice>) => ReadBack | undefined> {
	const { engine } = await drive(entries, { settings });
	const content = (digest: string) => engine.content(digest);
	return (id, slice) => readBack(engine.states, content, id, { offset: 0, bytes: 1e6, ...slice });
}

const bytesFrom = (from: number, to: number) =>
	entries
		.slice(from, to)
		.map(({ bytes }) => Buffer.from(bytes).toString())
		.join("\n");

test("a fold is read back as the bytes of its entries, one on a line", async () => {
	const read = await reader();
	const first = read("f1-t0");
	expect(first).toMatchObject({ entries: 3, children: [], offset: 0, text: bytesFrom(0, 3) });
	expect(first?.next).toBeUndefined();
});

test("a group names the folds below it and reads back all they stand for", async () => {
	const read = await reader();
	const group = read("g1-t2");
	expect(group).toMatchObject({ children: ["f1-t0", "f2-t1", "f3-t2"], text: bytesFrom(0, 11) });
});

test("an entry is found by its id, a result by the call it answers", async () => {
	const read = await reader();
	expect(read("t3")?.text).toBe(Buffer.from(entries[14]?.bytes ?? []).toString());
	expect(read("c3")?.text).toBe(read("t3")?.text);
	expect(read("nothing")).toBeUndefined();
});

test("a whole output comes before the message that shows a part of it, and is no part of a fold", async () => {
	const { engine } = await drive(entries, { settings });
	const whole = Buffer.from("日本語 ".repeat(100));
	const pieces = [whole.subarray(0, 700), whole.subarray(700)];
	const output = { entry: "t0", source: "bash", bytes: whole.length, piece: 700, pieces: ["p0", "p1"] };
	await engine.note([{ type: "output/kept", data: output }], 0, "runtime");
	const content = (digest: string) => pieces[["p0", "p1"].indexOf(digest)] ?? engine.content(digest);
	const read = (id: string) => readBack(engine.states, content, id, { offset: 0, bytes: 1e6 });
	const told = { entry: "t0", source: "bash", bytes: whole.length };
	for (const id of ["t0", "c0"]) {
		expect(read(id)).toMatchObject({ entry: "t0", output: told, text: `${whole}\n${bytesFrom(2, 3)}` });
	}
	expect(read("f1-t0")).toMatchObject({ outputs: [told], text: bytesFrom(0, 3) });
});

test("what was edited is read as the edit leaves it, and its whole output not at all", async () => {
	const { engine } = await drive(entries, { settings });
	const output = { entry: "t0", source: "bash", bytes: 1, piece: 1, pieces: ["p0"] };
	await engine.note([{ type: "output/kept", data: output }], 0, "runtime");
	const edits = chain([edit("e1", "t0", [text(9)]), edit("e2", "u0")], entries.at(-1)?.id);
	for (const entry of edits) await engine.record(entry);
	const read = (id: string) =>
		readBack(engine.states, (digest) => engine.content(digest), id, { offset: 0, bytes: 1e6 });
	const [replaced, omitted] = edits.map(({ bytes }) => Buffer.from(bytes).toString());
	expect(read("t0")).toMatchObject({ edited: ["t0"], text: replaced });
	expect(read("c0")).toEqual({ ...read("t0"), id: "c0" });
	expect(read("t0")?.output).toBeUndefined();
	const fold = read("f1-t0");
	expect(fold).toMatchObject({ edited: ["u0", "t0"], outputs: [], entries: 3 });
	expect(fold?.text).toBe(`${omitted}\n${bytesFrom(1, 2)}\n${replaced}`);
	await engine.note([{ type: "session/leafMoved", data: { leaf: entries.at(-1)?.id ?? null } }], 0, "user");
	expect(read("f1-t0")).toMatchObject({ edited: [], text: bytesFrom(0, 3) });
});

test("slices break no character, and together they are the whole", async () => {
	const read = await reader();
	const whole = read("f1-t0");
	for (const bytes of [1_024, 1_025, 1_026]) {
		let joined = "";
		for (let offset: number | undefined = 0; offset !== undefined; ) {
			const part: ReadBack | undefined = read("f1-t0", { offset, bytes });
			expect(Buffer.byteLength(part?.text ?? "")).toBeLessThanOrEqual(bytes);
			joined += part?.text;
			offset = part?.next;
		}
		expect(joined).toBe(whole?.text);
	}
	expect(() => read("f1-t0", { offset: 1e9 })).toThrow(BeyondEnd);
});
