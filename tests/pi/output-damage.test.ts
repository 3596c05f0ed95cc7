import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { afterEach, expect, test } from "vitest";
import { levelDirectory } from "../../src/store/open-store.ts";
import { inside } from "../cli/inside.ts";
import { callOf, LARGE, large, peek, removeFiles, run, tools } from "./bash-output.ts";
import { type Host, Sandbox } from "./sandbox.ts";

afterEach(removeFiles);

interface Made {
	readonly host: Host;
	/** id of the result that shows a part */
	readonly id: string;
	readonly call: string;
	/** the store's folder */
	readonly store: string;
}

/** A session that kept an output and was left. */
async function left(sandbox: Sandbox): Promise<Made> {
	const host = await sandbox.create({ tools });
	const [entry] = await run(host, [LARGE]);
	if (!entry) throw new Error("nothing ran");
	await host.quit();
	const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
	return { host, id: entry.id, call: callOf(entry), store };
}

/** Flips a byte of the second piece of the output in a store. */
async function flip(store: string): Promise<void> {
	const bytes = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;
	const db = new ClassicLevel<Buffer, Buffer>(levelDirectory(store), bytes);
	const second = Buffer.from(large).subarray(262_144, 262_160);
	for await (const [key, value] of db.iterator()) {
		if (!value.subarray(0, 16).equals(second)) continue;
		value[1_000] = (value[1_000] ?? 0) ^ 1;
		await db.put(key, value);
	}
	await db.close();
}

test("show --output writes all of an output, named by its entry or its call, and verify checks every piece", async () => {
	await using sandbox = new Sandbox();
	const { id, call, store } = await left(sandbox);
	for (const name of [id, call]) {
		const { code, stdout } = await inside(sandbox.home, "show", name, store, "--output");
		expect(code).toBe(0);
		expect(stdout.equals(Buffer.from(large))).toBe(true);
	}
	const { text } = await inside(sandbox.home, "show", id, store, "--output", "--json");
	expect(JSON.parse(text)).toMatchObject({ kind: "output", entry: id, source: "bash", bytes: large.length });
	const missing = await inside(sandbox.home, "show", "nothing", store, "--output");
	expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^CLI_NO_SUCH_ID: /) });
	expect((await inside(sandbox.home, "verify", store)).code).toBe(0);
	expect((await inside(sandbox.home, "log", store, "--type", "output")).text).toMatch(
		/output\/kept +all 1,288,895 bytes of bash behind [0-9a-f]+, in 5 pieces\n$/,
	);
});

test("a byte flipped in a piece is found, told to the model that reads it, and leaves the session folding", async () => {
	await using sandbox = new Sandbox();
	const { host, id, store } = await left(sandbox);
	await flip(store);
	const { code, text } = await inside(sandbox.home, "verify", store);
	expect(code).toBe(1);
	expect(text.match(/^DAMAGED blob: /gm)).toHaveLength(1);
	const again = await sandbox.open(host.file, { tools });
	expect((await peek(again, { id, bytes: 1_024 })).split("\n")[2]).toBe("1");
	expect(await peek(again, { id, offset: 300_000 })).toMatch(
		/^the content stored as [0-9a-f]{64} is not that content/,
	);
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await again.work(topic);
	expect(await again.fold()).toMatch(/folded about/);
});

test("a repair tells the piece it lost, and the rest of the output is still read", async () => {
	await using sandbox = new Sandbox();
	const { host, id, store } = await left(sandbox);
	await flip(store);
	expect((await inside(sandbox.home, "repair", store, "--yes")).text).toContain("damaged-1");
	const verified = await inside(sandbox.home, "verify", store);
	expect(verified.code).toBe(0);
	expect(verified.text).toContain("but for what a repair lost");
	expect((await inside(sandbox.home, "show", id, store, "--output")).stderr).toMatch(/^CLI_CONTENT_GONE: /);
	const again = await sandbox.open(host.file, { tools });
	expect((await peek(again, { id, bytes: 1_024 })).split("\n")[2]).toBe("1");
	expect(await peek(again, { id, offset: 300_000 })).toContain(
		"262144 bytes from byte 262144 on are no longer stored",
	);
});
