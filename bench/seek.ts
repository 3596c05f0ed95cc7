import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { storedContent } from "../src/adapters/sessions/stored-content.ts";
import { foldTree } from "../src/debug/fold-tree.ts";
import { History } from "../src/debug/history.ts";
import { logPage } from "../src/debug/log-page.ts";
import { timelineOf } from "../src/debug/timeline.ts";
import { windowView } from "../src/debug/window-view.ts";
import { REGISTRY } from "../src/engine/store-journal.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { atMost, median, type Row } from "./row.ts";
import { Dice } from "./workload/dice.ts";
import { writeHistory } from "./workload/long-history.ts";

const EVENTS = 1_000_000;
const SEEKS = 200;
/** single events read, all in one go: the clock of the processor is coarse */
const READS = 5_000;
const STREAM = "session/bench";
const MB = 1_000_000;

/** What a seek may take, and the picture of all requests, which is drawn once; ms. */
const SEEK_MS = 50;
const TIMELINE_MS = 500;

/**
 * Going to any moment of a session of 1,000,000 events: opening it, then random windows, pages of the log and levels of
 * the fold tree. Times are those of the processor.
 */
export async function run(): Promise<readonly Row[]> {
	const home = await mkdtemp(join(tmpdir(), "palimpsest-seek-"));
	try {
		const directory = join(home, "store");
		const written = performance.now();
		await writeHistory(directory, STREAM, EVENTS);
		console.log(`the session was written in ${((performance.now() - written) / 1000).toFixed(0)} s`);
		await using store = await openStore({ directory, registry: REGISTRY, readOnly: true });
		return await measure(store);
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

async function measure(store: Store): Promise<Row[]> {
	const alone = await taken(async () => {
		for await (const _ of store.readRuns(STREAM));
	});
	const empty = heap();
	let history = History.empty(STREAM);
	const opening = await taken(async () => {
		history = await History.read(store, STREAM);
	});
	const held = (heap() - empty) / MB;
	const { requests, states, decisions, head } = history;
	console.log(
		`${head.version} events, ${states.tree.count} entries, ${requests.length} requests, ${decisions.length} decisions`,
	);
	const content = storedContent(store);
	const timeline = await taken(() => timelineOf(history));
	const again = await taken(() => timelineOf(history));
	console.log(`timeline of all: ${timeline.toFixed(0)} ms the first time, then ${again.toFixed(1)} ms`);

	const dice = new Dice(3);
	const anyRequest = () => dice.between(1, requests.length);
	const first = await taken(() => windowView(history, content, requests.length));
	console.log(`window of the last request, the first that is asked for: ${first.toFixed(1)} ms`);
	let rows = 0;
	const seeks = await many(() => {
		const view = windowView(history, content, anyRequest());
		if (!view?.same) throw new Error(`request ${view?.request} is not what was sent`);
		rows += view.items;
	});
	console.log(`${(rows / SEEKS).toFixed(0)} items in a window`);
	const pages = await many(() =>
		logPage(history, store, { around: dice.between(0, head.version - 1), limit: 100 }),
	);
	const trees = await many(() => foldTree(history, content, anyRequest(), { limit: 100 }));
	const bare = await taken(() => {
		for (let n = 0; n < READS; n++) store.event(STREAM, dice.between(0, head.version - 1));
	});

	const size = EVENTS.toLocaleString("en-US");
	const allowed = { unit: "ms", against: "allowed", limit: SEEK_MS };
	return [
		atMost(4, {
			name: `open ${size} events`,
			value: opening,
			unit: "ms",
			against: "reading and verifying them alone",
			limit: alone,
		}),
		atMost(1, {
			name: "memory they take",
			value: held,
			unit: "MB",
			against: "allowed, 1.5 KB an event",
			limit: (1_500 * EVENTS) / MB,
		}),
		atMost(1, { name: `window of a random request, p50 of ${SEEKS}`, value: median(seeks), ...allowed }),
		atMost(1, { name: "the same, p99", value: p99(seeks), ...allowed }),
		// of each item its content and its digest
		atMost(4, {
			name: "the same, p50",
			value: median(seeks),
			unit: "ms",
			against: "reading as many random events as it has items",
			limit: (bare / READS) * (rows / SEEKS),
		}),
		atMost(1, { name: "100 lines of the log at a random place, p99", value: p99(pages), ...allowed }),
		atMost(1, { name: "top of the fold tree at a random request, p99", value: p99(trees), ...allowed }),
		atMost(1, { name: "timeline of all, the first time", value: timeline, ...allowed, limit: TIMELINE_MS }),
	];
}

async function many(work: () => unknown): Promise<number[]> {
	const times: number[] = [];
	for (let n = 0; n < SEEKS; n++) times.push(await taken(work));
	return times;
}

/** ms of the processor that some work took on this thread. */
async function taken(work: () => unknown): Promise<number> {
	const before = process.threadCpuUsage();
	await work();
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1000;
}

function p99(times: readonly number[]): number {
	return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** Bytes in use when nothing is left to collect. */
function heap(): number {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}
