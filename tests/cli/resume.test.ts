import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { Recorded } from "../../events/envelope.ts";
import { ResumingJournal } from "../../src/adapters/sessions/resuming-journal.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import { inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";
import { ended, start } from "./run.ts";

let home: string;
let recording: Recording;
beforeAll(() => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-resume-"));
	recording = writeRecording(home, { requests: 160, resultChars: 4000 });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("a replay killed again and again ends at the head of one that was never disturbed", async () => {
	const killed = join(home, "killed");
	const args = ["replay", recording.path, ...TIGHT, "--json", "--store"];
	let kills = 0;
	for (const bytes of [20_000, 120_000, 300_000]) {
		const child = start([...args, killed], { home });
		const end = ended(child);
		let over = false;
		void end.then(() => {
			over = true;
		});
		while (!over && bytesIn(join(killed, "level")) < bytes) await wait(5);
		child.kill("SIGKILL");
		if ((await end).signal === "SIGKILL") kills += 1;
	}
	const finished = await inside(home, ...args, killed);
	const undisturbed = await inside(home, ...args, join(home, "undisturbed"));
	expect(kills).toBeGreaterThan(0);
	expect(finished).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.parse(finished.text).head).toBe(JSON.parse(undisturbed.text).head);
	expect((await inside(home, "verify", killed)).code).toBe(0);
});

function bytesIn(directory: string): number {
	if (!existsSync(directory)) return 0;
	let bytes = 0;
	for (const file of readdirSync(directory)) {
		bytes += statSync(join(directory, file), { throwIfNoEntry: false })?.size ?? 0;
	}
	return bytes;
}

const STREAM = "session/one";
const moved = (leaf: string, at = 1): Recorded<DomainEvent> => ({
	event: { type: "session/leafMoved", data: { leaf } },
	at,
	actor: "host",
});
const content = (text: string) => {
	const bytes = Buffer.from(text);
	return { digest: sha256Node(bytes), bytes };
};
const bookkeeping = { sync: false, contents: [] };

async function stored(events: readonly Recorded<DomainEvent>[]) {
	const store = openMemoryStore({ registry: REGISTRY });
	await store.append(STREAM, events, 0);
	return store;
}

test("what stands there already is not written again; what is new goes behind it, with its content", async () => {
	const store = await stored([moved("a"), moved("b")]);
	const journal = new ResumingJournal(store, STREAM);
	const before = store.head(STREAM);
	await journal.append([moved("a")], 0, bookkeeping);
	expect(store.head(STREAM)).toEqual(before);
	const text = content("new");
	await journal.append([moved("b"), moved("c")], 1, { sync: true, contents: [text] });
	await journal.finish();
	expect(store.head(STREAM).version).toBe(3);
	expect(Buffer.from(journal.content(text.digest) ?? [])).toEqual(text.bytes);
});

test("the first event that differs, in what it says or when, is named by its place", async () => {
	for (const other of [moved("x"), moved("b", 2), { ...moved("b"), actor: "user" as const }]) {
		const journal = new ResumingJournal(await stored([moved("a"), moved("b")]), STREAM);
		await journal.append([moved("a")], 0, bookkeeping);
		await expect(journal.append([other], 1, bookkeeping)).rejects.toMatchObject({
			name: "StoreDiffers",
			position: 1,
		});
		await journal.close();
	}
});

test("a store that holds more than the replay makes differs where the replay ends", async () => {
	const journal = new ResumingJournal(await stored([moved("a"), moved("b")]), STREAM);
	await journal.append([moved("a")], 0, bookkeeping);
	await expect(journal.finish()).rejects.toMatchObject({ name: "StoreDiffers", position: 1 });
	await journal.close();
});

test("an append that fails on its way is told at the latest when the journal is finished", async () => {
	const store = await stored([]);
	const journal = new ResumingJournal(store, STREAM);
	await journal.append([moved("a")], 5, bookkeeping);
	await expect(journal.finish()).rejects.toMatchObject({ code: "STORE_VERSION_CONFLICT" });
});
