import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keyringPath } from "../../src/engine/memory/keyring.ts";
import { contentKey } from "../../src/store/keys.ts";
import { openLevel } from "../../src/store/level-key-value.ts";
import { levelDirectory } from "../../src/store/open-store.ts";
import { callMemory, idIn, type, WITH_MEMORY } from "./memory-calls.ts";
import { type Host, Sandbox } from "./sandbox.ts";

/** A sandbox in whose folder something is remembered, and the record's id. */
async function remembered(sandbox: Sandbox, text = "use tabs"): Promise<string> {
	const host = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(host, `/remember pin ${text}`));
	await host.quit();
	return id;
}

/** The folder of the memory's store. */
function storeOf(sandbox: Sandbox): string {
	const workspaces = join(sandbox.home, "workspaces");
	return join(workspaces, readdirSync(workspaces)[0] ?? "");
}

/** What was said of memory by itself, once something of a kind was. */
async function toldOf(host: Host, words: string): Promise<string[]> {
	const found = () => host.said.filter((said) => said.includes(words));
	await expect.poll(found, { timeout: 10_000 }).not.toEqual([]);
	await host.ask("hello");
	await host.ask("again");
	return found();
}

test("a store that cannot be opened is said once, with its code and what to do, and the list says so", async () => {
	await using sandbox = new Sandbox();
	await remembered(sandbox);
	const store = storeOf(sandbox);
	rmSync(join(store, "level", "CURRENT"));
	const host = await sandbox.create(WITH_MEMORY);
	const [told = "", ...more] = await toldOf(host, "STORE_DAMAGED");
	expect(more).toEqual([]);
	expect(told).toMatch(/^Palimpsest: what is remembered for this folder cannot be read: STORE_DAMAGED: /);
	expect(told).toContain(`palimpsest repair ${store} `);
	const listed = await type(host, "/memories");
	expect(listed).toMatch(/^Palimpsest: what is remembered for this folder cannot be read: STORE_DAMAGED/);
	expect(listed).not.toMatch(/nothing|ask again/);
	expect((await callMemory(host, "search", {})).text).toContain("STORE_DAMAGED");
});

test("a broken keyring is said once, with what to do", async () => {
	await using sandbox = new Sandbox();
	await remembered(sandbox);
	writeFileSync(keyringPath(sandbox.dir), "no keyring");
	const host = await sandbox.create(WITH_MEMORY);
	const told = await toldOf(host, "KEYRING_DAMAGED");
	expect(told).toHaveLength(1);
	expect(told[0]).toMatch(/^Palimpsest: what is remembered cannot be proved to be yours: KEYRING_DAMAGED: /);
	expect(told[0]).toContain("put back a copy of it");
});

test("a keyring that is gone is said, and a new one is not begun without a word; the model is not told that nothing holds", async () => {
	await using sandbox = new Sandbox();
	const first = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(first, "/remember pin use tabs"));
	await first.ask("hello");
	const { file } = first;
	await first.quit();
	renameSync(keyringPath(sandbox.dir), join(sandbox.dir, "another.json"));
	const host = await sandbox.open(file, WITH_MEMORY);
	const told = await toldOf(host, "the keyring is gone");
	expect(told).toEqual([
		expect.stringMatching(
			/^Palimpsest: 1 record cannot be proved to be yours, the keyring is gone: .*\/memories trust$/,
		),
	]);
	expect((await host.ask("go on")).join("\n")).not.toContain("No longer holds");
	expect(await type(host, "/memories")).toContain("1 record cannot be proved to be yours");
	const said = await type(host, "/remember the port is 8080");
	expect(said).toMatch(
		/a new keyring was begun, .*; 1 record of another key cannot be proved to be yours: \/memories trust/,
	);
	expect((await host.ask("and on")).join("\n")).not.toContain("No longer holds");
	expect(await type(host, "/memories trust all")).toContain(id);
});

test("a text that is stored damaged is unreadable and not destroyed, and is not told", async () => {
	await using sandbox = new Sandbox();
	const id = await remembered(sandbox, "use heron tabs");
	await remembered(sandbox, "the port is 8080");
	await breakText(sandbox, "use heron tabs");
	const host = await sandbox.create(WITH_MEMORY);
	const told = await toldOf(host, "STORE_BLOB_DAMAGED");
	expect(told).toEqual([expect.stringContaining(`the text of ${id} cannot be read`)]);
	const sent = (await host.ask("go on")).join("\n");
	expect(sent).toContain("the port is 8080");
	expect(sent).not.toContain(id);
	expect(await type(host, `/memories ${id}`)).toContain("(its text cannot be read)");
	expect((await callMemory(host, "read", { recordId: id })).text).toMatch(/^MEMORY_UNREADABLE/);
	expect((await callMemory(host, "search", {})).text).not.toContain("destroyed");
	expect(await type(host, `/remember supersede:${id} use heron spaces`)).toContain("remembered: mem_");
});

test("a session that is open elsewhere says that its own records cannot be read here", async () => {
	await using sandbox = new Sandbox();
	const first = await sandbox.create(WITH_MEMORY);
	await first.ask("hello");
	await type(first, "/remember scope:session the branch is called heron");
	const second = await sandbox.open(first.file, WITH_MEMORY);
	await second.ask("hello");
	const listed = await type(second, "/memories");
	expect(listed.replaceAll(/\s+/g, " ")).toContain(
		"this session's own records cannot be read here: STORE_LOCKED: this session is open elsewhere",
	);
	expect(listed).not.toContain("nothing");
});

/** Puts something else in the place of a text in the memory's store. */
async function breakText(sandbox: Sandbox, text: string): Promise<void> {
	const kv = await openLevel(levelDirectory(storeOf(sandbox)), { create: false });
	const batch = kv.batch();
	const found = Array.from({ length: 8 }, (_, at) => contentKey(at)).filter(
		(key) => Buffer.from(kv.get(key) ?? []).toString() === text,
	);
	for (const key of found) batch.put(key, Buffer.from("something else"));
	await batch.write(true);
	await kv.close();
	expect(found).toHaveLength(1);
}
