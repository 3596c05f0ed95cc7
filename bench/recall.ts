import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { PostingList } from "../projections/recall/posting-list.ts";
import { parseQuery } from "../projections/recall/query.ts";
import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { decodeEntry } from "../src/adapters/sessions/recorded-session.ts";
import { Recall } from "../src/debug/recall/recall.ts";
import { Engine } from "../src/engine/engine.ts";
import { RecallIndex } from "../src/engine/recall-index.ts";
import { Slices } from "../src/engine/slices.ts";
import { loadFromStore, REGISTRY, storeJournal } from "../src/engine/store-journal.ts";
import { sha256Node } from "../src/store/hash.ts";
import { EVERYTHING } from "../src/store/keys.ts";
import { openLevel } from "../src/store/level-key-value.ts";
import { levelDirectory, openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { atMost, median, type Row } from "./row.ts";
import { Dice } from "./workload/dice.ts";
import { entryWith, installedTexts } from "./workload/installed-texts.ts";

const MB = 1_000_000;
const SIZE = 100 * MB;
const QUERIES = 400;
/** entries of 2 KB that come while the session runs */
const FRESH = 400;
const STREAM = "session/bench";

/**
 * What finding again costs a session of 100 MB: asking, keeping the index, and opening the session. All but the last and
 * the longest stretch are times of the processor.
 */
export async function run(): Promise<readonly Row[]> {
	const home = await mkdtemp(join(tmpdir(), "palimpsest-recall-"));
	try {
		const directory = join(home, "store");
		const { bytes, texts, count } = await record(directory);
		const bare = await sizeOf(directory);
		const before = median(await openings(directory));
		const built = await build(directory);
		const grown = (await sizeOf(directory)) - bare;
		const after = median(await openings(directory));
		const { asked, fresh } = await ask(directory, texts, count);
		const scans = Buffer.from(texts.join("\n"));
		const scanned = asked.slice(0, 20).map(({ word }) => timed(() => scans.indexOf(`${word}\0`)));
		const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
		const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
		const against = "looking for one word in the texts, held in memory";
		return [
			atMost(0.1, {
				name: `ask ${texts.length} documents, p50`,
				value: at(0.5),
				unit: "ms",
				against,
				limit: median(scanned),
			}),
			atMost(1, { name: "the same, p50", value: at(0.5), unit: "ms", against: "allowed", limit: 1 }),
			atMost(1, { name: "the same, p99", value: at(0.99), unit: "ms", against: "allowed", limit: 10 }),
			atMost(0.25, {
				name: "disk for the index",
				value: grown / MB,
				unit: "MB",
				against: "the transcript",
				limit: bytes / MB,
			}),
			atMost(1, {
				name: "index an entry, all of them at once",
				value: (built.ms * 1000) / count,
				unit: "µs",
				against: "allowed",
				limit: 50,
			}),
			atMost(1, {
				name: "index a new entry of 2 KB, live",
				value: fresh * 1000,
				unit: "µs",
				against: "allowed",
				limit: 50,
			}),
			atMost(1, {
				name: "longest stretch while all are indexed, p99",
				value: built.stretch,
				unit: "ms",
				against: "allowed",
				limit: 5,
			}),
			atMost(2, {
				name: "the same",
				value: built.stretch,
				unit: "ms",
				against: "slices as long that only count, p99 right after: what the machine adds",
				limit: built.idle,
			}),
			atMost(1.25, {
				name: "open the session with its index",
				value: after,
				unit: "ms",
				against: "without",
				limit: before,
			}),
		];
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

function engineOver(store: Store): Engine {
	return new Engine({
		journal: storeJournal(store, STREAM),
		hash: sha256Node,
		decode: decodeEntry,
		driver: "replay",
	});
}

async function record(directory: string): Promise<{ bytes: number; texts: string[]; count: number }> {
	const store = await openStore({ directory, registry: REGISTRY, hash: sha256Node });
	const engine = engineOver(store);
	await engine.settle({ ...DEFAULT_SETTINGS, minFoldChars: 1e12 }, 0, "host");
	const texts: string[] = [];
	let bytes = 0;
	for (const text of installedTexts()) {
		const entry = entryWith(texts.length, text);
		texts.push(text);
		bytes += entry.bytes.length + 1;
		const recorded = engine.record(entry);
		if (texts.length % 64 === 0) await recorded;
		if (bytes >= SIZE) break;
	}
	await store.append(STREAM, [], engine.version);
	await store.close();
	return { bytes, texts, count: texts.length };
}

async function opened(directory: string) {
	const store = await openStore({ directory, registry: REGISTRY, hash: sha256Node });
	const engine = engineOver(store);
	await loadFromStore(engine, store, STREAM);
	const entries = { tree: () => engine.states.tree, entry: (id: string) => engine.entry(id) };
	const index = new RecallIndex({ ...entries, store, stream: STREAM });
	return { store, engine, index, recall: new Recall(index, entries) };
}

async function openings(directory: string): Promise<number[]> {
	const times: number[] = [];
	for (let round = 0; round < 3; round++) {
		const start = performance.now();
		const { store } = await opened(directory);
		times.push(performance.now() - start);
		await store.close();
	}
	return times;
}

async function build(directory: string): Promise<{ ms: number; stretch: number; idle: number }> {
	const { store, index } = await opened(directory);
	const start = since();
	let ms = 0;
	const stretch = await longestStretch(async () => {
		await index.catchUp();
		ms = since(start);
	});
	await store.close();
	return { ms, stretch, idle: await longestStretch(() => counting(ms)) };
}

/** How long whoever else the process serves waits for its turn, p99 in ms; a ms of it is the clock's. */
async function longestStretch(work: () => Promise<void>): Promise<number> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	await work();
	delay.disable();
	return delay.percentile(99) / 1e6;
}

/** Counts for so many ms of the processor, in slices. */
async function counting(ms: number): Promise<void> {
	const slices = new Slices();
	for (const start = since(); since(start) < ms; ) {
		for (let n = 0; n < 1000; n++) Math.sqrt(n);
		await slices.pause();
	}
}

async function ask(directory: string, texts: readonly string[], count: number) {
	const { store, engine, index, recall } = await opened(directory);
	await index.catchUp();
	const dice = new Dice(11);
	const classes = classesOf(index, texts, dice);
	const options = { leaf: engine.states.tree.leaf, scope: "model", limit: 8 } as const;
	const asked: { word: string; ms: number }[] = [];
	for (let n = 0; n < QUERIES; n++) {
		const words = (SHAPES[n % SHAPES.length] ?? []).map((frequency) => dice.pick(classes[frequency]));
		const query = parseQuery(words.join(" "));
		const start = since();
		await recall.search(query, options);
		const ms = since(start);
		if (n >= QUERIES / 8) asked.push({ word: words[0] as string, ms });
	}
	const times: number[] = [];
	for (let n = count; n < count + FRESH; n++) {
		const text = texts
			.slice(n % 1000, (n % 1000) + 3)
			.join(" ")
			.slice(0, 2000);
		await engine.record(entryWith(n, text));
		const start = since();
		await index.catchUp();
		times.push(since(start));
	}
	await store.close();
	return { asked, fresh: median(times) };
}

type Frequency = "rare" | "mid" | "common";

/** What is asked for, in turn. */
const SHAPES: readonly (readonly Frequency[])[] = [
	["rare"],
	["mid"],
	["mid", "mid"],
	["common", "mid", "rare"],
	["common"],
];

/** Words of the texts by how many documents hold them: up to 10, up to one in a hundred, more than one in twenty. */
function classesOf(
	index: RecallIndex,
	texts: readonly string[],
	dice: Dice,
): { readonly [F in Frequency]: [string, ...string[]] } {
	const classes = { rare: ["none"], mid: ["none"], common: ["none"] } as {
		[F in Frequency]: [string, ...string[]];
	};
	for (let n = 0; n < 3000; n++) {
		const words = (texts[dice.between(0, texts.length - 1)] as string).match(/[A-Za-z]{3,}/g) ?? ["none"];
		const word = words[dice.between(0, words.length - 1)] as string;
		const list = new PostingList();
		for (const { addTo } of index.find("t", word.toLowerCase())) addTo(list);
		const documents = list.length;
		if (documents <= 10) classes.rare.push(word);
		else if (documents <= texts.length / 100) classes.mid.push(word);
		else if (documents > texts.length / 20) classes.common.push(word);
	}
	return classes;
}

/** Time of the processor since an earlier one, ms: what else the machine does is no part of it. */
function since(start = 0): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000 - start;
}

function timed(work: () => void): number {
	const start = since();
	work();
	return since(start);
}

/** Bytes of a store's database, once what was overwritten is gone from its files. */
async function sizeOf(directory: string): Promise<number> {
	const level = levelDirectory(directory);
	const kv = await openLevel(level, { create: false });
	await kv.compact(EVERYTHING);
	await kv.close();
	return readdirSync(level).reduce((sum, file) => sum + statSync(join(level, file)).size, 0);
}
