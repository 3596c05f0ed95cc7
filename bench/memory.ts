/** Eight processes that remember things in one folder at once: what is lost, who waits how long, and what is left. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workspaceDirectory } from "../src/store/identity.ts";
import { levelDirectory } from "../src/store/open-store.ts";
import { atLeast, atMost, type Row } from "./row.ts";

const PROCESSES = 8;
const RECORDS = 200;
const EVERY_MS = 10;

/** What one of them met. */
interface Met {
	readonly failed: number;
	readonly records: number;
	readonly verified: number;
	/** ms from a record's decision to when it was known here */
	readonly slowest: number;
	/** the longest that anything had to wait for its main thread, and what of that it computed itself; ms */
	readonly held: { readonly wall: number; readonly own: number };
}

/** Runs them and says how far each bar was kept. */
export async function run(): Promise<readonly Row[]> {
	const folder = await mkdtemp(join(tmpdir(), "palimpsest-bench-"));
	const home = join(folder, "home");
	const child = fileURLToPath(new URL("memory-child.ts", import.meta.url));
	const args = (index: number) => [home, "/bench", index, PROCESSES, RECORDS, EVERY_MS].map(String);
	const children = Array.from({ length: PROCESSES }, (_, index) => fork(child, args(index)));
	await Promise.all(children.map(message));
	const answers = Promise.all(children.map(message)) as Promise<Met[]>;
	for (const one of children) one.send("go");
	const met = await answers;
	await Promise.all(children.map((one) => one.exitCode ?? once(one, "exit")));
	const files = await readdir(levelDirectory(workspaceDirectory(home, "/bench")));
	await rm(folder, { recursive: true });
	const least = (figure: (one: Met) => number) => Math.min(...met.map(figure));
	const most = (figure: (one: Met) => number) => Math.max(...met.map(figure));
	const all = PROCESSES * RECORDS;
	const what = `${PROCESSES} processes × ${RECORDS} records`;
	return [
		atLeast(1, {
			name: `records known and proved everywhere, ${what}`,
			value: least(({ verified, failed }) => verified - failed),
			unit: "records",
			against: "what was written",
			limit: all,
		}),
		atMost(1, {
			name: "longest turn delay, computed in the main thread",
			value: most(({ held }) => held.own),
			unit: "ms",
			against: "the bar",
			limit: 50,
		}),
		atMost(1, {
			name: "time until a record is known everywhere",
			value: most(({ slowest }) => slowest),
			unit: "ms",
			against: "the bar",
			limit: 2_000,
		}),
		atMost(1, { name: "files left", value: files.length, unit: "files", against: "the bar", limit: 200 }),
	];
}

async function message(child: ChildProcess): Promise<unknown> {
	const [said] = await once(child, "message");
	return said;
}
