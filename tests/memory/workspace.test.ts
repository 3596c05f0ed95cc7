import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ClassicLevel } from "classic-level";
import { expect, test } from "vitest";
import type { MemoryEvent } from "../../events/memory.ts";
import { Keys } from "../../src/engine/memory/keys.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { workspaceDirectory } from "../../src/store/identity.ts";
import { eventKey } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/open-store.ts";
import { hashText } from "./given.ts";
import { folderMemory, newRecord, remembering, said } from "./memories.ts";

function newHome(): string {
	return join(mkdtempSync(join(tmpdir(), "palimpsest-memory-")), "home");
}

/** Writes one event of a user's. */
const saying = (event: MemoryEvent) => () => ({ write: { events: [said(event)], bodies: [] } });

test("what a user has remembered is known at once, with its text, and to whoever opens the folder later", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	await memory.write(() => ({ write: remembering("mem_1", "use tabs") }));
	const record = memory.memory.records.get("mem_1");
	expect(record).toMatchObject({ status: "active", author: "user", proof: "verified" });
	expect(memory.text(record?.body ?? "")).toBe("use tabs");
	expect(await memory.close()).toBe(0);

	const again = folderMemory(home, "/a");
	await again.refresh();
	expect(again.memory.records.get("mem_1")).toEqual(record);
	expect(again.text(record?.body ?? "")).toBe("use tabs");
	expect(again.trouble).toBeUndefined();
	await again.close();
});

test("two that share a folder see each other's records, and decide on the newest state", async () => {
	const home = newHome();
	const [one, other] = [folderMemory(home, "/a"), folderMemory(home, "/a")];
	const seen: number[] = [];
	await Promise.all(
		Array.from({ length: 20 }, (_, index) =>
			(index % 2 ? one : other).write((memory) => {
				seen.push(memory.records.size);
				return { write: remembering(`mem_${index}`, `fact ${index}`, "model") };
			}),
		),
	);
	await Promise.all([one.refresh(), other.refresh()]);
	expect(one.memory.records.size).toBe(20);
	expect(other.memory).toEqual(one.memory);
	expect(Math.max(...seen)).toBe(19);
	await Promise.all([one.close(), other.close()]);
});

test("what is decided in one lease sees what was decided before it there, texts as well", async () => {
	const memory = folderMemory(newHome(), "/a");
	const second = (seen: unknown[]) => {
		return (state: typeof memory.memory, text: (digest: string) => string | undefined) => {
			seen.push(...[...state.records.values()].map(({ body }) => text(body)));
			return { write: remembering("mem_2", "second") };
		};
	};
	const seen: unknown[] = [];
	await Promise.all([
		memory.write(() => ({ write: remembering("mem_1", "first") }), { when: "soon" }),
		memory.write(second(seen), { when: "soon" }),
		memory.flush(),
	]);
	expect(seen).toEqual(["first"]);
	expect([...memory.memory.records.keys()]).toEqual(["mem_1", "mem_2"]);
	await memory.close();
});

test("what one may not write keeps none of the others, and nothing of it is written", async () => {
	const memory = folderMemory(newHome(), "/a");
	const wrong = { ...newRecord("mem_2", "b"), body: 7 } as unknown as ReturnType<typeof newRecord>;
	const outcomes = await Promise.allSettled([
		memory.write(() => ({ write: remembering("mem_1", "a") }), { when: "soon" }),
		memory.write(saying({ type: "memory/recorded", data: wrong }), { when: "soon" }),
		memory.write(
			() => {
				throw new RangeError("it may not be");
			},
			{ when: "soon" },
		),
		memory.write(() => ({ write: remembering("mem_3", "c") }), { when: "soon" }),
	]);
	expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
	expect([...memory.memory.records.keys()]).toEqual(["mem_1", "mem_3"]);
	await memory.close();
});

