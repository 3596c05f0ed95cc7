import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { History } from "../../src/debug/history.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";

let home: string;
let recording: Recording;
let replayed: string;
let store: string;
const run = (...args: string[]) => inside(home, ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).text);

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-undo-"));
	recording = writeRecording(home);
	replayed = (await json("replay", recording.path, ...TIGHT)).store;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => {
	store = join(home, "tried");
	cpSync(replayed, store, { recursive: true });
});
afterEach(() => rmSync(store, { recursive: true, force: true }));

/** Names of the commits, newest first. */
async function commits(): Promise<string[]> {
	const { log } = await json("log", store, "--type", "commit/applied");
	return log.map(({ data }: { data: { id: string } }) => data.id).reverse();
}

/** What the next request would be, by the kinds of its items. */
async function window(): Promise<string[]> {
	await using opened = await openStore({ directory: store, registry: REGISTRY, readOnly: true });
	const { states } = await History.read(opened, opened.streams()[0] ?? "");
	const { leaf } = states.tree;
	return windowItems(states, leaf, planAt(states, leaf)).map((item) =>
		item.kind === "fold" ? item.fold : item.kind === "entry" ? item.node.id : item.kind,
	);
}

test("an undo is asked about with its price first, and nothing is written where nobody can be asked", async () => {
	const [newest = ""] = await commits();
	const before = await json("verify", store);
	const { code, stderr, text } = await run("undo", newest, store);
	expect(code).toBe(2);
	expect(text).toBe("");
	expect(stderr).toContain(`head ${before.streams[0].hash}`);
	expect(stderr).toMatch(
		/goes from about [\d,]+ to [\d,]+ tokens, and the provider takes about [\d,]+ in again/,
	);
	expect(stderr).toMatch(/^CLI_NOT_CONFIRMED: /m);
	expect(await json("verify", store)).toEqual(before);
});

test("in a replay's store it is in force at once, the heads before and after are told, and redo brings back what was", async () => {
	const [newest = ""] = await commits();
	const folded = await window();
	const undone = await json("undo", newest, store, "--yes");
	expect(undone).toMatchObject({ waits: false, quote: { decision: newest, kind: "undo", with: [newest] } });
	expect(undone.head.version).toBe(undone.quote.head.version + 2);
	const [verified] = (await json("verify", store)).streams;
	expect(verified).toMatchObject(undone.head);
	expect(await window()).not.toEqual(folded);

	const { text, code } = await run("redo", store, "--yes");
	expect(code).toBe(0);
	expect(text).toContain(`before: version ${undone.head.version}, head ${undone.head.hash}`);
	// the store that is meant, which without it would be that of the last replay
	expect(text).toMatch(new RegExp(`^palimpsest undo undo-\\d+ --store ${store} takes that back$`, "m"));
	expect(text).toMatch(/^after: {2}version \d+, head [0-9a-f]{64}$/m);
	expect(await window()).toEqual(folded);
	expect((await run("verify", store)).text).toMatch(/^sound$/m);
	const { stderr } = await run("redo", store, "--yes");
	expect(stderr).toBe("DECISION_UNKNOWN: no undo is in force here\n");
});

test("later decisions that build on one are named, with the call that takes them along", async () => {
	const all = await commits();
	expect(all.length).toBeGreaterThan(2);
	const oldest = all.at(-1) ?? "";
	const { code, stderr } = await run("undo", oldest, store, "--yes");
	expect(code).toBe(1);
	expect(stderr).toMatch(/^UNDO_HAS_DEPENDENTS: /);
	const call = /palimpsest (undo .*)$/m.exec(stderr)?.[1]?.split(" ") ?? [];
	// the store that is meant goes with it
	expect(call).toEqual(["undo", ...all, "--store", store]);
	expect((await run(...call, "--yes")).code).toBe(0);
	expect((await window()).some((item) => /^[fg]\d/.test(item))).toBe(false);
	// named by what was taken back, as well as by the undo itself
	expect((await run("redo", oldest, store, "--yes")).code).toBe(0);
});

test("a name may be cut short where it is clear, and is none where it is empty", async () => {
	const [newest = ""] = await commits();
	const short = newest.slice(0, 5);
	expect(short).not.toBe(newest);
	expect((await json("undo", short, store, "--yes")).quote.with).toEqual([newest]);
	expect((await json("redo", short, store, "--yes")).quote.kind).toBe("redo");
	const { code, stderr } = await run("undo", "", store, "--yes");
	expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^CLI_USAGE: /) });
});

test("an id nobody knows is answered with those in force", async () => {
	const { code, stderr } = await run("undo", "c99-nowhere", store, "--yes");
	expect(code).toBe(1);
	expect(stderr).toMatch(
		/^DECISION_UNKNOWN: no decision in force here is called c99-nowhere; in force, newest first: c/,
	);
	for (const id of await commits()) expect(stderr).toContain(id);
	const none = await run("redo", "c99-nowhere", store, "--yes");
	expect(none).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^DECISION_UNKNOWN: c99-nowhere is no undo/),
	});
});

test("without a decision, or with two to redo, it is a misuse", async () => {
	for (const args of [["undo"], ["undo", store], ["redo", "undo-1", "undo-2"]]) {
		const { code, stderr } = await run(...args, "--yes");
		expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringMatching(/^CLI_USAGE: /) });
	}
});

test("a store that is open is left alone, and a session's own command is named", async () => {
	const [newest = ""] = await commits();
	await using _held = await openStore({ directory: store, registry: REGISTRY });
	const { code, stderr } = await run("undo", newest, store, "--yes");
	expect({ code, stderr }).toEqual({
		code: 1,
		stderr: expect.stringMatching(new RegExp(`^STORE_LOCKED: .*/fold undo ${newest}\n$`)),
	});
});

test("a damaged store takes no undo", async () => {
	const [newest = ""] = await commits();
	await changeStored(store, eventKeyAt(40), flipped(-1));
	const { code, stderr } = await run("undo", newest, store, "--yes");
	expect({ code, stderr }).toEqual({
		code: 1,
		stderr: expect.stringMatching(/^STORE_(DAMAGED|CHAIN_BROKEN): .*40/),
	});
	expect((await run("undo", newest, home, "--yes")).stderr).toMatch(/^CLI_NO_STORE: /);
});

test("a replay after an undo moves the store aside, says so, and makes the replay again", async () => {
	const [newest = ""] = await commits();
	await run("undo", newest, store, "--yes");
	const again = await run("replay", recording.path, ...TIGHT, "--store", store);
	expect(again.code).toBe(0);
	expect(again.stderr).toContain(`moved to ${store}~replaced: from event `);
	expect((await json("verify", store)).streams).toEqual((await json("verify", replayed)).streams);
	rmSync(`${store}~replaced`, { recursive: true });
});
