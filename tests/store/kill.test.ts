import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { tickRegistry, WRITTEN } from "./writer.ts";

const LANES = 2;
const KILLS_A_LANE = 100;
/** Each life goes on for at most this long after it began to open the store, or after it had. */
const LONGEST_LIFE_MS = 40;

type Writer = ChildProcessByStdio<Writable, Readable, null>;

function start(
	directory: string,
	cache: string,
): { child: Writer; saying: (line: string) => Promise<void>; ended: Promise<string> } {
	const child = spawn(process.execPath, [fileURLToPath(new URL("writer.ts", import.meta.url)), directory], {
		stdio: ["pipe", "pipe", "inherit"],
		env: { ...process.env, NODE_COMPILE_CACHE: cache },
	});
	let said = "";
	child.stdout.on("data", (chunk) => {
		said += chunk;
	});
	const ended = once(child, "close").then(() => said);
	const saying = async (line: string) => {
		while (!said.includes(`${line}\n`)) {
			await Promise.race([once(child.stdout, "data"), ended]);
			if (child.exitCode !== null) throw new Error(`the writer ended before it said ${line}`);
		}
	};
	return { child, saying, ended };
}

/** Every acknowledged append is in the store: its hash at its place in the chain, its content under its digest. */
function assertKept(store: Store, said: string): number {
	// a line without its end is an acknowledgement nobody heard
	const lines = said
		.slice(0, said.lastIndexOf("\n"))
		.split("\n")
		.filter((line) => /^\d/.test(line));
	for (const line of lines) {
		const [version, hash, digest] = line.split(" ") as [string, string, string];
		expect(store.head(WRITTEN).version).toBeGreaterThanOrEqual(Number(version));
		if (Number(version) > 0) expect(store.event(WRITTEN, Number(version) - 1)?.hash).toBe(hash);
		expect(store.blob(digest)).toBeDefined();
	}
	return lines.length;
}

/** One store, its writer killed again and again. Gives how many appends were acknowledged, and in how many lives. */
async function lane(directory: string, cache: string): Promise<{ acknowledged: number; lives: number }> {
	let acknowledged = 0;
	let lives = 0;
	for (let kill = 1; kill <= KILLS_A_LANE; kill++) {
		const { child, saying, ended } = start(directory, cache);
		await saying("loaded");
		child.stdin.write("!");
		// one in five dies while it opens the store, replaying what its predecessor left
		if (kill % 5 !== 0) await saying("opened");
		await sleep(Math.random() * LONGEST_LIFE_MS);
		child.kill("SIGKILL");
		const said = await ended;

		const store = await openStore({ directory, registry: tickRegistry });
		expect(store.damage).toEqual([]);
		const kept = assertKept(store, said);
		acknowledged += kept;
		if (kept > 0) lives++;
		if (kill % 20 === 0) expect((await store.verify({ blobs: true })).damage).toEqual([]);
		await store.close();
	}
	return { acknowledged, lives };
}

test("what was acknowledged survives a killed process, two hundred times at random moments", async () => {
	const home = await mkdtemp(join(tmpdir(), "palimpsest-kill-"));
	try {
		const cache = join(home, "cache");
		const first = start(join(home, "none"), cache);
		first.child.stdin.end();
		await first.ended;
		const lanes = Array.from({ length: LANES }, (_, index) => lane(join(home, `store-${index}`), cache));
		for (const { acknowledged, lives } of await Promise.all(lanes)) {
			// enough lives got as far as writing for this to mean something
			expect(lives).toBeGreaterThan(KILLS_A_LANE / 10);
			expect(acknowledged).toBeGreaterThan(lives);
		}
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}, 240_000);
