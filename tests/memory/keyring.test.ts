import { execFile } from "node:child_process";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Keyring, keyringPath } from "../../src/engine/memory/keyring.ts";
import { Keys } from "../../src/engine/memory/keys.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";

const STORED = Buffer.from("an event as it is stored");

function newFolder(): string {
	return mkdtempSync(join(tmpdir(), "palimpsest-keyring-"));
}

function keysIn(path: string): { readonly id: string; readonly secret: string }[] {
	return JSON.parse(readFileSync(path, "utf8")).keys;
}

test("a keyring is made when something is first signed, for its owner alone, and leaves nothing beside it", () => {
	const folder = join(newFolder(), "agent");
	const path = keyringPath(folder);
	const keyring = Keyring.open(path);
	expect(keyring.size).toBe(0);
	const seal = keyring.seal("s", STORED);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readdirSync(folder)).toHaveLength(1);
	expect(Keyring.open(path).check("s", { stored: STORED, seal })).toBe("verified");
});

test("a seal holds for its stream and its bytes alone, and one by an unknown key says nothing", () => {
	const keyring = Keyring.open(keyringPath(newFolder()));
	const seal = keyring.seal("s", STORED);
	expect(keyring.check("other", { stored: STORED, seal })).toBe("forged");
	expect(keyring.check("s", { stored: Buffer.from("another event"), seal })).toBe("forged");
	expect(keyring.check("s", { stored: STORED, seal: { ...seal, tag: seal.tag.slice(1) } })).toBe("forged");
	expect(keyring.check("s", { stored: STORED, seal: undefined })).toBe("unverified");
	const elsewhere = Keyring.open(keyringPath(newFolder()));
	elsewhere.seal("s", STORED);
	expect(elsewhere.check("s", { stored: STORED, seal })).toBe("unverified");
});

test("a stream's name cannot lend bytes to the event behind it", () => {
	const keyring = Keyring.open(keyringPath(newFolder()));
	const seal = keyring.seal("ab", Buffer.from("c"));
	expect(keyring.check("a", { stored: Buffer.from("bc"), seal })).toBe("forged");
});

test("processes that begin at once end up with one key", async () => {
	const path = keyringPath(newFolder());
	const child = fileURLToPath(new URL("signing.ts", import.meta.url));
	const run = promisify(execFile);
	const begun = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, [child, path])));
	const ids = new Set(begun.map(({ stdout }) => stdout.trim()));
	expect([...ids]).toEqual([keysIn(path)[0]?.id]);
	expect(keysIn(path)).toHaveLength(1);
});

test("a key that is added signs from then on, those before it go on verifying, also where it is not known yet", () => {
	const path = keyringPath(newFolder());
	const [one, other] = [Keyring.open(path), Keyring.open(path)];
	const before = one.seal("s", STORED);
	expect(other.check("s", { stored: STORED, seal: before })).toBe("verified");
	const id = one.rotate(1);
	const after = one.seal("s", STORED);
	expect(after.key).toBe(id);
	expect(after.key).not.toBe(before.key);
	for (const keyring of [one, other, Keyring.open(path)])
		for (const seal of [before, after]) expect(keyring.check("s", { stored: STORED, seal })).toBe("verified");
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a mode that lets others read it is put right, and that is said once", () => {
	const path = keyringPath(newFolder());
	Keyring.open(path).seal("s", STORED);
	chmodSync(path, 0o644);
	const keys = new Keys(path);
	expect(keys.takeExposure()).toBeUndefined();
	keys.seal("s", STORED);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(keys.takeExposure()).toContain(`${path} could be read by others`);
	expect(keys.takeExposure()).toBeUndefined();
	expect(Keyring.open(path).wasExposed).toBe(false);
});

test("what is made for a store is closed to others", async () => {
	const home = join(newFolder(), "palimpsest");
	const directory = join(home, "workspaces", "x");
	await (await openStore({ directory, registry: REGISTRY })).close();
	for (const made of [home, join(home, "workspaces"), directory]) expect(statSync(made).mode & 0o077).toBe(0);
});

test.each(["", "{}", '{"keys":[]}', '{"keys":[{"id":"x","secret":"y"}]}', "not JSON"])(
	"a damaged keyring is never written over: %j",
	(content) => {
		const path = keyringPath(newFolder());
		const keyring = Keyring.open(path);
		writeFileSync(path, content);
		expect(() => Keyring.open(path)).toThrow(expect.objectContaining({ code: "KEYRING_DAMAGED" }));
		expect(() => keyring.seal("s", STORED)).toThrow(expect.objectContaining({ code: "KEYRING_DAMAGED" }));
		expect(() => keyring.rotate(1)).toThrow(expect.objectContaining({ code: "KEYRING_DAMAGED" }));
		expect(readFileSync(path, "utf8")).toBe(content);
	},
);

test("what the system refuses is told as that", () => {
	const path = join(newFolder(), "folder.json");
	mkdirSync(path);
	expect(() => Keyring.open(path)).toThrow(expect.objectContaining({ code: "KEYRING_UNAVAILABLE" }));
});

test("a key that is not there is looked for in the file once, until that is another", () => {
	const path = keyringPath(newFolder());
	Keyring.open(path).seal("s", STORED);
	const content = readFileSync(path, "utf8");
	utimesSync(path, 1, 1);
	const keyring = Keyring.open(path);
	const seal = { key: "0".repeat(16), tag: new Uint8Array(32) };
	expect(keyring.check("s", { stored: STORED, seal })).toBe("unverified");
	// were it read again it would be refused
	writeFileSync(path, "x".repeat(content.length));
	utimesSync(path, 1, 1);
	expect(keyring.check("s", { stored: STORED, seal })).toBe("unverified");
	utimesSync(path, 2, 2);
	expect(() => keyring.check("s", { stored: STORED, seal })).toThrow("is not a keyring");
});