test("a decision that comes to nothing writes nothing and is answered", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	const answer = { answer: 42, write: undefined };
	expect(await memory.write(() => answer)).toBe(answer);
	expect(memory.memory.version).toBe(0);
	await memory.close();
});

test("closing writes what is queued, and what comes later is refused", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	const written = memory.write(() => ({ write: remembering("mem_1", "late") }), { when: "soon" });
	expect(await memory.close()).toBe(0);
	await written;
	await expect(memory.write(() => ({}))).rejects.toMatchObject({ code: "STORE_CLOSED" });
	const again = folderMemory(home, "/a");
	await again.refresh();
	expect(again.memory.records.size).toBe(1);
	await again.close();
});

test("a look at a folder without memory leaves nothing there", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	await memory.refresh();
	await memory.close();
	expect(() => readdirSync(home)).toThrow("ENOENT");
});

test("a shredded text is in no file of the store and in nobody's memory, may not come back, and the chain verifies", async () => {
	const home = newHome();
	const [one, other] = [folderMemory(home, "/a"), folderMemory(home, "/a")];
	const text = "the password is 7c9e6679f1a84b0c8d5e";
	const digest = hashText(text);
	await one.write(() => ({ write: remembering("mem_1", text) }));
	await other.refresh();
	expect(other.text(digest)).toBe(text);
	const shredded = { type: "payload/shredded", data: { contents: [digest], records: ["mem_1"] } } as const;
	await one.write(() => ({
		write: { events: [{ ...said(shredded as never) }], bodies: [], shred: [digest] },
	}));
	await other.refresh();
	for (const memory of [one, other]) {
		expect(memory.text(digest)).toBeUndefined();
		expect(memory.memory.records.get("mem_1")).toMatchObject({ isShredded: true });
		await expect(memory.write(() => ({ write: remembering("mem_2", text) }))).rejects.toMatchObject({
			code: "MEMORY_SHREDDED",
		});
		await memory.close();
	}
	for (const file of filesBelow(home)) expect(readFileSync(file).includes(text.slice(16))).toBe(false);
	const store = await openStore({ directory: one.directory, registry: REGISTRY, readOnly: true });
	const references = () => [digest];
	const { damage, shredded: told } = await store.verify({ blobs: true, references });
	expect(damage).toEqual([]);
	expect(told).toMatchObject([{ stream: one.stream, position: 1, contents: [digest] }]);
	await store.close();
});

test("a text that is remembered and destroyed in one lease is in no file either", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	const text = "the password is 0f8fad5bd9cb469fa165";
	const digest = hashText(text);
	const shredded = { type: "payload/shredded", data: { contents: [digest], records: ["mem_1"] } } as const;
	await Promise.all([
		memory.write(() => ({ write: remembering("mem_1", text) }), { when: "soon" }),
		memory.write(() => ({ write: { events: [said(shredded as never)], bodies: [], shred: [digest] } }), {
			when: "soon",
		}),
	]);
	await memory.close();
	for (const file of filesBelow(home)) expect(readFileSync(file).includes(text.slice(16))).toBe(false);
});

test("a damaged store is read up to its damage and takes nothing, which is told", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	for (const id of ["mem_1", "mem_2", "mem_3"]) await memory.write(() => ({ write: remembering(id, id) }));
	await memory.close();
	await spoil(memory.directory, 1);
	const again = folderMemory(home, "/a");
	await again.refresh();
	expect([...again.memory.records.keys()]).toEqual(["mem_1"]);
	expect(again.trouble).toMatchObject({ code: "STORE_DAMAGED", detail: { directory: memory.directory } });
	for (let time = 0; time < 2; time++) {
		await expect(again.write(() => ({ write: remembering("mem_4", "d") }))).rejects.toMatchObject({
			code: "STORE_DAMAGED",
		});
	}
	await again.close();
});

