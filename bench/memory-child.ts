/**
 * One of several processes that remember things in one folder, for `memory.ts`: home, folder, its own number, how many
 * there are, records to write, ms between two of them. Prints what it met as JSON once it has seen all of all.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { NewRecord } from "../events/memory.ts";
import { Keys } from "../src/engine/memory/keys.ts";
import { WorkspaceMemory } from "../src/engine/memory/workspace-memory.ts";
import { sha256Node } from "../src/store/hash.ts";

/** How long is waited for the records of the others, ms. */
const LONGEST_MS = 30_000;

const [home = "", cwd = "", me = "0", processes = "1", records = "1", everyMs = "0"] = process.argv.slice(2);

const seen = new Map<string, number>();
let slowest = 0;
let isBehind = true;
const memory = WorkspaceMemory.open({
	home,
	cwd,
	keys: new Keys(`${home}-keyring.json`),
	isDoneWithin: async (ms, work) => Promise.race([work.then(() => true), pause(ms, false, { ref: false })]),
	changed: () => {
		const now = Date.now();
		for (const [id, { createdAt }] of memory.memory.records) {
			if (seen.has(id)) continue;
			seen.set(id, now);
			if (!isBehind) slowest = Math.max(slowest, now - createdAt);
		}
	},
});

/** The longest that anything else had to wait for this thread, ms, and the most of that which it computed itself. */
const held = { wall: 0, own: 0 };
let last = { wall: performance.now(), own: ownMs() };
function ownMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}
function tick(): void {
	const now = { wall: performance.now(), own: ownMs() };
	held.wall = Math.max(held.wall, now.wall - last.wall);
	held.own = Math.max(held.own, now.own - last.own);
	last = now;
	setImmediate(tick).unref();
}

await memory.refresh();
process.send?.("ready");
await new Promise((go) => process.once("message", go));
isBehind = false;
last = { wall: performance.now(), own: ownMs() };
tick();

const written: Promise<unknown>[] = [];
for (let index = 0; index < Number(records); index++) {
	const text = `process ${me} remembers its fact number ${index}`;
	const bytes = Buffer.from(text);
	const digest = sha256Node(bytes);
	const data: NewRecord = {
		id: `mem_${me}_${index}`,
		kind: "fact",
		scope: "workspace",
		priority: "normal",
		body: digest,
		chars: text.length,
		files: [],
		sources: [],
		provenance: "bench",
	};
	written.push(
		memory.write(
			() => ({
				write: {
					events: [{ event: { type: "memory/recorded", data }, at: Date.now(), actor: "user" }],
					bodies: [{ digest, bytes }],
				},
			}),
			{ when: index % 2 === 0 ? "soon" : "now" },
		),
	);
	await pause(Number(everyMs));
}
const failed = (await Promise.allSettled(written)).filter(({ status }) => status === "rejected").length;
const end = performance.now() + LONGEST_MS;
while (seen.size < Number(processes) * Number(records) && performance.now() < end) await pause(50);
const verified = [...memory.memory.records.values()].filter(({ proof }) => proof === "verified").length;
const texts = [...memory.memory.records.values()].filter(
	({ body }) => memory.text(body) !== undefined,
).length;
process.send?.({ failed, records: seen.size, verified, texts, slowest, held });
await memory.close();
process.disconnect?.();
