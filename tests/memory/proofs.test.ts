import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { expect, test } from "vitest";
import { referencesOf } from "../../src/debug/references.ts";
import { keyringPath } from "../../src/engine/memory/keyring.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { eventKey, sealKey } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/open-store.ts";
import { repair } from "../../src/store/repair.ts";
import { palimpsest } from "../cli/run.ts";
import { hashText } from "./given.ts";
import { folderMemory, remembering, said } from "./memories.ts";

/** A folder's memory of three records, and one whose text was destroyed. */
async function made(): Promise<{ home: string; agent: string; directory: string; cwd: string }> {
	const agent = mkdtempSync(join(tmpdir(), "palimpsest-memory-"));
	const home = join(agent, "palimpsest");
	const cwd = "/a";
	const memory = folderMemory(home, cwd, keyringPath(agent));
	for (const id of ["mem_1", "mem_2", "mem_3"]) await memory.write(() => ({ write: remembering(id, id) }));
	const digest = hashText("mem_1");
	const shredded = said({
		type: "payload/shredded",
		data: { contents: [digest], records: ["mem_1"] },
	} as never);
	await memory.write(() => ({ write: { events: [shredded], bodies: [], shred: [digest] } }));
	await memory.close();
	return { home, agent, directory: memory.directory, cwd };
}

async function inRows(directory: string, change: (db: ClassicLevel<Buffer, Buffer>) => Promise<void>) {
	const encoding = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;
	const db = new ClassicLevel<Buffer, Buffer>(join(directory, "level"), encoding);
	await change(db);
	await db.close();
}

test("verify says what was shredded, and which events no seal proves, and ends with 1 for a forged one", async () => {
	const { home, agent, directory } = await made();
	const verify = () => palimpsest(["verify", directory], { home, env: { PI_CODING_AGENT_DIR: agent } });
	const sound = await verify();
	expect(sound.code).toBe(0);
	expect(sound.text).toMatch(/^shredded: the content [0-9a-f]{64} of memory\//m);
	expect(sound.text).not.toMatch(/unverified|FORGED/);
	expect(sound.text).toMatch(/^sound$/m);
	await inRows(directory, async (db) => {
		await db.del(sealKey(0, 1));
		await db.put(sealKey(0, 2), (await db.get(sealKey(0, 0))) as Buffer);
	});
	const { code, text } = await verify();
	expect(code).toBe(1);
	expect(text).toMatch(/^unverified: memory\/recorded at 1 of memory\//m);
	expect(text).toMatch(/^FORGED memory\/recorded at 2 of memory\//m);
	// without the keyring there is nothing to say of it
	const elsewhere = await palimpsest(["verify", directory], {
		home,
		env: { PI_CODING_AGENT_DIR: join(agent, "other") },
	});
	expect(elsewhere.text).not.toMatch(/unverified|FORGED/);
	expect(elsewhere.code).toBe(0);
});

test("a repair keeps the seals of what it keeps, and takes no text for lost that was destroyed on purpose", async () => {
	const { home, agent, directory, cwd } = await made();
	await inRows(directory, async (db) => {
		const key = eventKey(0, 2);
		const value = Buffer.from((await db.get(key)) as Buffer);
		await db.put(key, value.fill(0, 40, 44));
	});
	const repaired = await repair({ directory, at: 7, references: referencesOf });
	expect(repaired).toMatchObject({ lost: [{ from: 2, to: 3 }] });
	const memory = folderMemory(home, cwd, keyringPath(agent));
	await memory.refresh();
	expect(memory.memory.records.get("mem_2")).toMatchObject({ status: "active", proof: "verified" });
	await memory.write(() => ({ write: remembering("mem_4", "d") }));
	expect(memory.memory.records.get("mem_4")).toMatchObject({ proof: "verified" });
	await memory.close();
});

test("a repair of a store in which a text was destroyed misses none", async () => {
	const { directory } = await made();
	await inRows(directory, async (db) => {
		for await (const key of db.keys({ gte: Buffer.from("h"), lt: Buffer.from("i") })) await db.del(key);
	});
	const stream = `memory/${directory.split("/").at(-1)}`;
	const repaired = await repair({ directory, at: 7, streams: [stream], references: referencesOf });
	expect(repaired).toMatchObject({ lost: [], contentsLost: [] });
	await using store = await openStore({ directory, registry: REGISTRY, readOnly: true });
	const { damage, shredded } = await store.verify({ blobs: true, references: referencesOf });
	expect({ damage, shredded }).toMatchObject({ damage: [], shredded: [{ contents: [hashText("mem_1")] }] });
});
