import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";

let home: string;
let recording: Recording;
let head: string;
let store: string;
const run = (...args: string[]) => inside(home, ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).text);

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
	recording = writeRecording(home);
	const replayed = await json("replay", recording.path, ...TIGHT);
	({ head, store } = replayed);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("a damaged store", () => {
	let damaged: string;
	beforeAll(async () => {
		damaged = join(home, "damaged");
		cpSync(store, damaged, { recursive: true });
		await forgeEvent(damaged, 40);
	});

	test("is found by verify, with the position, and ends it with 1", async () => {
		const { code, text } = await run("verify", damaged);
		expect(code).toBe(1);
		expect(text).toMatch(/^DAMAGED event of session\/rec-1 at 40: /m);
	});

	test("is told by log, which still lists what came before", async () => {
		const { code, text, stderr } = await run("log", damaged, "--from", "30");
		expect(code).toBe(1);
		expect(stderr).toContain("STORE_CHAIN_BROKEN");
		expect(Number.parseInt(text, 10)).toBe(30);
	});

	test("is told by log in the JSON it had begun", async () => {
		const { code, text, stderr } = await run("log", damaged, "--from", "30", "--json");
		const { log, error } = JSON.parse(text);
		expect(code).toBe(1);
		expect(log[0]).toMatchObject({ position: 30 });
		expect(stderr).toBe(`${error.code}: ${error.message}\n`);
		expect(error.code).toBe("STORE_CHAIN_BROKEN");
	});

	test("is repaired only where that was agreed to, and then verifies", async () => {
		const refused = await run("repair", damaged);
		expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^CLI_NOT_CONFIRMED: /) });
		expect((await run("verify", damaged)).code).toBe(1);
		const repaired = await json("repair", damaged, "--yes");
		expect(repaired).toMatchObject({ repaired: true, keptAs: expect.stringContaining("damaged") });
		expect((await run("verify", damaged)).code).toBe(0);
		expect((await run("log", damaged, "--reverse", "--limit", "1")).text).toContain("store/repaired");
	});

	test.each<[what: string, change: ((value: Buffer) => Buffer) | undefined, lostFrom: number]>([
		["its last byte is another", flipped(-1), 40],
		["the hash of the one before it is another", flipped(0), 39],
		["it is gone", undefined, 39],
	])(
		"is told of in the same numbers by verify and repair where of event 40 %s",
		async (what, change, lostFrom) => {
			const spoilt = join(home, what);
			cpSync(store, spoilt, { recursive: true });
			await changeStored(spoilt, eventKeyAt(40), change);
			const verified = (await run("verify", spoilt)).text;
			expect(verified).toMatch(/^DAMAGED event of session\/rec-1 at 40: event 40 of session\/rec-1 /m);
			expect(verified).toMatch(new RegExp(`; a repair keeps events 0 to ${lostFrom - 1}$`, "m"));
			const repaired = (await run("repair", spoilt, "--yes")).text;
			const why = lostFrom === 40 ? "" : ": the fault is at 40, and nothing else vouches for 39";
			expect(repaired).toMatch(new RegExp(`^LOST: events ${lostFrom} to \\d+ of session/rec-1${why}$`, "m"));
			const again = (await run("verify", spoilt)).text;
			expect(again).toMatch(new RegExp(`^lost: events ${lostFrom} to \\d+ of session/rec-1, as`, "m"));
		},
	);

	test("that lost content is told of in the same words by repair, verify and the next replay", async () => {
		const spoilt = join(home, "spoilt");
		cpSync(store, spoilt, { recursive: true });
		const content = Buffer.from("d\0\0\0\0\0\0\0\u0002", "latin1");
		await changeStored(spoilt, content, () => Buffer.from("other"));
		expect((await run("verify", spoilt)).text).toMatch(/^1 fault; palimpsest repair keeps/m);
		const repaired = await run("repair", spoilt, "--yes");
		expect(repaired).toMatchObject({ code: 0, text: expect.stringMatching(/^content: \d+ kept, 1 lost$/m) });
		const verified = await run("verify", spoilt);
		expect(verified.code).toBe(0);
		expect(verified.text).toMatch(/^lost: the content [0-9a-f]{64} of session\/rec-1, as the repair at/m);
		expect(verified.text).toMatch(
			/^sound, but for what a repair lost; .*opened in Pi again, or its file replayed$/m,
		);
		expect(await run("repair", spoilt)).toMatchObject({ code: 0, text: `${spoilt}: nothing to repair\n` });
		expect((await run("log", spoilt, "--type", "store")).text).toContain(
			"no event is known to be lost, 1 content",
		);
		const again = await run("replay", recording.path, ...TIGHT, "--store", spoilt);
		expect(again.stderr).toContain("a repair of the store left out what was damaged");
		expect(again.text).toContain(head);
	});

	test("of which nothing is left is not called sound by verify until it is replayed again", async () => {
		const empty = join(home, "empty");
		cpSync(store, empty, { recursive: true });
		for (const name of readdirSync(join(empty, "level"))) {
			if (/ldb$|log$/.test(name)) rmSync(join(empty, "level", name));
		}
		const repaired = await run("repair", empty, "--yes");
		expect(repaired).toMatchObject({ code: 0, text: expect.stringMatching(/^LOST: events 0 to \d+ of/m) });
		expect(await run("verify", empty)).toMatchObject({ code: 1, text: expect.stringContaining("damaged-1") });
		await run("replay", recording.path, ...TIGHT, "--quiet", "--store", empty);
		expect((await run("verify", empty)).code).toBe(0);
	});

	test("whose repair was cut short is repaired by the next", async () => {
		const cut = join(home, "cut");
		cpSync(store, join(cut, "damaged-1"), { recursive: true });
		cpSync(join(store, "level"), join(cut, "damaged-1"), { recursive: true });
		rmSync(join(cut, "damaged-1", "level"), { recursive: true });
		expect((await run("log", cut)).stderr).toMatch(/^STORE_DAMAGED: /);
		expect(await json("repair", cut, "--yes")).toMatchObject({ repaired: true });
		expect((await run("verify", cut)).code).toBe(0);
	});

	test("that lost its head, and with it its name, is known by its folder's, with a root in it or not", async () => {
		for (const name of ["rec-1", "rec-1~another"]) {
			const nameless = join(home, "nameless", name);
			cpSync(store, nameless, { recursive: true });
			await changeStored(nameless, Buffer.from("h\0\0\0\0", "latin1"), undefined);
			const { streams } = await json("repair", nameless, "--yes");
			expect(streams).toMatchObject([{ stream: "session/rec-1" }]);
			expect((await run("verify", nameless)).code).toBe(0);
		}
	});

	test("makes way for a new replay of its session, whose head is the old one", async () => {
		const again = join(home, "again");
		cpSync(store, again, { recursive: true });
		await forgeEvent(again, 40);
		const { text, stderr } = await run("replay", recording.path, ...TIGHT, "--json", "--store", again);
		expect(JSON.parse(text).head).toBe(head);
		expect(stderr).toContain("was moved to");
	});

	test("a sound one is left as it is by repair", async () => {
		expect(await json("repair", store, "--yes")).toEqual({ store, repaired: false });
	});
});

/** Changes a byte of an event behind the store's back, as someone would who wants history to read otherwise. */
async function forgeEvent(directory: string, position: number): Promise<void> {
	await changeStored(directory, eventKeyAt(position), flipped(-1));
}
