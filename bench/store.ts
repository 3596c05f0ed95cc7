import { globSync, readFileSync, statSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { ClassicLevel } from "classic-level";
import { Packr } from "msgpackr";
import { defineEvent, type Recorded } from "../events/envelope.ts";
import { createRegistry } from "../events/registry.ts";
import { readChain, type StreamPlace } from "../src/store/chain.ts";
import { encodeEvent } from "../src/store/event-codec.ts";
import { type Sha256, sha256Noble, sha256Node } from "../src/store/hash.ts";
import { genesis } from "../src/store/head.ts";
import type { KeyValue } from "../src/store/key-value.ts";
import { eventKey } from "../src/store/keys.ts";
import { openLevel } from "../src/store/level-key-value.ts";
import { levelDirectory, openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { atLeast, atMost, median, type Row } from "./row.ts";

/** Reads are measured in short windows and many: the median one is not interrupted by whatever else the machine does. */
const READING = { rounds: 41, warmUp: 10 };
/** Writes are measured in long ones on a new database each: LevelDB's own work in between belongs to them. */
const WRITING = { rounds: 9, warmUp: 3 };
/** appends a writer has underway at most; packing and hashing the next overlap the writing of the last */
const UNDERWAY = 4;
const WRITTEN = 20_000;
const READ = 4_000;
const STORED = 60_000;
const BATCH = 100;
const STREAM = "session/bench";
const BYTES = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;

/** A mark as a session holds thousands of: 290 bytes of JSON. */
const MarkMade = defineEvent(
	"mark/made",
	1,
	Type.Object({
		mark: Type.String(),
		first: Type.String(),
		last: Type.String(),
		kind: Type.Union([Type.Literal("cut"), Type.Literal("group")]),
		chars: Type.Integer({ minimum: 0 }),
		tokens: Type.Number(),
		digest: Type.String(),
		units: Type.Array(Type.String()),
	}),
);
/** An entry as bookkeeping records it; its bytes are a blob. */
const EntrySeen = defineEvent(
	"entry/seen",
	1,
	Type.Object({
		id: Type.String(),
		parent: Type.String(),
		role: Type.String(),
		digest: Type.String(),
		bytes: Type.Number(),
	}),
);
const registry = createRegistry([MarkMade, EntrySeen]);

/** Appending, verifying, reading, opening and disk use, each beside what LevelDB, SHA-256 and msgpackr take alone. */
export async function run(): Promise<readonly Row[]> {
	const home = await mkdtemp(join(tmpdir(), "palimpsest-bench-"));
	try {
		return [...(await writing(home)), ...(await reading(home)), await disk(home)];
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

async function writing(home: string): Promise<Row[]> {
	const events = marks(WRITTEN);
	const ready = storedForm(events);
	const times = await interleaved(WRITING, {
		bare: (round) => bareWrite(join(home, `bare-${round}`), ready),
		node: (round) => chainedWrite(join(home, `node-${round}`), events, sha256Node),
		noble: (round) => chainedWrite(join(home, `noble-${round}`), events, sha256Noble),
	});
	const row = (target: number, hash: "node" | "noble") =>
		atLeast(target, {
			name: `append small events, ${BATCH} at a time, ${hash}`,
			value: WRITTEN / times[hash],
			unit: "events/s",
			against: "bare chained batches of the same bytes",
			limit: WRITTEN / times.bare,
		});
	return [row(0.5, "node"), row(0.3, "noble")];
}

async function reading(home: string): Promise<Row[]> {
	const directory = join(home, "read");
	await chainedWrite(directory, marks(STORED), sha256Node);
	// three openers of the same bytes
	const [forLevel, forChain] = [`${directory}-level`, `${directory}-chain`];
	await cp(directory, forLevel, { recursive: true });
	await cp(directory, forChain, { recursive: true });
	const bare = await rawLevel(levelDirectory(forLevel));
	const kv = await openLevel(levelDirectory(forChain), { create: false });
	const reopened = await openStore({ directory, registry, readOnly: true });
	const place = { number: 0, name: STREAM, ...reopened.head(STREAM) };
	const from = (round: number) => (round * READ) % STORED;
	const times = await interleaved(READING, {
		iterate: (round) => bareRead(bare, from(round), () => undefined),
		unpack: (round) => bareRead(bare, from(round), hashAndUnpack),
		verify: (round) => verifyOnly(kv, place, from(round)),
		replay: (round) => replay(reopened, from(round)),
	});
	await Promise.all([bare.close(), kv.close(), reopened.close()]);
	const opening = await interleaved(READING, {
		bare: () => bareOpen(forLevel),
		store: () => open(directory),
	});
	return [
		atLeast(0.6, {
			name: "verify, decode and reduce small events",
			value: READ / times.replay,
			unit: "events/s",
			against: "iterate, hash and unpack",
			limit: READ / times.unpack,
		}),
		atLeast(0.5, {
			name: "verify small events",
			value: READ / times.verify,
			unit: "events/s",
			against: "iterate",
			limit: READ / times.iterate,
		}),
		atMost(4, {
			name: `open a store of ${STORED} events`,
			value: opening.store * 1000,
			unit: "ms",
			against: "LevelDB opening the same files",
			limit: opening.bare * 1000,
		}),
	];
}

async function disk(home: string): Promise<Row> {
	const directory = join(home, "disk");
	const lines = transcript(20_000_000);
	const jsonl = lines.reduce((sum, { length }) => sum + length + 1, 0);
	const store = await openStore({ directory, registry, hash: sha256Node });
	for (let at = 0; at < lines.length; at += BATCH) {
		const blobs = lines.slice(at, at + BATCH).map((bytes) => ({ bytes, digest: sha256Node(bytes) }));
		const seen = blobs.map(({ bytes, digest }, index) =>
			recorded("entry/seen", {
				id: hex(at + index),
				parent: hex(at + index - 1),
				role: "result",
				digest,
				bytes: bytes.length,
			}),
		);
		await store.append(STREAM, seen, at, { blobs });
	}
	await store.close();
	// opening turns what is left of LevelDB's log, which is not compressed, into a table, as every opening does
	await open(directory);
	const files = globSync(join(directory, "**/*")).map((file) => statSync(file));
	return atMost(0.6, {
		name: `disk for ${lines.length} entries, copied whole`,
		value: files.reduce((sum, { size }) => sum + size, 0) / 1e6,
		unit: "MB",
		against: "the session file",
		limit: jsonl / 1e6,
	});
}

/** Runs each variant in turn, round after round, and gives the median seconds of each after the warm-up. */
async function interleaved<K extends string>(
	{ rounds, warmUp }: { rounds: number; warmUp: number },
	variants: { readonly [name in K]: (round: number) => Promise<number> },
): Promise<{ readonly [name in K]: number }> {
	const names = Object.keys(variants) as K[];
	const taken = new Map<K, number[]>(names.map((name) => [name, []]));
	for (let round = 0; round < warmUp + rounds; round++) {
		for (const name of names) {
			const ms = await variants[name](round);
			// our side is compiled late, LevelDB's never
			if (round >= warmUp) taken.get(name)?.push(ms / 1000);
		}
	}
	return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as {
		[name in K]: number;
	};
}

async function rawLevel(directory: string): Promise<ClassicLevel<Buffer, Buffer>> {
	const db = new ClassicLevel<Buffer, Buffer>(directory, BYTES);
	await db.open();
	return db;
}

async function bareWrite(directory: string, ready: readonly (readonly [Buffer, Buffer])[]): Promise<number> {
	const db = await rawLevel(directory);
	const start = performance.now();
	for (let at = 0; at < ready.length; at += BATCH) {
		const batch = db.batch();
		for (const [key, value] of ready.slice(at, at + BATCH)) batch.put(key, value);
		await batch.write();
	}
	const ms = performance.now() - start;
	await db.close();
	return ms;
}

async function chainedWrite(directory: string, events: readonly Recorded[], hash: Sha256): Promise<number> {
	const store = await openStore({ directory, registry, hash });
	const start = performance.now();
	const underway: Promise<unknown>[] = [];
	for (let at = 0; at < events.length; at += BATCH) {
		underway.push(store.append(STREAM, events.slice(at, at + BATCH), at));
		if (underway.length === UNDERWAY) await underway.shift();
	}
	await Promise.all(underway);
	const ms = performance.now() - start;
	await store.close();
	return ms;
}

async function bareRead(
	db: ClassicLevel<Buffer, Buffer>,
	from: number,
	each: (value: Buffer) => unknown,
): Promise<number> {
	const start = performance.now();
	const range = { gte: eventKey(0, from), lt: eventKey(0, from + READ) };
	const iterator = db.values({ ...range, fillCache: false, highWaterMarkBytes: 1 << 20 });
	for (let found = await iterator.nextv(1000); found.length > 0; found = await iterator.nextv(1000)) {
		for (const value of found) each(value);
	}
	await iterator.close();
	return performance.now() - start;
}

const packr = new Packr({ useRecords: false });

function hashAndUnpack(value: Buffer): unknown {
	return [sha256Node(value), packr.unpack(value.subarray(32))];
}

async function verifyOnly(kv: KeyValue, place: StreamPlace, from: number): Promise<number> {
	const start = performance.now();
	const range = { from, to: from + READ, hash: sha256Node };
	let seen = 0;
	for await (const { values } of readChain(kv, place, range)) seen += values.length;
	if (seen !== READ) throw new Error(`verified ${seen} of ${READ}`);
	return performance.now() - start;
}

async function replay(store: Store, from: number): Promise<number> {
	const start = performance.now();
	const tokensByMark = new Map<string, number>();
	for await (const run of store.readRuns(STREAM, { from, to: from + READ })) {
		for (const { data } of run) {
			const { mark, tokens } = data as { mark: string; tokens: number };
			tokensByMark.set(mark, tokens);
		}
	}
	if (tokensByMark.size !== READ) throw new Error(`replayed ${tokensByMark.size} of ${READ}`);
	return performance.now() - start;
}

async function bareOpen(directory: string): Promise<number> {
	const start = performance.now();
	const db = await rawLevel(levelDirectory(directory));
	const ms = performance.now() - start;
	await db.close();
	return ms;
}

async function open(directory: string): Promise<number> {
	const start = performance.now();
	const store = await openStore({ directory, registry });
	const ms = performance.now() - start;
	await store.close();
	return ms;
}

function marks(count: number): Recorded[] {
	return Array.from({ length: count }, (_, index) =>
		recorded("mark/made", {
			mark: `m${hex(index)}`,
			first: hex(index * 3),
			last: hex(index * 3 + 2),
			kind: "cut",
			chars: 3000 + (index % 977),
			tokens: 800 + (index % 311),
			digest: sha256Node(Buffer.from(String(index))),
			units: [hex(index * 3), hex(index * 3 + 1), hex(index * 3 + 2)],
		}),
	);
}

function recorded(type: string, data: unknown): Recorded {
	return { event: { type, data }, at: 1_700_000_000_000, actor: "rule" };
}

/** Keys and values exactly as the store would write them. */
function storedForm(events: readonly Recorded[]): [Buffer, Buffer][] {
	let previous = genesis(STREAM);
	return events.map((event, position) => {
		const value = Buffer.from(encodeEvent(registry, event, previous));
		previous = sha256Node(value);
		return [eventKey(0, position), value];
	});
}

/** Lines of a session file in the host's shape, with text from what is installed for development. */
function transcript(bytes: number): Buffer[] {
	const lines: Buffer[] = [];
	let total = 0;
	for (const file of globSync("node_modules/{@types/node,@earendil-works/*}/**/*.{md,ts,js}").sort()) {
		const text = readFileSync(file, "utf8");
		for (let at = 0; at < text.length && total < bytes; ) {
			const length = 200 + ((lines.length * 7919) % 2400);
			const content = [{ type: "text", text: text.slice(at, at + length) }];
			const message = {
				role: "toolResult",
				toolCallId: `call_${hex(lines.length)}`,
				toolName: "read",
				content,
			};
			const entry = {
				type: "message",
				id: hex(lines.length),
				parentId: hex(lines.length - 1),
				timestamp: "2025-01-01T00:00:00.000Z",
				message,
			};
			lines.push(Buffer.from(JSON.stringify(entry)));
			total += lines.at(-1)?.length ?? 0;
			at += length;
		}
	}
	return lines;
}

function hex(number: number): string {
	return sha256Node(Buffer.from(`id ${number}`)).slice(0, 8);
}