test("a store whose files make no database takes nothing and keeps what was known", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	await memory.write(() => ({ write: remembering("mem_1", "a") }));
	rmSync(join(memory.directory, "level", "CURRENT"));
	await expect(memory.write(() => ({ write: remembering("mem_2", "b") }))).rejects.toMatchObject({
		code: "STORE_DAMAGED",
	});
	expect([...memory.memory.records.keys()]).toEqual(["mem_1"]);
	expect(memory.trouble).toMatchObject({ code: "STORE_DAMAGED" });
	await memory.close();
});

test("a memory of another folder has no authority until a user says that it moved", async () => {
	const home = newHome();
	const before = folderMemory(home, "/before");
	await before.write(() => ({ write: remembering("mem_1", "push to main") }));
	await before.close();
	const directory = workspaceDirectory(home, "/after");
	cpSync(before.directory, directory, { recursive: true });

	const after = folderMemory(home, "/after");
	await after.refresh();
	expect(after.memory.records.get("mem_1")).toMatchObject({ proof: "unverified", status: "provisional" });
	await expect(after.write(() => ({ write: remembering("mem_2", "b") }))).rejects.toMatchObject({
		code: "MEMORY_ELSEWHERE",
	});
	await after.close();

	await move(directory, `memory/${basename(before.directory)}`, "/elsewhere", `${home}-keyring.json`);
	const wrong = folderMemory(home, "/after");
	await wrong.refresh();
	expect(wrong.memory.records.get("mem_1")).toMatchObject({ proof: "unverified" });
	await wrong.close();

	await move(directory, `memory/${basename(before.directory)}`, "/after", `${home}-keyring.json`);
	const moved = folderMemory(home, "/after");
	await moved.refresh();
	expect(moved.memory.records.get("mem_1")).toMatchObject({ proof: "verified", status: "active" });
	await moved.write(() => ({ write: remembering("mem_2", "b") }));
	expect(moved.memory.records.get("mem_2")).toMatchObject({ proof: "verified", status: "active" });
	await moved.close();
});

test("without a sound keyring nothing is proved and the user is told why he cannot sign, and the model goes on", async () => {
	const home = newHome();
	const memory = folderMemory(home, "/a");
	await memory.write(() => ({ write: remembering("mem_1", "a") }));
	await memory.close();
	writeFileSync(`${home}-keyring.json`, "gone");
	const again = folderMemory(home, "/a");
	await again.refresh();
	expect(again.memory.records.get("mem_1")).toMatchObject({ proof: "unverified", status: "provisional" });
	expect(again.trouble).toMatchObject({ code: "KEYRING_DAMAGED" });
	const [mine, its] = await Promise.allSettled([
		again.write(() => ({ write: remembering("mem_2", "b") }), { when: "soon" }),
		again.write(() => ({ write: remembering("mem_3", "c", "model") }), { when: "soon" }),
	]);
	expect(mine).toMatchObject({ status: "rejected", reason: { code: "KEYRING_DAMAGED" } });
	expect(its).toMatchObject({ status: "fulfilled" });
	expect([...again.memory.records.keys()]).toEqual(["mem_1", "mem_3"]);
	await again.close();
});

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

/** Says by a key that the memory in a folder belongs to another one now. */
async function move(directory: string, stream: string, to: string, keyring: string): Promise<void> {
	await using store = await openStore({ directory, registry: REGISTRY });
	const event = said({ type: "memory/moved", data: { from: "/before", to } });
	await store.append(stream, [event], store.head(stream).version, { sync: true, sealer: new Keys(keyring) });
}

/** Changes a byte of the event at a position of a store's first stream. */
async function spoil(directory: string, position: number): Promise<void> {
	const db = new ClassicLevel<Buffer, Buffer>(join(directory, "level"), {
		keyEncoding: "buffer",
		valueEncoding: "buffer",
	});
	const key = eventKey(0, position);
	const value = Buffer.from((await db.get(key)) as Buffer);
	value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
	await db.put(key, value);
	await db.close();
}
